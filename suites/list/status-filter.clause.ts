import { failOr, haltInconclusive, inconclusive, pass } from '../../src/clause/halt.ts';
import type { Finding } from '../../src/clause/outcome.ts';
import { finding, petsOf, statusOf } from '../../src/expect/expect.ts';
import { judgeable } from '../../src/expect/judgeable.ts';
import type { PetView } from '../../src/schema/pet.ts';
import type { Session } from '../../src/session/session.ts';
import { type Exchange, PET_STATUSES, type PetStatus } from '../../src/wire/exchange.ts';
import { defineClause } from '../define.ts';
import { combineRows, type JudgedRow, judgeRow } from '../judging/judge-rows.ts';
import { askList } from '../judging/lists/ask-list.ts';
import { idsIn } from '../judging/lists/ids-in.ts';
import { listBesideOthers, plainList } from '../judging/lists/plain-list.ts';
import { strangerIn } from '../judging/lists/stranger-in.ts';
import { findingOf, judgementOf } from '../judging/lists/wrong-list.ts';

const isEmpty = (exchange: Exchange): boolean => statusOf(exchange) === 200 && idsIn(exchange).size === 0;

/** The list, requested once a matching animal is known to exist. */
async function askKnown(s: Session, status: PetStatus): Promise<Exchange> {
  await s.fixtures.withStatus(status);
  return askList(s, { status });
}

/** Judges a filtered list for animals with other statuses; it must show the animal that is known to match. */
async function judgeFilter(s: Session, status: PetStatus): Promise<JudgedRow & { readonly count: number }> {
  let count = 0;
  const judged = await judgeRow(async () => {
    const first = judgeable(await s.fixtures.firstFiltered(status));
    const exchange = isEmpty(first) ? await askKnown(s, status) : first;
    const list = plainList(exchange);
    const wrong = findingOf(exchange, list === undefined ? undefined : strangerIn(list, status));
    if (wrong !== undefined) return wrong;
    count = petsOf(exchange).length;
    if (count === 0) haltInconclusive(`status=${status} shows no animal, although one is known`, 'list.filter-complete');
    return undefined;
  });
  return { ...judged, count };
}

type Shown = { readonly status: PetStatus; readonly exchange: Exchange };

/** Often enough that an animal that other clients keep buying and returning is not in every list by chance. */
const ROUNDS = [1, 2, 3];

const isSame = (one: PetView, other: PetView): boolean => one.id === other.id && one.name === other.name;

/** A finding for an animal that two filters show every time: no animal has two statuses. Two animals with one id are not one animal. */
function underTwoStatuses(shown: readonly Shown[]): Finding | undefined {
  const rounds = (status: PetStatus): readonly Exchange[] => shown.filter((list) => list.status === status).map(({ exchange }) => exchange);
  for (const [one, other] of [
    ['available', 'pending'],
    ['available', 'sold'],
    ['pending', 'sold'],
  ] as const) {
    const lists = [...rounds(one), ...rounds(other)];
    const [first, ...rest] = lists;
    if (first === undefined) continue;
    const everywhere = petsOf(first).find((pet) => rest.every((exchange) => petsOf(exchange).some((again) => isSame(pet, again))));
    if (everywhere === undefined) continue;
    return finding([first, ...rest], {
      summary: `animal ${everywhere.id} is listed under both status=${one} and status=${other}`,
      expected: ['each animal under a single status'],
      received: `animal ${everywhere.id} in ${lists.length} lists with two different statuses`,
    });
  }
  return undefined;
}

export const statusFilter = defineClause({
  id: 'list.status-filter',
  chapter: 'list-pets',
  section: 'Endpoints: 1. List animals',
  quote: ['| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |'],
  level: 'required',
  requirement: 'A list with a status shows only animals that have that status; an animal without a status has none.',
  likelyCause: 'The filter does not reach the query, it keeps animals whose status is null, or a cache ignores the query string.',
  checks: [
    {
      id: 'each-status',
      title: 'Each status keeps only animals with that status',
      step: 'read',
      given: ['petList', 'read', 'list.filter-complete'],
      smoke: true,
      fault: 'filter-pending-gives-sold',
      run: async (s) => {
        const rows = await s.all(PET_STATUSES, (status) => judgeFilter(s, status));
        return combineRows(
          rows,
          `three filtered lists with ${rows.map(({ count }) => count).join(', ')} animals, all with the requested status`,
        );
      },
    },
    {
      id: 'alternating',
      title: 'Alternating lists with different statuses are not mixed up',
      step: 'read',
      given: ['petList'],
      exhaustive: true,
      fault: 'list-cache-ignores-query',
      run: async (s) => {
        const shown: Shown[] = [];
        const judged: JudgedRow[] = [];
        for (const status of ROUNDS.flatMap(() => PET_STATUSES)) {
          judged.push(
            await judgeRow(async () => {
              const exchange = await askList(s, { status });
              const list = plainList(exchange);
              const wrong = list === undefined ? undefined : strangerIn(list, status);
              if (wrong === undefined) petsOf(exchange);
              shown.push({ status, exchange });
              return findingOf(exchange, wrong);
            }),
          );
        }
        const outcome = combineRows(judged, '');
        if (outcome.kind !== 'pass') return outcome;
        const filled = shown.filter(({ exchange }) => idsIn(exchange).size > 0);
        if (new Set(filled.map(({ status }) => status)).size < 2)
          return inconclusive('the store lacks animals of at least two statuses, which would distinguish the lists', 'circumstance');
        return failOr([underTwoStatuses(shown)], pass(`${shown.length} alternating filtered lists, ${filled.length} of them with animals`));
      },
    },
  ],
  invariants: [
    {
      id: 'every-filtered-list',
      title: 'Every animal in a filtered list has the requested status',
      fault: 'filter-sometimes-ignored',
      // list.filter-with-limit judges lists that have a limit too. An empty list proves nothing.
      judge: (exchange) => {
        const list = listBesideOthers(exchange);
        if (list === undefined || list.status === 'absent' || list.limit !== 'absent' || idsIn(exchange).size === 0)
          return 'not-applicable';
        return judgementOf(strangerIn(list, list.status));
      },
    },
  ],
});
