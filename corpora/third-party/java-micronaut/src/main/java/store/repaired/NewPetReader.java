package store.repaired;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Objects;

import io.micronaut.json.tree.JsonNode;
import store.ordinary.NewPet;
import store.ordinary.PetStatus;

/** Reads a NewPet from parsed JSON and takes no value of another type for it. */
final class NewPetReader {

    private static final int INT64_BITS = 63;

    private NewPetReader() {
    }

    static NewPet read(JsonNode body) {
        if (!body.isObject()) {
            throw new InvalidPetException("the body must be a JSON object");
        }
        JsonNode name = body.get("name");
        if (name == null || !name.isString()) {
            throw new InvalidPetException("name must be a string");
        }
        JsonNode status = body.get("status");
        return new NewPet(
                name.getStringValue(), readCategoryId(body.get("categoryId")), status == null ? null : readStatus(status));
    }

    private static long readCategoryId(JsonNode categoryId) {
        if (categoryId != null && categoryId.isNumber()) {
            Number number = categoryId.getNumberValue();
            if (number instanceof Integer || number instanceof Long) {
                return number.longValue();
            }
            if (number instanceof BigInteger big && big.bitLength() <= INT64_BITS) {
                return big.longValue();
            }
        }
        throw new InvalidPetException("categoryId must be a 64-bit integer");
    }

    private static PetStatus readStatus(JsonNode status) {
        String text = status.isString() ? status.getStringValue() : null;
        return Arrays.stream(PetStatus.values())
                .filter(value -> Objects.equals(value.name(), text))
                .findFirst()
                .orElseThrow(() -> new InvalidPetException("status must be one of available, pending, sold"));
    }
}
