package store.ordinary;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;

@Serdeable
public record NewPet(@NotBlank String name, @NotNull Long categoryId, @Nullable PetStatus status) {
}
