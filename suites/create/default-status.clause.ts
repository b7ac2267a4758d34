import { observed } from '../../src/clause/halt.ts';
import { petOf } from '../../src/expect/expect.ts';
import { defineClause } from '../define.ts';
import { oneOfEachStatus } from '../judging/creations/creations.ts';
import { readBack } from '../judging/creations/read-back.ts';

export const createDefaultStatus = defineClause({
  id: 'create.default-status',
  chapter: 'create-pet',
  section: 'States and transitions',
  level: 'open',
  requirement:
    'Recorded: the status of an animal that was created without one, in the 201 and when it is read. "The default is not stated": it may be any of the three, or none. A 201 that leaves out a status which is shown later is open too, as status is optional in Pet.',
  likelyCause: 'Nothing has to be done; a default that clients rely on belongs into the document.',
  checks: [
    {
      id: 'shown',
      title: 'The status of an animal created without one is recorded',
      step: 'final',
      effect: 'write',
      run: async (s) => {
        const [without] = await oneOfEachStatus(s);
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
