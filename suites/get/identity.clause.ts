import type { InvariantJudgement } from '../../src/clause/clause.ts';
import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Finding } from '../../src/clause/outcome.ts';
import { describeAnswer, describeRequest, finding } from '../../src/expect/expect.ts';
import type { Session } from '../../src/session/session.ts';
import type { Knowledge } from '../../src/session/state/run-state.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { isJsonObject } from '../../src/wire/json.ts';
import { defineClause } from '../define.ts';
import { judgeRows } from '../judging/judge-rows.ts';
import { readExisting } from './reading.ts';

/**
 * A 200 for an animal that is known to exist shows that animal. An id that is not known is left to get.not-found: the answer to it
 * should not have been an animal at all.
 */
function judgeIdentity(exchange: Exchange, knowledge: Knowledge): InvariantJudgement {
  const { petId } = exchange.request.intent;
  if (petId === undefined || exchange.outcome.kind === 'failed' || exchange.outcome.answer.status !== 200) return 'not-applicable';
  const { json } = exchange.outcome.answer;
  if (!json.ok || !isJsonObject(json.value)) return 'not-applicable';
  const asked = String(petId);
  if (!knowledge.seen.has(asked) && !knowledge.created.has(asked)) return 'not-applicable';
  const { id } = json.value;
  // An id that is no integer is the business of record.pet.
  if (typeof id !== 'bigint' && !Number.isInteger(id)) return 'not-applicable';
  if (String(id) === asked) return 'holds';
  return {
    summary: `${describeRequest(exchange)} answers animal ${String(id)}`,
    expected: [`id ${asked}`],
    received: describeAnswer(exchange),
    pointer: '/id',
  };
}

async function identify(s: Session, id: bigint): Promise<Finding | undefined> {
  const reading = await readExisting(s, id);
  if (reading.kind === 'gone') haltInconclusive(`animal ${id} was taken away meanwhile`, 'circumstance');
  if (reading.kind === 'wrong') haltInconclusive(reading.finding.summary, 'get.success');
  if (reading.pet.id === id) return undefined;
  return finding([reading.exchange], {
    summary: `${describeRequest(reading.exchange)} answers animal ${reading.pet.id}`,
    expected: [`id ${id}`],
    pointer: '/id',
  });
}

export const getIdentity = defineClause({
  id: 'get.identity',
  chapter: 'get-pet',
  section: 'Endpoints: 3. Get an animal (deprecated)',
  level: 'required',
  requirement: 'The animal that getPet answers is the one asked for: its id is petId, digit by digit.',
  likelyCause: 'A lookup by position, by a cut or rounded number (32 bits, doubles), or a cache or a handler that mixes requests up.',
  checks: [
    {
      id: 'listed',
      title: 'The first and the last animal of the list come back with the id asked for',
      step: 'read',
      fault: 'get-answers-next',
      run: async (s) => {
        const pets = await s.fixtures.recognized();
        const ids = [...new Set([pets[0]?.id, pets.at(-1)?.id])].filter((id) => id !== undefined);
        return judgeRows(s, { rows: ids, judge: (id) => identify(s, id), evidence: `${ids.length} animals, each with the id asked for` });
      },
    },
    {
      id: 'at-once',
      title: 'Animals that are read at the same time come back each with its own id',
      step: 'read',
      exhaustive: true,
      fault: 'get-mixed-under-load',
      run: async (s) => {
        const pets = await s.fixtures.sample(6);
        const ids = [...pets, ...[...pets].reverse()].map(({ id }) => id);
        return judgeRows(s, {
          rows: ids,
          judge: (id) => identify(s, id),
          evidence: `${ids.length} reads at the same time, each with the id asked for`,
        });
      },
    },
  ],
  invariants: [
    { id: 'always', title: 'Every animal that is read has the id asked for', fault: 'get-sometimes-answers-other', judge: judgeIdentity },
  ],
});
