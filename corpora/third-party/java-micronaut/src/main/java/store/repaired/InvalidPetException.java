package store.repaired;

public class InvalidPetException extends RuntimeException {

    public InvalidPetException(String message) {
        super(message);
    }
}
