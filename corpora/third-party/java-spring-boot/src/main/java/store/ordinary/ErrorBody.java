package store.ordinary;

public record ErrorBody(String code, String message, int status) {
}
