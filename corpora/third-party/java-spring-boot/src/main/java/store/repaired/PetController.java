package store.repaired;

import java.util.List;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import store.ordinary.Pet;
import store.ordinary.PetNotFoundException;
import store.ordinary.PetRepository;
import store.ordinary.PetStatus;
import tools.jackson.databind.JsonNode;

@RestController
@RequestMapping("/v1/pets")
public class PetController {

    private final PetRepository repository;

    PetController(PetRepository repository) {
        this.repository = repository;
    }

    @GetMapping
    List<Pet> listPets(
            @RequestParam(defaultValue = "20") @Min(1) @Max(100) int limit,
            @RequestParam(required = false) PetStatus status) {
        return repository.findAll(status, limit);
    }

    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    Pet createPet(@RequestBody JsonNode body) {
        return repository.save(NewPetReader.read(body));
    }

    @GetMapping("/{petId}")
    Pet getPet(@PathVariable long petId) {
        return repository.findById(petId).orElseThrow(() -> new PetNotFoundException(petId));
    }
}
