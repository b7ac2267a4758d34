package store.repaired;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import jakarta.inject.Singleton;

@Singleton
@Requires(env = "repaired")
public class InvalidPetHandler implements ExceptionHandler<InvalidPetException, HttpResponse<ErrorBody>> {

    @Override
    public HttpResponse<ErrorBody> handle(HttpRequest request, InvalidPetException exception) {
        return HttpResponse.badRequest(ErrorBody.of(HttpStatus.BAD_REQUEST, exception.getMessage()));
    }
}
