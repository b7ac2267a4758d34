from itertools import count

STATUSES = ["available", "pending", "sold"]

NAMES = [
    "Bella", "Max", "Luna", "Charlie", "Lucy", "Cooper", "Daisy", "Milo", "Zoe", "Buddy",
    "Lily", "Rocky", "Lola", "Bear", "Sadie", "Duke", "Bailey", "Tucker", "Stella", "Oliver",
    "Maggie", "Jack", "Chloe", "Toby", "Penny", "Leo", "Nala", "Oscar", "Ruby", "Finn",
]

pets = {}
ids = count(1)


def add(**fields):
    pet = {"id": next(ids), **fields}
    pets[pet["id"]] = pet
    return pet


for number, name in enumerate(NAMES):
    add(name=name, categoryId=number % 5 + 1, status=STATUSES[number % 3])
