package store.ordinary;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

import org.springframework.stereotype.Repository;

@Repository
public class PetRepository {

    private static final List<String> NAMES =
            List.of("Bella", "Milo", "Luna", "Rocky", "Coco", "Oscar", "Nala", "Ziggy", "Pepper", "Biscuit");

    private final Map<Long, Pet> pets = new ConcurrentSkipListMap<>();
    private final AtomicLong lastId = new AtomicLong();

    public PetRepository() {
        for (int i = 0; i < 30; i++) {
            save(new NewPet(NAMES.get(i % NAMES.size()), i % 4 + 1L, PetStatus.values()[i % 3]));
        }
    }

    public Pet save(NewPet newPet) {
        Pet pet = new Pet(lastId.incrementAndGet(), newPet.name(), newPet.categoryId(), newPet.status());
        pets.put(pet.id(), pet);
        return pet;
    }

    public Optional<Pet> findById(long id) {
        return Optional.ofNullable(pets.get(id));
    }

    public List<Pet> findAll(PetStatus status, int limit) {
        return pets.values().stream().filter(pet -> status == null || pet.status() == status).limit(limit).toList();
    }
}
