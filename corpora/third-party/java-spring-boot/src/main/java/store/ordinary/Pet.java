package store.ordinary;

public record Pet(Long id, String name, Long categoryId, PetStatus status) {
}
