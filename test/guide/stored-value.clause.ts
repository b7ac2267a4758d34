import { defineRules } from '../../suites/define.ts';

export const storedValue = defineRules({
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
      layer: 'history',
      judge({ exchange, intent, pet }, { known }) {
        const animal = intent.operation === 'getPet' && pet !== undefined ? known.created.get(String(pet.id)) : undefined;
        if (animal === undefined || pet?.name === undefined) return 'not-applicable';
        const { name } = animal.sent;
        if (pet.name === name) return 'holds';
        return {
          summary: `name "${name}" was read back as "${pet.name}"`,
          expected: [`name "${name}"`],
          received: `name "${pet.name}"`,
          pointer: '/name',
          // A reader wants to see both.
          exchanges: [animal.exchange, exchange],
        };
      },
    },
  ],
  sent: [
    {
      id: 'one-animal',
      title: 'A read shows the name of an animal as it was sent',
      step: 'write',
      effect: 'write',
      async send(s) {
        const { id } = await s.fixtures.create('available');
        await s.fixtures.firstRead(id);
      },
    },
  ],
});
