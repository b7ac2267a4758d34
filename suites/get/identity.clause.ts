import type { InvariantJudgement } from '../../src/clause/clause.ts';
import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Finding } from '../../src/clause/outcome.ts';
import { describeAnswer, describeRequest, finding } from '../../src/expect/expect.ts';
import type { Session } from '../../src/session/session.ts';
import type { RunState } from '../../src/session/state/run-state.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { isJsonObject } from '../../src/wire/json.ts';
import { defineClause } from '../define.ts';
import { judgeRows } from '../judging/judge-rows.ts';
import { readExisting } from './reading.ts';

/**
 * A 200 for an animal that is known to exist shows that animal. get.not-found judges unknown ids: the response to one
 * should not have been an animal at all.
 */
function judgeIdentity(exchange: Exchange, knowledge: RunState): InvariantJudgement {
  const { petId } = exchange.request.intent;
  if (petId === undefined || exchange.outcome.kind === 'failed' || exchange.outcome.answer.status !== 200) return 'not-applicable';
  const { json } = exchange.outcome.answer;
  if (!json.ok || !isJsonObject(json.value)) return 'not-applicable';
  const asked = String(petId);
  if (!knowledge.seen.has(asked) && !knowledge.created.has(asked)) return 'not-applicable';
  const { id } = json.value;
  // record.pet judges an id that is not an integer.
  if (typeof id !== 'bigint' && !Number.isInteger(id)) return 'not-applicable';
  if (String(id) === asked) return 'holds';
  return {
    summary: `${describeRequest(exchange)} returned animal ${String(id)}`,
    expected: [`id ${asked}`],
    received: describeAnswer(exchange),
    pointer: '/id',
  };
}

async function identify(s: Session, id: bigint): Promise<Finding | undefined> {
  const reading = await readExisting(s, id);
  if (reading.kind === 'gone') haltInconclusive(`animal ${id} was removed in the meantime`, 'circumstance');
  if (reading.kind === 'wrong') haltInconclusive(reading.finding.summary, 'get.success');
  if (reading.pet.id === id) return undefined;
  return finding([reading.exchange], {
    summary: `${describeRequest(reading.exchange)} returned animal ${reading.pet.id}`,
    expected: [`id ${id}`],
    pointer: '/id',
  });
}

export const getIdentity = defineClause({
  id: 'get.identity',
  chapter: 'get-pet',
  section: 'Endpoints: 3. Get an animal (deprecated)',
  quote: ['Path parameter: `petId`, required, integer, format int64: identifier of the animal.', 'Success: `200`, body is a Pet.'],
  level: 'required',
  requirement: 'getPet returns the requested animal: its id equals petId, digit by digit.',
  likelyCause:
    'The lookup uses a position, or a truncated or rounded number (32 bits, doubles); or a cache or a handler mixes up requests.',
  checks: [
    {
      id: 'listed',
      title: 'getPet returns the first and the last listed animal under their ids',
      step: 'read',
      given: ['pets', 'read'],
      fault: 'get-answers-next',
      run: async (s, { pets }) => {
        const ids = [...new Set([pets[0]?.id, pets.at(-1)?.id])].filter((id) => id !== undefined);
        return judgeRows(s, { rows: ids, judge: (id) => identify(s, id), evidence: `${ids.length} animals, each with the requested id` });
      },
    },
    {
      id: 'concurrently',
      title: 'Concurrent reads each return the requested animal',
      step: 'read',
      given: ['pets', 'read'],
      exhaustive: true,
      fault: 'get-mixed-under-load',
      run: async (s) => {
        const pets = await s.fixtures.sample(6);
        const ids = [...pets, ...[...pets].reverse()].map(({ id }) => id);
        return judgeRows(s, {
          rows: ids,
          judge: (id) => identify(s, id),
          evidence: `${ids.length} concurrent reads, each with the requested id`,
        });
      },
    },
  ],
  invariants: [
    { id: 'every-read', title: 'Every getPet response has the requested id', fault: 'get-sometimes-answers-other', judge: judgeIdentity },
  ],
});
