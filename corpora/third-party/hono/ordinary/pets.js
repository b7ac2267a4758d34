const names = [
  'Bella', 'Max', 'Luna', 'Charlie', 'Lucy', 'Cooper', 'Daisy', 'Milo', 'Zoe', 'Buddy',
  'Lily', 'Rocky', 'Lola', 'Bear', 'Sadie', 'Duke', 'Bailey', 'Tucker', 'Stella', 'Oliver',
  'Maggie', 'Jack', 'Chloe', 'Toby', 'Penny', 'Leo', 'Nala', 'Oscar', 'Ruby', 'Finn',
];

export const statuses = ['available', 'pending', 'sold'];

const pets = new Map();
let nextId = 1;

export function add(newPet) {
  const pet = { id: nextId++, ...newPet };
  pets.set(pet.id, pet);
  return pet;
}

export function find(id) {
  return pets.get(id);
}

export function list({ limit, status }) {
  const matching = [...pets.values()].filter((pet) => !status || pet.status === status);
  return matching.slice(0, limit);
}

names.forEach((name, index) => {
  add({ name, categoryId: (index % 5) + 1, status: statuses[index % 3] });
});
