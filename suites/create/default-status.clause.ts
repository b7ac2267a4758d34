import { observed } from '../../src/clause/halt.ts';
import { petOf } from '../../src/expect/expect.ts';
import { defineClause } from '../define.ts';
import { readBack } from '../judging/creations/read-back.ts';

export const createDefaultStatus = defineClause({
  id: 'create.default-status',
  chapter: 'create-pet',
  section: 'States and transitions',
  quote: ['If status is omitted on creation, the default is not stated.'],
  level: 'open',
  requirement:
    'Records the status of an animal that was created without one, in the 201 and when it is read. "The default is not stated", so it may be any of the three, or none. A 201 may also omit a status that is shown later, because status is optional in Pet.',
  likelyCause: 'No action needed; document the default if clients may rely on it.',
  checks: [
    {
      id: 'shown-status',
      title: 'Records the status of an animal created without one',
      step: 'final',
      given: ['readBack'],
      effect: 'write',
      run: async (s) => {
        const [without] = await s.fixtures.firstCreations();
        if (without === undefined) return observed();
        const answered = petOf(without.exchange);
        const { pet } = await readBack(s, answered.id);
        return observed(
          { question: 'default status in the 201', answer: answered.status ?? 'none' },
          { question: 'default status when read', answer: pet === undefined ? 'not found' : (pet.status ?? 'none') },
        );
      },
    },
  ],
});
