import { haltInconclusive, inconclusive, pass } from '../../src/clause/halt.ts';
import type { Finding } from '../../src/clause/outcome.ts';
import { finding, petsOf } from '../../src/expect/expect.ts';
import type { Session } from '../../src/session/session.ts';
import { type Exchange, PET_STATUSES, type PetStatus } from '../../src/wire/exchange.ts';
import { defineClause } from '../define.ts';
import { largeStore } from '../judging/creations/large-store.ts';
import { combineRows, judgeRow } from '../judging/judge-rows.ts';
import { askList } from '../judging/lists/ask-list.ts';
import { overLimit } from '../judging/lists/over-limit.ts';
import { plainList, situationOf } from '../judging/lists/plain-list.ts';
import { isInitialPage } from '../judging/lists/same-default.ts';
import { findingOf, judgementOf } from '../judging/lists/wrong-list.ts';

const DEFAULT = 20;
const ROUNDS = 4;

type Compared = { readonly size: number; readonly finding: Finding | undefined };

type Pair = { readonly without: Exchange; readonly twenty: Exchange };

const bothSizes = ({ without, twenty }: Pair): string => `${petsOf(without).length} and ${petsOf(twenty).length}`;

const differs = ({ without, twenty }: Pair): boolean => petsOf(without).length !== petsOf(twenty).length;

/** One page of each. Halts when another clause owns a defect of one of them. */
async function askPair(s: Session, filter: { readonly status?: PetStatus }): Promise<Pair> {
  const pair = { without: await askList(s, filter), twenty: await askList(s, { limit: DEFAULT, ...filter }) };
  const shown = petsOf(pair.twenty).length;
  if (shown > DEFAULT) haltInconclusive(`limit=${DEFAULT} itself returned ${shown} animals`, 'list.limit-maximum');
  const { status } = filter;
  if (differs(pair) && status !== undefined && petsOf(pair.without).some((pet) => pet.status !== undefined && pet.status !== status))
    haltInconclusive(`status=${status} without a limit shows other statuses`, 'list.status-filter');
  if (differs(pair) && (await isInitialPage(s, pair.without)))
    haltInconclusive('the list without parameters still shows the initial animals of the run', 'list.complete');
  return pair;
}

/**
 * Compares the page without limit with the page of limit=20. Other clients may add animals between the two, and replicas may lag, so a
 * difference counts only if four pairs in a row differ, and all others until the consistency window ends.
 */
async function compare(s: Session, status: PetStatus | undefined): Promise<Compared> {
  const filter = status === undefined ? {} : { status };
  const first = await askPair(s, filter);
  let last = first;
  const pairs = [first];
  const next = async (): Promise<Exchange> => {
    last = await askPair(s, filter);
    pairs.push(last);
    return last.twenty;
  };
  while (differs(last) && pairs.length < ROUNDS) await next();
  if (differs(last)) await s.poll(next, () => !differs(last));
  if (!differs(last)) return { size: petsOf(last.without).length, finding: undefined };
  const shown = [...pairs.slice(0, ROUNDS - 1), last];
  const situation = situationOf({ limit: 'absent', status: status ?? 'absent' });
  return {
    size: 0,
    finding: finding([first.without, first.twenty, ...shown.slice(1).flatMap(({ without, twenty }) => [without, twenty])], {
      summary: `${situation} kept returning a different number of animals than with limit=20 throughout the consistency window`,
      expected: ['the same number of animals as with limit=20'],
      received: `${shown.map(bothSizes).join(', ')} animals, without and with limit=20`,
    }),
  };
}

/** Compares for each status; with fewer than twenty known animals, a smaller default would not show. */
async function compareAll(s: Session, statuses: readonly (PetStatus | undefined)[]) {
  const known = await largeStore(s);
  const sizes: number[] = [];
  const judged = await s.all(statuses, (status) =>
    judgeRow(async () => {
      const count = known.filter((pet) => status === undefined || pet.status === status).length;
      if (count < DEFAULT) {
        const which = status === undefined ? 'animals' : `${status} animals`;
        haltInconclusive(`only ${count} ${which} are known, too few to distinguish a default of 20 from a smaller one`, 'circumstance');
      }
      const compared = await compare(s, status);
      sizes.push(compared.size);
      return compared.finding;
    }),
  );
  return combineRows(
    judged,
    `${statuses.length} pages without limit, each as long as with limit=20 (${sizes.join(', ')} animals of ${known.length})`,
  );
}

export const limitDefault = defineClause({
  id: 'list.limit-default',
  chapter: 'list-pets',
  section: 'Limits',
  quote: ['| limit parameter default | listPets | 20 |'],
  level: 'required',
  requirement: 'Without a limit, a list is as long as with limit=20: at most 20 animals.',
  likelyCause: 'The default is documented but not implemented, or applies only when no other parameter is sent.',
  checks: [
    {
      id: 'at-most-20',
      title: 'A list without a limit shows at most 20 animals',
      step: 'large-store',
      given: ['petList'],
      fault: 'default-limit-21',
      run: async (s) => {
        const known = (await largeStore(s)).length;
        const exchange = await askList(s);
        const list = plainList(exchange);
        const judged = await judgeRow(async () => (list === undefined ? undefined : findingOf(exchange, overLimit(list, DEFAULT))));
        if (judged.findings.length > 0) return combineRows([judged], '');
        const pets = petsOf(exchange);
        if (known <= DEFAULT) return inconclusive(`only ${known} animals are known, so no default holds anything back`, 'circumstance');
        return pass(`${pets.length} of ${known} animals without limit`);
      },
    },
    {
      id: 'as-limit-20',
      title: 'A list without a limit is as long as with limit=20',
      step: 'large-store',
      given: ['animal', 'list.limit-maximum'],
      fault: 'default-limit-10',
      run: (s) => compareAll(s, [undefined]),
    },
    {
      id: 'as-limit-20-filtered',
      title: 'A filtered list without a limit is as long as with limit=20, for each status',
      step: 'large-store',
      given: ['animal', 'list.limit-maximum', 'list.status-filter'],
      fault: 'default-limit-100-with-filter',
      run: (s) => compareAll(s, PET_STATUSES),
    },
  ],
  invariants: [
    {
      id: 'every-list-without-limit',
      title: 'No list without a limit shows more than 20 animals, filtered or not',
      fault: 'default-limit-missing-with-filter',
      judge: (exchange) => {
        const list = plainList(exchange);
        if (list === undefined || list.limit !== 'absent' || list.answer.status !== 200) return 'not-applicable';
        return judgementOf(overLimit(list, DEFAULT));
      },
    },
  ],
});
