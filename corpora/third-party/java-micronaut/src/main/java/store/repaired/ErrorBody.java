package store.repaired;

import java.util.Locale;

import io.micronaut.http.HttpStatus;
import io.micronaut.serde.annotation.Serdeable;

@Serdeable
public record ErrorBody(String code, String message, int status) {

    static ErrorBody of(HttpStatus status, String message) {
        return new ErrorBody(status.name().toLowerCase(Locale.ROOT), message, status.getCode());
    }
}
