package store.ordinary;

import io.micronaut.runtime.Micronaut;

/** The pet store on Micronaut, written after its guides on validation and on API keys. */
public class Application {

    public static void main(String[] args) {
        Micronaut.run(Application.class, args);
    }
}
