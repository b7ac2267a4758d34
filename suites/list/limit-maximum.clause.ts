import { inconclusive, pass } from '../../src/clause/halt.ts';
import type { Outcome } from '../../src/clause/outcome.ts';
import { petsOf } from '../../src/expect/expect.ts';
import { judgeable } from '../../src/expect/judgeable.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { defineClause } from '../define.ts';
import { largeStore } from '../judging/creations/large-store.ts';
import { combineRows, type JudgedRow, judgeRow } from '../judging/judge-rows.ts';
import { eachLimit } from '../judging/lists/each-limit.ts';
import { overLimit } from '../judging/lists/over-limit.ts';
import { listBesideOthers, plainList } from '../judging/lists/plain-list.ts';
import { findingOf, judgementOf } from '../judging/lists/wrong-list.ts';

type JudgedList = { readonly row: JudgedRow; readonly count: number };

/** Judges a list with a limit; the number of animals tells later whether the limit held anything back. */
async function judgeAnswer(ask: () => Promise<Exchange>): Promise<JudgedList> {
  let count = 0;
  const row = await judgeRow(async () => {
    const exchange = judgeable(await ask());
    count = petsOf(exchange).length;
    return findingOf(exchange, wrongIn(exchange));
  });
  return { row, count };
}

function judgeLimit(s: Session, limit: number): Promise<JudgedList> {
  return judgeAnswer(() => s.api.list({ limit }));
}

function wrongIn(exchange: Exchange) {
  const list = plainList(exchange);
  return list === undefined || list.limit === 'absent' ? undefined : overLimit(list, list.limit);
}

/** A limit proves something only if more animals are known than it allows. */
function outcomeOf(judged: readonly JudgedList[], about: { known: number; limits: readonly number[] }): Outcome {
  const animals = judged.reduce((sum, { count }) => sum + count, 0);
  const exercised = about.limits.filter((limit) => limit < about.known).length;
  const outcome = combineRows(
    judged.map(({ row }) => row),
    '',
  );
  if (outcome.kind !== 'pass') return outcome;
  if (exercised === 0) return inconclusive(`only ${about.known} animals are known, so no limit holds anything back`, 'circumstance');
  return pass(`${judged.length} lists with ${animals} animals, none over its limit, in a store of at least ${about.known}`);
}

const SMALL_LIMITS = [1, 2, 3];
/** Large and small pages alternate: a cache that ignores the query mixes them up. */
const ALTERNATING = [50, 1, 100, 2, 99, 19, 21, 20];

export const limitMaximum = defineClause({
  id: 'list.limit-maximum',
  chapter: 'list-pets',
  section: 'Endpoints: 1. List animals',
  quote: ['| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |'],
  level: 'required',
  requirement: 'A list never shows more animals than its limit.',
  likelyCause:
    'The limit does not reach the query, the extra row fetched to detect a next page is not cut off, or a cache ignores the query string.',
  checks: [
    {
      id: 'small',
      title: 'Lists do not exceed the limits 1, 2, and 3',
      step: 'read',
      given: ['petList'],
      fault: 'limit-1-gives-two',
      run: async (s, { petList: { pets } }) => {
        const judged = await s.all(SMALL_LIMITS, (limit) => judgeLimit(s, limit));
        return outcomeOf(judged, { known: pets.length, limits: SMALL_LIMITS });
      },
    },
    {
      id: 'each-limit',
      title: 'Lists do not exceed any limit from 1 to 100',
      step: 'large-store',
      given: ['animal'],
      exhaustive: true,
      fault: 'limit-99-gives-100',
      run: async (s) => {
        const known = (await largeStore(s)).length;
        const lists = s.portion(await eachLimit(s));
        const judged = await s.all(lists, ({ ask }) => judgeAnswer(ask));
        return outcomeOf(judged, { known, limits: lists.map(({ limit }) => limit) });
      },
    },
    {
      id: 'alternating',
      title: 'Alternating large and small limits are not mixed up',
      step: 'large-store',
      given: ['animal'],
      fault: 'limit-at-least-20',
      run: async (s) => {
        const known = (await largeStore(s)).length;
        const judged: JudgedList[] = [];
        for (const limit of ALTERNATING) judged.push(await judgeLimit(s, limit));
        return outcomeOf(judged, { known, limits: ALTERNATING });
      },
    },
  ],
  invariants: [
    {
      id: 'every-list-with-limit',
      title: 'No list exceeds its limit',
      fault: 'limit-rounded-up-to-10',
      // list.filter-with-limit judges lists that have a status too.
      judge: (exchange) => {
        const list = listBesideOthers(exchange);
        if (list === undefined || list.limit === 'absent' || list.status !== 'absent' || list.answer.status !== 200)
          return 'not-applicable';
        return judgementOf(overLimit(list, list.limit));
      },
    },
  ],
});
