import { haltInconclusive } from '../../src/clause/halt.ts';
import { defineClause } from '../../suites/define.ts';
import { differenceFinding } from '../../suites/judging/creations/difference-finding.ts';
import { differences } from '../../suites/judging/creations/differences.ts';
import { made } from '../../suites/judging/creations/made.ts';
import { readBack } from '../../suites/judging/creations/read-back.ts';
import { send } from '../../suites/judging/creations/send.ts';
import { judgeRows } from '../../suites/judging/judge-rows.ts';

export const storedValue = defineClause({
  id: 'create.round-trip',
  chapter: 'create-pet',
  section: 'Endpoints: 2. Add an animal',
  quote: ['Success: `201`, body is the created Pet, including the assigned `id`.'],
  level: 'implied',
  derivation: 'createPet returns "the created Pet", and getPet returns the Pet with that id. So it shows the values of the NewPet.',
  requirement: 'getPet shows a created animal exactly as its NewPet had it.',
  likelyCause: 'A column folds case, or a mapper drops a field.',
  checks: [
    {
      id: 'one-animal',
      title: 'A read shows an animal as it was sent',
      step: 'write',
      given: ['readBack', 'list.complete'],
      effect: 'write',
      fault: 'stored-name-lower-case',
      run: async (s) =>
        judgeRows(s, {
          rows: [await s.fixtures.plain('available')],
          judge: async (sent) => {
            const { exchange, pet: created } = made(await send(s, sent));
            const { exchange: read, pet } = await readBack(s, created.id);
            if (pet === undefined) haltInconclusive(`animal ${created.id} was created but can't be found`, 'list.complete');
            return differences(sent, pet).map((difference) => differenceFinding([exchange, read], difference, 'read back'));
          },
          evidence: 'an animal read as it was sent',
        }),
    },
  ],
});
