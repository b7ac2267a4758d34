import type { InvariantJudgement } from '../../src/clause/clause.ts';
import type { Outcome } from '../../src/clause/outcome.ts';
import { answerOf, findingOf } from '../../src/expect/expect.ts';
import { judgeable } from '../../src/expect/judgeable.ts';
import type { Have } from '../../src/session/fixtures/haves.ts';
import type { Session } from '../../src/session/session.ts';
import type { RunState } from '../../src/session/state/run-state.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { defineClause } from '../define.ts';
import { asDocumented } from '../judging/documented/as-documented.ts';
import { judgeRows } from '../judging/judge-rows.ts';
import { unlessRemoved } from '../judging/reads/unless-removed.ts';
import { judgeRecord } from './judge-record.ts';

const FEW = 3;

/** Judges a 200 response to getPet and a 201 response to createPet. */
function judgePet(exchange: Exchange, knowledge: RunState): InvariantJudgement {
  if (exchange.outcome.kind === 'failed') return 'not-applicable';
  const { operation } = exchange.request.intent;
  const { status } = exchange.outcome.answer;
  const success = (operation === 'getPet' && status === 200) || (operation === 'createPet' && status === 201);
  return success ? judgeRecord(exchange, { message: 'pet', knowledge }) : 'not-applicable';
}

async function judgeAll(s: Session, exchanges: readonly Exchange[], evidence: string): Promise<Outcome> {
  return judgeRows(s, {
    rows: exchanges,
    judge: async (exchange) => {
      const judgement = judgePet(exchange, s.knowledge);
      // What earlier runs left is for the invariant to judge, which sees the whole run.
      if (typeof judgement !== 'string' && judgement.leftBy !== undefined) return undefined;
      return findingOf(exchange, judgement);
    },
    evidence: `${exchanges.length} ${evidence}`,
  });
}

async function read(s: Session, { pets }: Have<['pets']>): Promise<Outcome> {
  const exchanges = await s.all(pets.slice(0, FEW), async ({ id }) => {
    const exchange = unlessRemoved(
      s,
      await s.poll(
        () => s.api.get(id),
        (answer) => answerOf(answer).status !== 404,
      ),
    );
    return asDocumented({ exchange, status: 200, owner: 'get.success' });
  });
  return judgeAll(s, exchanges, 'reads, each of which returned a Pet');
}

async function created(s: Session): Promise<Outcome> {
  const exchanges = (await s.fixtures.firstCreations()).map(({ exchange }) =>
    asDocumented({ exchange: judgeable(exchange), status: 201, owner: 'create.success' }),
  );
  return judgeAll(s, exchanges, 'creations, each of which returned a Pet');
}

export const recordPet = defineClause({
  id: 'record.pet',
  chapter: 'records',
  section: 'Pet (response record)',
  quote: [
    'Pet has every field of NewPet, with the same required rules, plus:',
    '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    'A string with exactly these allowed values: `available`, `pending`, `sold`.',
  ],
  level: 'required',
  requirement: 'getPet and createPet return a Pet: id and categoryId are int64, name is a string, and status, if present, is a PetStatus.',
  likelyCause:
    'The serializer for a single animal writes numbers as strings, null for unset fields, or other property names, or wraps the record in an envelope; or a creation accepted an invalid value.',
  checks: [
    {
      id: 'get',
      title: 'getPet returns Pets',
      step: 'read',
      given: ['pets', 'read'],
      fault: 'read-status-null',
      run: read,
    },
    {
      id: 'create',
      title: 'createPet returns Pets',
      step: 'first-page',
      given: ['creation'],
      effect: 'write',
      fault: 'created-category-snake-case',
      run: created,
    },
  ],
  invariants: [
    {
      id: 'every-response',
      title: 'Every successful getPet and createPet response is a Pet',
      fault: 'read-category-missing',
      judge: judgePet,
    },
  ],
});
