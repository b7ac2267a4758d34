// The repaired twin of ../ordinary: the body is read member by member instead of bound by tags, and unknown
// paths and methods get the Error body too.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gin-gonic/gin"
)

var statuses = []string{"available", "pending", "sold"}

type newPet struct {
	Name       string `json:"name"`
	CategoryID int64  `json:"categoryId"`
	Status     string `json:"status,omitempty"`
}

// member reads one member of the body into value; null is no value of any member.
func member(members map[string]json.RawMessage, name string, required bool, value any) error {
	raw, found := members[name]
	switch {
	case !found && required:
		return fmt.Errorf("%s is required", name)
	case !found:
		return nil
	case string(raw) == "null":
		return fmt.Errorf("%s must not be null", name)
	}
	if err := json.Unmarshal(raw, value); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// decodeNewPet reads a body by the exact names of its members: a struct would also take "NAME" for "name",
// and zero values for members that are missing.
func decodeNewPet(data []byte) (newPet, error) {
	var n newPet
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		return n, err
	}
	err := errors.Join(
		member(members, "name", true, &n.Name),
		member(members, "categoryId", true, &n.CategoryID),
		member(members, "status", false, &n.Status),
	)
	if err != nil {
		return n, err
	}
	if _, found := members["status"]; found && !slices.Contains(statuses, n.Status) {
		return n, fmt.Errorf("status must be one of available, pending, sold")
	}
	return n, nil
}

type pet struct {
	ID int64 `json:"id"`
	newPet
}

type listQuery struct {
	Limit  int    `form:"limit,default=20" binding:"min=1,max=100"`
	Status string `form:"status" binding:"omitempty,oneof=available pending sold"`
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
	data, err := c.GetRawData()
	if err != nil {
		fail(c, http.StatusBadRequest, "invalid_body", err.Error())
		return
	}
	n, err := decodeNewPet(data)
	if err != nil {
		fail(c, http.StatusBadRequest, "invalid_body", err.Error())
		return
	}
	c.JSON(http.StatusCreated, s.add(n))
}

func (s *store) getPet(c *gin.Context) {
	id, err := strconv.ParseInt(c.Param("petId"), 10, 64)
	if err != nil {
		fail(c, http.StatusBadRequest, "invalid_id", "petId must be an integer")
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.pets {
		if p.ID == id {
			c.JSON(http.StatusOK, p)
			return
		}
	}
	fail(c, http.StatusNotFound, "pet_not_found", fmt.Sprintf("there is no pet %d", id))
}

func main() {
	port, apiKey := os.Getenv("PORT"), os.Getenv("API_KEY")
	if port == "" || apiKey == "" {
		log.Fatal("set PORT and API_KEY")
	}
	s := newStore()
	router := gin.Default()
	router.HandleMethodNotAllowed = true
	router.Use(requireKey(apiKey))
	router.NoRoute(func(c *gin.Context) {
		fail(c, http.StatusNotFound, "no_such_path", "there is nothing at "+c.Request.URL.Path)
	})
	router.NoMethod(func(c *gin.Context) {
		fail(c, http.StatusMethodNotAllowed, "method_not_allowed", c.Request.Method+" is not supported here")
	})
	v1 := router.Group("/v1")
	v1.GET("/pets", s.listPets)
	v1.POST("/pets", s.createPet)
	v1.GET("/pets/:petId", s.getPet)
	log.Fatal(router.Run("127.0.0.1:" + port))
}
