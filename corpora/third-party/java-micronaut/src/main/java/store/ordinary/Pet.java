package store.ordinary;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;

@Serdeable
public record Pet(long id, String name, long categoryId, @Nullable PetStatus status) {
}
