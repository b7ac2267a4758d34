package store.repaired;

import io.micronaut.runtime.Micronaut;

/**
 * The repaired twin of store.ordinary: it keeps the records, the repository and the key, reads the body itself, and
 * returns the Error body for every error. Its beans live in the environment "repaired" alone.
 */
public class Application {

    public static void main(String[] args) {
        Micronaut.build(args).mainClass(Application.class).environments("repaired").start();
    }
}
