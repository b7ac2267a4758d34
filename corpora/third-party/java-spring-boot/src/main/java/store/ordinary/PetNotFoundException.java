package store.ordinary;

public class PetNotFoundException extends RuntimeException {

    public PetNotFoundException(long id) {
        super("Could not find pet " + id);
    }
}
