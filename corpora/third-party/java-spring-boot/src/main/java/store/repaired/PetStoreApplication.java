package store.repaired;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import store.ordinary.PetRepository;

/**
 * The repaired twin of store.ordinary: it keeps the records and the repository, reads the body itself without Jackson's
 * coercions, and returns the Error body for every error.
 */
@SpringBootApplication
@Import(PetRepository.class)
public class PetStoreApplication {

    public static void main(String[] args) {
        SpringApplication.run(PetStoreApplication.class, args);
    }

    @Bean
    JsonMapperBuilderCustomizer leaveOutNull() {
        return builder -> builder.changeDefaultPropertyInclusion(
                inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_NULL));
    }
}
