package store.repaired;

import io.micronaut.context.annotation.Primary;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.JsonErrorResponseBodyProvider;
import jakarta.inject.Singleton;

/** Gives the responses to Micronaut's own errors the Error body in place of a HATEOAS one. */
@Singleton
@Primary
@Requires(env = "repaired")
public class ErrorBodyProvider implements JsonErrorResponseBodyProvider<ErrorBody> {

    @Override
    public ErrorBody body(ErrorContext context, HttpResponse<?> response) {
        HttpStatus status = HttpStatus.valueOf(response.code());
        String message = context.getErrors().isEmpty() ? status.getReason() : context.getErrors().get(0).getMessage();
        return ErrorBody.of(status, message);
    }
}
