package store.ordinary;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * The pet store on Spring Boot, written after the guides "Building REST services with Spring" and "Securing a Web
 * Application".
 */
@SpringBootApplication
public class PetStoreApplication {

    public static void main(String[] args) {
        SpringApplication.run(PetStoreApplication.class, args);
    }
}
