import type { Clause } from '../../src/oracle/rule.ts';

export const storedValue: Clause = {
  id: 'create.round-trip',
  chapter: 'create-pet',
  section: 'Endpoints: 2. Add an animal',
  quote: ['Success: `201`, body is the created Pet, including the assigned `id`.'],
  level: 'implied',
  derivation: 'createPet returns "the created Pet", and getPet returns the Pet with that id. So it shows the name of the NewPet.',
  requirement: 'getPet shows a created animal with the name that its NewPet had.',
  likelyCause: 'A column folds case, or a mapper drops the field.',
  rules: [
    {
      layer: 'values',
      judge(exchange, _standing, { animals }) {
        const { pet } = exchange.read;
        const animal = exchange.facts.operation === 'getPet' && pet !== undefined ? animals.get(pet.id) : undefined;
        if (animal?.creation === undefined || animal.sent === undefined || pet?.name === undefined) return undefined;
        const { name } = animal.sent;
        if (pet.name === name) return 'holds';
        return {
          summary: `name "${name}" was read back as "${pet.name}"`,
          expected: [`name "${name}"`],
          received: `name "${pet.name}"`,
          pointer: '/name',
          // A reader wants to see both.
          shown: [animal.creation, exchange],
        };
      },
    },
  ],
  must: [{ title: 'reads of created animals', meets: () => true }],
};
