import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Finding } from '../../src/clause/outcome.ts';
import { finding, petOf, statusOf } from '../../src/expect/expect.ts';
import { judgeable } from '../../src/expect/judgeable.ts';
import { agreeOn } from '../../src/schema/pet.ts';
import type { Creation, Session } from '../../src/session/session.ts';
import { defineClause } from '../define.ts';
import { judgePlainCreation } from '../judging/creations/plain-creation-invariant.ts';
import { readBack } from '../judging/creations/read-back.ts';
import { requireStillCreates } from '../judging/creations/require-still-creates.ts';
import { send } from '../judging/creations/send.ts';
import { combineRows, type JudgedRow, judgeRow, judgeRows } from '../judging/judge-rows.ts';

const ROUNDS = 3;

/** A finding when a NewPet without a status is rejected, although one with a status is accepted. */
function refusedWithout(without: Creation, others: readonly Creation[]): Finding | undefined {
  if (statusOf(judgeable(without.exchange)) === 201) return undefined;
  if (!others.some(({ exchange }) => statusOf(exchange) === 201)) haltInconclusive('no plain animal could be created', 'create.success');
  return finding([without.exchange], {
    summary: `POST /pets without a status returned ${statusOf(without.exchange)}; with a status it returns 201`,
    expected: ['201 with the created Pet'],
  });
}

/**
 * The status that the service chose: a read shows the same one as the 201. A 201 that omits a status that is read later is
 * not wrong (the status of a Pet is optional): create.default-status records it.
 */
async function judgeChosen(s: Session, { exchange }: Creation): Promise<Finding | undefined> {
  const answered = petOf(exchange);
  const { exchange: read, pet } = await readBack(s, answered.id);
  if (pet === undefined) haltInconclusive(`animal ${answered.id} was created but can't be found`, 'list.complete');
  if (answered.status === undefined || agreeOn('status', answered, pet)) return undefined;
  if (pet.status === undefined && read.request.intent.operation === 'listPets')
    haltInconclusive(`the list shows animal ${answered.id} without a status, and getPet does not show it`, 'get.agrees-with-list');
  return finding([exchange, read], {
    summary: `an animal created without a status is ${answered.status} in the 201, but ${pet.status ?? 'without a status'} when it is read`,
    expected: [`status ${answered.status}`],
    received: pet.status === undefined ? 'no status' : `status ${pet.status}`,
    pointer: '/status',
  });
}

export const createStatusOptional = defineClause({
  id: 'create.status-optional',
  chapter: 'create-pet',
  section: 'NewPet (request body for creating an animal)',
  quote: [
    '| status | string | enum PetStatus | no | Availability status |',
    'If status is omitted on creation, the default is not stated.',
  ],
  level: 'required',
  requirement: 'status is optional. If the 201 shows a default status, getPet shows the same one; the document does not say which.',
  likelyCause:
    'The validator requires the field, the value comes from the previous request, or the default is applied when an animal is shown instead of when it is stored.',
  checks: [
    {
      id: 'without-status',
      title: 'Accepts a NewPet without a status, and reads show the status that the 201 shows',
      step: 'first-page',
      given: ['readBack', 'list.complete', 'get.agrees-with-list'],
      effect: 'write',
      fault: 'create-needs-status',
      run: async (s) => {
        const [without, ...others] = await s.fixtures.firstCreations();
        return judgeRows(s, {
          rows: without === undefined ? [] : [without],
          judge: async (creation) => refusedWithout(creation, others) ?? judgeChosen(s, creation),
          evidence: 'created without a status, and read with the status in the 201',
        });
      },
    },
    {
      id: 'after-others',
      title: 'Accepts a NewPet without a status right after one with a status',
      step: 'write',
      given: ['creation'],
      effect: 'write',
      fault: 'status-sticks-to-next',
      run: async (s) => {
        const judged: JudgedRow[] = [];
        for (let round = 0; round < ROUNDS; round += 1) {
          const before = await send(s, await s.fixtures.plain('sold'));
          const without = await send(s, await s.fixtures.plain());
          judged.push(
            await judgeRow(async () => {
              const wrong = refusedWithout(without, [before]);
              if (wrong !== undefined) await requireStillCreates(s, without.exchange);
              return wrong;
            }),
          );
        }
        return combineRows(judged, `${ROUNDS} animals created without a status, each right after a creation with one`);
      },
    },
  ],
  invariants: [
    {
      id: 'every-body-without-status',
      title: 'No plain NewPet is rejected for lack of a status',
      fault: 'create-needs-status',
      judge: judgePlainCreation('create.status-optional', (status) => `POST /pets without a status returned ${status}; expected 201`),
    },
  ],
});
