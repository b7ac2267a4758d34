package store.ordinary;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestControllerAdvice;

@RestControllerAdvice
public class PetNotFoundAdvice {

    @ExceptionHandler(PetNotFoundException.class)
    @ResponseStatus(HttpStatus.NOT_FOUND)
    ErrorBody petNotFoundHandler(PetNotFoundException ex) {
        return new ErrorBody("pet_not_found", ex.getMessage(), HttpStatus.NOT_FOUND.value());
    }
}
