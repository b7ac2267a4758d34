import type { InvariantJudgement } from '../../src/clause/clause.ts';
import { inconclusive } from '../../src/clause/halt.ts';
import type { Outcome } from '../../src/clause/outcome.ts';
import { finding, petsOf } from '../../src/expect/expect.ts';
import { judgeable } from '../../src/expect/judgeable.ts';
import type { ListParameters } from '../../src/session/client/api.ts';
import type { Session } from '../../src/session/session.ts';
import type { RunState } from '../../src/session/state/run-state.ts';
import { type Exchange, PET_STATUSES } from '../../src/wire/exchange.ts';
import { defineClause } from '../define.ts';
import { asDocumented } from '../judging/documented/as-documented.ts';
import { ignoringHalts } from '../judging/ignoring-halts.ts';
import { combineRows, judgeRow } from '../judging/judge-rows.ts';
import { judgeRecord } from './judge-record.ts';

function judgePets(exchange: Exchange, knowledge: RunState): InvariantJudgement {
  if (exchange.outcome.kind === 'failed' || exchange.request.intent.operation !== 'listPets') return 'not-applicable';
  return exchange.outcome.answer.status === 200 ? judgeRecord(exchange, { message: 'pets', knowledge }) : 'not-applicable';
}

const LISTS: readonly ListParameters[] = [{}, { limit: 1 }, { limit: 100 }, ...PET_STATUSES.map((status) => ({ status }))];

async function lists(s: Session): Promise<Outcome> {
  let shown = 0;
  // Creates an animal if there is none; a broken list is judged below.
  await ignoringHalts(() => s.fixtures.admitted());
  const rows = await s.all(LISTS, (parameters) =>
    judgeRow(async () => {
      const exchange = asDocumented({ exchange: judgeable(await s.api.list(parameters)), status: 200, owner: 'list.success' });
      const judgement = judgePets(exchange, s.knowledge);
      // What earlier runs left is for the invariant to judge, which sees the whole run.
      if (typeof judgement !== 'string' && judgement.leftBy === undefined) return finding([exchange], judgement);
      shown += petsOf(exchange).length;
      return undefined;
    }),
  );
  const outcome = combineRows(rows, `${LISTS.length} lists with ${shown} animals, all of them Pets`);
  return outcome.kind === 'pass' && shown === 0 ? inconclusive('the lists are empty', 'circumstance') : outcome;
}

export const recordPets = defineClause({
  id: 'record.pets',
  chapter: 'records',
  section: 'Pets',
  quote: ['A JSON array of Pet records.'],
  level: 'required',
  requirement: 'listPets returns a JSON array whose items are all Pets.',
  likelyCause:
    'The list is wrapped in an envelope, an empty list is null, or lists use a different serializer than single animals; or a creation accepted an invalid value.',
  checks: [
    {
      id: 'lists',
      title: 'Lists with and without parameters are arrays of Pets',
      step: 'read',
      given: ['list'],
      fault: 'listed-category-missing',
      run: lists,
    },
  ],
  invariants: [{ id: 'every-list', title: 'Every list is an array of Pets', fault: 'list-last-of-long-page-broken', judge: judgePets }],
});
