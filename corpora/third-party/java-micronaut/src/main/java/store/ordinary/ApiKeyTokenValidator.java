package store.ordinary;

import io.micronaut.context.annotation.Property;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.async.publisher.Publishers;
import io.micronaut.http.HttpRequest;
import io.micronaut.security.authentication.Authentication;
import io.micronaut.security.token.validator.TokenValidator;
import jakarta.inject.Singleton;
import org.reactivestreams.Publisher;

/** Accepts the API key as bearer token. */
@Singleton
public class ApiKeyTokenValidator implements TokenValidator<HttpRequest<?>> {

    private final String apiKey;

    public ApiKeyTokenValidator(@Property(name = "store.api-key") String apiKey) {
        this.apiKey = apiKey;
    }

    @Override
    public Publisher<Authentication> validateToken(String token, @Nullable HttpRequest<?> request) {
        return token.equals(apiKey) ? Publishers.just(Authentication.build("client")) : Publishers.empty();
    }
}
