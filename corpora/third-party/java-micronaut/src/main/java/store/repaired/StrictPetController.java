package store.repaired;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import io.micronaut.context.annotation.Replaces;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.security.annotation.Secured;
import io.micronaut.security.rules.SecurityRule;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import store.ordinary.Pet;
import store.ordinary.PetController;
import store.ordinary.PetRepository;
import store.ordinary.PetStatus;

@Controller("/v1/pets")
@Secured(SecurityRule.IS_AUTHENTICATED)
@Requires(env = "repaired")
@Replaces(PetController.class)
public class StrictPetController {

    private static final JsonFactory JSON = new JsonFactory();

    private final PetRepository repository;
    private final JsonMapper mapper;

    public StrictPetController(PetRepository repository, JsonMapper mapper) {
        this.repository = repository;
        this.mapper = mapper;
    }

    @Get
    public List<Pet> listPets(
            @QueryValue(defaultValue = "20") @Min(1) @Max(100) int limit,
            @Nullable @QueryValue PetStatus status) {
        return repository.findAll(status, limit);
    }

    @Post
    public HttpResponse<Pet> createPet(@Body @Nullable String body) {
        if (body == null) {
            throw new InvalidPetException("the body is missing");
        }
        JsonNode node;
        try {
            requireOneValue(body);
            node = mapper.readValue(body, JsonNode.class);
        } catch (IOException e) {
            throw new InvalidPetException("the body is not JSON: " + e.getMessage());
        }
        if (node == null) {
            throw new InvalidPetException("the body must be a JSON object");
        }
        return HttpResponse.created(repository.save(NewPetReader.read(node)));
    }

    /** The mapper reads one value and leaves the rest. */
    private static void requireOneValue(String body) throws IOException {
        try (JsonParser parser = JSON.createParser(body)) {
            parser.nextToken();
            parser.skipChildren();
            if (parser.nextToken() != null) {
                throw new InvalidPetException("the body must be one JSON value");
            }
        }
    }

    @Get("/{petId}")
    public Optional<Pet> getPet(long petId) {
        return repository.findById(petId);
    }
}
