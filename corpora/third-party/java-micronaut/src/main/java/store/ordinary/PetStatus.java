package store.ordinary;

public enum PetStatus {
    available, pending, sold
}
