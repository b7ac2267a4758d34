import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Finding } from '../../src/clause/outcome.ts';
import { finding, petOf, statusOf } from '../../src/expect/expect.ts';
import { agreeOn } from '../../src/schema/pet.ts';
import type { Session } from '../../src/session/session.ts';
import { defineClause } from '../define.ts';
import { afterFirstLists, type Creation, oneOfEachStatus, proveCreation, proveStillCreates, send } from '../judging/creations/creations.ts';
import { judgePlainCreation } from '../judging/creations/plain-creation-invariant.ts';
import { readBack } from '../judging/creations/read-back.ts';
import { conclude, judgeRows, type Settled, settle } from '../judging/judge-rows.ts';
import { judgeable } from '../judging/ownership.ts';

const ROUNDS = 3;

/** A finding when a NewPet without status is not created, though one with a status is. */
function refusedWithout(without: Creation, others: readonly Creation[]): Finding | undefined {
  if (statusOf(judgeable(without.exchange)) === 201) return undefined;
  if (!others.some(({ exchange }) => statusOf(exchange) === 201)) haltInconclusive('no plain animal could be created', 'create.success');
  return finding([without.exchange], {
    summary: `a NewPet without status is answered ${statusOf(without.exchange)}, while those with a status are created`,
    expected: ['201 with the created Pet'],
  });
}

/**
 * The status that the service chose: what the 201 says is what is read. A 201 that does not show a status which is read later says
 * nothing wrong (the status of a Pet is optional): create.default-status records it.
 */
async function judgeChosen(s: Session, { exchange }: Creation): Promise<Finding | undefined> {
  const answered = petOf(exchange);
  const { exchange: read, pet } = await readBack(s, answered.id);
  if (pet === undefined) haltInconclusive(`animal ${answered.id} was created and is not found`, 'list.complete');
  if (answered.status === undefined || agreeOn('status', answered, pet)) return undefined;
  return finding([exchange, read], {
    summary: `an animal created without status is ${answered.status} in the 201 and ${pet.status ?? 'without status'} when it is read`,
    expected: [`status ${answered.status}`],
    received: pet.status === undefined ? 'no status' : `status ${pet.status}`,
    pointer: '/status',
  });
}

export const createStatusOptional = defineClause({
  id: 'create.status-optional',
  chapter: 'create-pet',
  section: 'NewPet (request body for creating an animal)',
  level: 'required',
  requirement:
    'status may be left out; the status that the 201 then shows, if any, is the one that is read. Which one it is the document does not state.',
  likelyCause:
    'The member is mandatory in the validator or taken over from the request before, or the default is made when an animal is shown instead of when it is stored.',
  checks: [
    {
      id: 'left-out',
      title: 'A NewPet without status is created, and the status that it gets is the one that is read',
      step: 'write',
      effect: 'write',
      fault: 'create-needs-status',
      run: async (s) => {
        const [without, ...others] = await oneOfEachStatus(s);
        return judgeRows(s, {
          rows: without === undefined ? [] : [without],
          judge: async (creation) => refusedWithout(creation, others) ?? judgeChosen(s, creation),
          evidence: 'created without status, and read with the status that the 201 shows',
        });
      },
    },
    {
      id: 'after-others',
      title: 'A NewPet without status is created right after one with a status',
      step: 'write',
      effect: 'write',
      fault: 'status-sticks-to-next',
      run: async (s) => {
        await proveCreation(s);
        await afterFirstLists(s);
        const settled: Settled[] = [];
        for (let round = 0; round < ROUNDS; round += 1) {
          const before = await send(s, await s.fixtures.plain('sold'));
          const without = await send(s, await s.fixtures.plain());
          settled.push(
            await settle(async () => {
              const wrong = refusedWithout(without, [before]);
              if (wrong !== undefined) await proveStillCreates(s, without.exchange);
              return wrong;
            }),
          );
        }
        return conclude(settled, `${ROUNDS} times created without status right after a creation with one`);
      },
    },
  ],
  invariants: [
    {
      id: 'not-needed',
      title: 'No plain NewPet is refused because it has no status',
      fault: 'create-needs-status',
      judge: judgePlainCreation('create.status-optional', (status) => `a NewPet without status is answered ${status}, not 201`),
    },
  ],
});
