package store.ordinary;

import java.util.List;
import java.util.Optional;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.annotation.Status;
import io.micronaut.security.annotation.Secured;
import io.micronaut.security.rules.SecurityRule;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;

@Controller("/v1/pets")
@Secured(SecurityRule.IS_AUTHENTICATED)
public class PetController {

    private final PetRepository repository;

    public PetController(PetRepository repository) {
        this.repository = repository;
    }

    @Get
    public List<Pet> listPets(
            @QueryValue(defaultValue = "20") @Min(1) @Max(100) int limit,
            @Nullable @QueryValue PetStatus status) {
        return repository.findAll(status, limit);
    }

    @Post
    @Status(HttpStatus.CREATED)
    public Pet createPet(@Body @Valid NewPet newPet) {
        return repository.save(newPet);
    }

    @Get("/{petId}")
    public Optional<Pet> getPet(long petId) {
        return repository.findById(petId);
    }
}
