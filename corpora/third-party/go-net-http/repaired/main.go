// The repaired twin of ../ordinary: the body is read member by member, to its end, and unknown paths and
// methods get the Error body too.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
)

type PetStatus string

const (
	Available PetStatus = "available"
	Pending   PetStatus = "pending"
	Sold      PetStatus = "sold"
)

func (s PetStatus) valid() bool {
	return s == Available || s == Pending || s == Sold
}

type NewPet struct {
	Name       string    `json:"name"`
	CategoryID int64     `json:"categoryId"`
	Status     PetStatus `json:"status,omitempty"`
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
func decodeNewPet(data []byte) (NewPet, error) {
	var n NewPet
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
	if _, found := members["status"]; found && !n.Status.valid() {
		return n, fmt.Errorf("status must be one of available, pending, sold")
	}
	return n, nil
}

type Pet struct {
	ID int64 `json:"id"`
	NewPet
}

type Error struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Status  int    `json:"status"`
}

// Store keeps the animals in memory.
type Store struct {
	mu     sync.Mutex
	pets   map[int64]Pet
	nextID int64
}

func NewStore() *Store {
	store := &Store{pets: map[int64]Pet{}, nextID: 1}
	names := []string{"Bella", "Milo", "Luna", "Rocky", "Coco", "Oscar", "Nala", "Ziggy", "Pepper", "Biscuit"}
	statuses := []PetStatus{Available, Pending, Sold}
	for i := range 30 {
		store.Add(NewPet{Name: names[i%len(names)], CategoryID: int64(i%4 + 1), Status: statuses[i%len(statuses)]})
	}
	return store
}

func (s *Store) Add(newPet NewPet) Pet {
	s.mu.Lock()
	defer s.mu.Unlock()
	pet := Pet{ID: s.nextID, NewPet: newPet}
	s.pets[pet.ID] = pet
	s.nextID++
	return pet
}

func (s *Store) Get(id int64) (Pet, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	pet, ok := s.pets[id]
	return pet, ok
}

// List returns the animals in the order of their identifiers, at most limit of them.
func (s *Store) List(limit int, status PetStatus) []Pet {
	s.mu.Lock()
	defer s.mu.Unlock()
	pets := make([]Pet, 0, len(s.pets))
	for _, pet := range s.pets {
		if status == "" || pet.Status == status {
			pets = append(pets, pet)
		}
	}
	sort.Slice(pets, func(i, j int) bool { return pets[i].ID < pets[j].ID })
	return pets[:min(limit, len(pets))]
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body)
}

func writeError(w http.ResponseWriter, status int, code, message string) {
	writeJSON(w, status, Error{Code: code, Message: message, Status: status})
}

func requireKey(apiKey string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !ok || key != apiKey {
			writeError(w, http.StatusUnauthorized, "unauthorized", "the API key is missing or invalid")
			return
		}
		next.ServeHTTP(w, r)
	})
}

type server struct {
	store *Store
}

func (s *server) listPets(w http.ResponseWriter, r *http.Request) {
	limit := 20
	if text := r.URL.Query().Get("limit"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > 100 {
			writeError(w, http.StatusBadRequest, "invalid_limit", "limit must be an integer from 1 to 100")
			return
		}
		limit = n
	}
	status := PetStatus(r.URL.Query().Get("status"))
	if status != "" && !status.valid() {
		writeError(w, http.StatusBadRequest, "invalid_status", "status must be one of available, pending, sold")
		return
	}
	writeJSON(w, http.StatusOK, s.store.List(limit, status))
}

func (s *server) createPet(w http.ResponseWriter, r *http.Request) {
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	if err != nil {
		writeError(w, http.StatusBadRequest, "invalid_body", err.Error())
		return
	}
	newPet, err := decodeNewPet(data)
	if err != nil {
		writeError(w, http.StatusBadRequest, "invalid_body", err.Error())
		return
	}
	writeJSON(w, http.StatusCreated, s.store.Add(newPet))
}

func (s *server) getPet(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.ParseInt(r.PathValue("petId"), 10, 64)
	if err != nil {
		writeError(w, http.StatusBadRequest, "invalid_id", "petId must be an integer")
		return
	}
	pet, ok := s.store.Get(id)
	if !ok {
		writeError(w, http.StatusNotFound, "pet_not_found", fmt.Sprintf("there is no pet %d", id))
		return
	}
	writeJSON(w, http.StatusOK, pet)
}

func methodNotAllowed(w http.ResponseWriter, r *http.Request) {
	writeError(w, http.StatusMethodNotAllowed, "method_not_allowed", r.Method+" is not supported here")
}

func notFound(w http.ResponseWriter, r *http.Request) {
	writeError(w, http.StatusNotFound, "no_such_path", "there is nothing at "+r.URL.Path)
}

func main() {
	port, apiKey := os.Getenv("PORT"), os.Getenv("API_KEY")
	if port == "" || apiKey == "" {
		log.Fatal("set PORT and API_KEY")
	}
	s := &server{store: NewStore()}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/pets", s.listPets)
	mux.HandleFunc("POST /v1/pets", s.createPet)
	mux.HandleFunc("GET /v1/pets/{petId}", s.getPet)
	mux.HandleFunc("/v1/pets", methodNotAllowed)
	mux.HandleFunc("/v1/pets/{petId}", methodNotAllowed)
	mux.HandleFunc("/", notFound)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+port, requireKey(apiKey, mux)))
}
