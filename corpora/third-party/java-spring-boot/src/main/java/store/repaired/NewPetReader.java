package store.repaired;

import java.util.Arrays;
import java.util.Objects;

import store.ordinary.NewPet;
import store.ordinary.PetStatus;
import tools.jackson.databind.JsonNode;

/** Reads a NewPet from parsed JSON and takes no value of another type for it. */
final class NewPetReader {

    private NewPetReader() {
    }

    static NewPet read(JsonNode body) {
        if (!body.isObject()) {
            throw new InvalidPetException("the body must be a JSON object");
        }
        JsonNode name = body.path("name");
        if (!name.isString()) {
            throw new InvalidPetException("name must be a string");
        }
        JsonNode categoryId = body.path("categoryId");
        if (!categoryId.isIntegralNumber() || !categoryId.canConvertToLong()) {
            throw new InvalidPetException("categoryId must be a 64-bit integer");
        }
        PetStatus status = body.has("status") ? readStatus(body.path("status")) : null;
        return new NewPet(name.stringValue(), categoryId.longValue(), status);
    }

    private static PetStatus readStatus(JsonNode status) {
        String text = status.isString() ? status.stringValue() : null;
        return Arrays.stream(PetStatus.values())
                .filter(value -> Objects.equals(value.name(), text))
                .findFirst()
                .orElseThrow(() -> new InvalidPetException("status must be one of available, pending, sold"));
    }
}
