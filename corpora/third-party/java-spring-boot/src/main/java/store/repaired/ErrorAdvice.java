package store.repaired;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import store.ordinary.ErrorBody;
import store.ordinary.PetNotFoundException;

/** Turns the store's own exceptions and those of Spring MVC into the Error body. */
@RestControllerAdvice
public class ErrorAdvice extends ResponseEntityExceptionHandler {

    @ExceptionHandler(PetNotFoundException.class)
    @ResponseStatus(HttpStatus.NOT_FOUND)
    ErrorBody petNotFound(PetNotFoundException ex) {
        return new ErrorBody("pet_not_found", ex.getMessage(), HttpStatus.NOT_FOUND.value());
    }

    @ExceptionHandler(InvalidPetException.class)
    @ResponseStatus(HttpStatus.BAD_REQUEST)
    ErrorBody invalidPet(InvalidPetException ex) {
        return new ErrorBody("invalid_body", ex.getMessage(), HttpStatus.BAD_REQUEST.value());
    }

    @Override
    protected ResponseEntity<Object> handleExceptionInternal(
            Exception ex, @Nullable Object body, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        ErrorBody error = new ErrorBody("invalid_request", String.valueOf(ex.getMessage()), status.value());
        return new ResponseEntity<>(error, headers, status);
    }
}
