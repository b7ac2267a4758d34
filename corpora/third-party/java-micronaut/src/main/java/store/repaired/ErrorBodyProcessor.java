package store.repaired;

import io.micronaut.context.annotation.Primary;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import jakarta.inject.Singleton;

/** Gives the responses to Micronaut's own errors the Error body in place of a HATEOAS one, and of HTML for browsers. */
@Singleton
@Primary
@Requires(env = "repaired")
public class ErrorBodyProcessor implements ErrorResponseProcessor<ErrorBody> {

    @Override
    public MutableHttpResponse<ErrorBody> processResponse(ErrorContext context, MutableHttpResponse<?> response) {
        HttpStatus status = HttpStatus.valueOf(response.code());
        String message = context.getErrors().isEmpty() ? status.getReason() : context.getErrors().get(0).getMessage();
        return response.body(ErrorBody.of(status, message)).contentType(MediaType.APPLICATION_JSON_TYPE);
    }
}
