from itertools import count, cycle, islice

from models import NewPet, Pet, PetStatus

NAMES = [
    "Bella", "Max", "Luna", "Charlie", "Lucy", "Cooper", "Daisy", "Milo", "Zoe", "Buddy",
    "Lily", "Rocky", "Lola", "Bear", "Sadie", "Duke", "Bailey", "Tucker", "Stella", "Oliver",
    "Maggie", "Jack", "Chloe", "Toby", "Penny", "Leo", "Nala", "Oscar", "Ruby", "Finn",
]

pets: dict[int, Pet] = {}
ids = count(1)


def add(new_pet: NewPet) -> Pet:
    pet = Pet(id=next(ids), **new_pet.model_dump())
    pets[pet.id] = pet
    return pet


def find(pet_id: int) -> Pet | None:
    return pets.get(pet_id)


def select(limit: int, status: PetStatus | None) -> list[Pet]:
    return list(islice((pet for pet in pets.values() if status is None or pet.status == status), limit))


for number, (name, status) in enumerate(zip(NAMES, cycle(PetStatus))):
    add(NewPet(name=name, categoryId=number % 5 + 1, status=status))
