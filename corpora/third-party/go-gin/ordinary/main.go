// The pet store on gin, written after "Developing a RESTful API with Go and Gin" and gin's own pages on
// binding: struct tags say what is required, BindJSON binds the body.
package main

import (
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"sync"

	"github.com/gin-gonic/gin"
)

type newPet struct {
	Name       string `json:"name" binding:"required"`
	CategoryID int64  `json:"categoryId" binding:"required"`
	Status     string `json:"status,omitempty" binding:"omitempty,oneof=available pending sold"`
}

type pet struct {
	ID int64 `json:"id"`
	newPet
}

type listQuery struct {
	Limit  int    `form:"limit,default=20" binding:"min=1,max=100"`
	Status string `form:"status" binding:"omitempty,oneof=available pending sold"`
}

type petURI struct {
	ID int64 `uri:"petId" binding:"required"`
}

type errorBody struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Status  int    `json:"status"`
}

// store keeps the animals in the order of their identifiers.
type store struct {
	mu   sync.Mutex
	pets []pet
}

func newStore() *store {
	s := &store{}
	names := []string{"Bella", "Milo", "Luna", "Rocky", "Coco", "Oscar", "Nala", "Ziggy", "Pepper", "Biscuit"}
	statuses := []string{"available", "pending", "sold"}
	for i := range 30 {
		s.add(newPet{Name: names[i%len(names)], CategoryID: int64(i%4 + 1), Status: statuses[i%len(statuses)]})
	}
	return s
}

func (s *store) add(n newPet) pet {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := pet{ID: int64(len(s.pets) + 1), newPet: n}
	s.pets = append(s.pets, p)
	return p
}

func fail(c *gin.Context, status int, code, message string) {
	c.AbortWithStatusJSON(status, errorBody{Code: code, Message: message, Status: status})
}

func requireKey(apiKey string) gin.HandlerFunc {
	return func(c *gin.Context) {
		key, ok := strings.CutPrefix(c.GetHeader("Authorization"), "Bearer ")
		if !ok || key != apiKey {
			fail(c, http.StatusUnauthorized, "unauthorized", "the API key is missing or invalid")
			return
		}
		c.Next()
	}
}

func (s *store) listPets(c *gin.Context) {
	var query listQuery
	if err := c.ShouldBindQuery(&query); err != nil {
		fail(c, http.StatusBadRequest, "invalid_query", err.Error())
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	found := []pet{}
	for _, p := range s.pets {
		if len(found) < query.Limit && (query.Status == "" || p.Status == query.Status) {
			found = append(found, p)
		}
	}
	c.JSON(http.StatusOK, found)
}

func (s *store) createPet(c *gin.Context) {
	var n newPet
	if err := c.BindJSON(&n); err != nil {
		fail(c, http.StatusBadRequest, "invalid_body", err.Error())
		return
	}
	c.JSON(http.StatusCreated, s.add(n))
}

func (s *store) getPet(c *gin.Context) {
	var uri petURI
	if err := c.ShouldBindUri(&uri); err != nil {
		fail(c, http.StatusBadRequest, "invalid_id", err.Error())
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.pets {
		if p.ID == uri.ID {
			c.JSON(http.StatusOK, p)
			return
		}
	}
	fail(c, http.StatusNotFound, "pet_not_found", fmt.Sprintf("there is no pet %d", uri.ID))
}

func main() {
	port, apiKey := os.Getenv("PORT"), os.Getenv("API_KEY")
	if port == "" || apiKey == "" {
		log.Fatal("set PORT and API_KEY")
	}
	s := newStore()
	router := gin.Default()
	v1 := router.Group("/v1", requireKey(apiKey))
	v1.GET("/pets", s.listPets)
	v1.POST("/pets", s.createPet)
	v1.GET("/pets/:petId", s.getPet)
	log.Fatal(router.Run("127.0.0.1:" + port))
}
