from itertools import count

STATUSES = ("available", "pending", "sold")

NAMES = [
    "Bella", "Max", "Luna", "Charlie", "Lucy", "Cooper", "Daisy", "Milo", "Zoe", "Buddy",
    "Lily", "Rocky", "Lola", "Bear", "Sadie", "Duke", "Bailey", "Tucker", "Stella", "Oliver",
    "Maggie", "Jack", "Chloe", "Toby", "Penny", "Leo", "Nala", "Oscar", "Ruby", "Finn",
]

pets = {}
ids = count(1)


def add(name, category_id, status=None):
    pet = {"id": next(ids), "name": name, "categoryId": category_id, "status": status}
    pets[pet["id"]] = pet
    return pet


def find(pet_id):
    return pets.get(pet_id)


def select(limit, status=None):
    matching = [pet for pet in pets.values() if status is None or pet["status"] == status]
    return matching[:limit]


for number, name in enumerate(NAMES):
    add(name, number % 5 + 1, STATUSES[number % 3])
