import fc from 'fast-check';
import { LIMIT_BOUNDARIES } from '../../src/arbitraries/valid-requests.ts';
import type { Event } from '../../src/oracle/world.ts';
import type { PetView } from '../../src/schema/pet.ts';
import type { Session } from '../../src/session/session.ts';
import { PET_STATUSES, type PetStatus } from '../../src/wire/exchange.ts';
import { defineRules } from '../define.ts';
import { largeStore } from '../stimuli/creations.ts';
import { accepts, isFilled, isPartOf, plainList, strangerIn, tooLong } from './lists.ts';

type Both = { readonly limit: number; readonly status: PetStatus };

/** An empty list proves nothing. */
function judgeBoth(event: Event) {
  const list = plainList(event.exchange);
  if (list === undefined || list.limit === 'absent' || list.status === 'absent' || !isFilled(event)) return 'not-applicable';
  const wrong = [tooLong(list, list.limit), strangerIn(list, list.status)].filter((breach) => breach !== undefined);
  const [first] = wrong;
  return first === undefined ? 'holds' : { ...first, failureKinds: wrong.flatMap(({ failureKinds = [] }) => failureKinds) };
}

/** A run of depth quick sends few limits alone. What ignores a limit ignores all smaller ones, and the next one. */
function hasSimilarLimit({ intent: simpler }: Event, { intent: own }: Event): boolean {
  if (typeof simpler.limit !== 'number' || typeof own.limit !== 'number') return false;
  return simpler.status === 'absent' && simpler.limit <= own.limit + 1;
}

/** Whether it shows as many animals as its limit: a shorter list, of a store that had fewer then, does not show that the limit alone holds. */
const isFull = ({ intent: { limit }, pets = [] }: Event): boolean => typeof limit !== 'number' || pets.length >= limit;

/** The document does not say in which order parameters are sent, so both orders alternate. */
function inTurn({ limit, status }: Both, index: number): Both {
  return index % 2 === 0 ? { limit, status } : { status, limit };
}

const ROWS: readonly Both[] = PET_STATUSES.flatMap((status) => LIMIT_BOUNDARIES.map((limit, index) => inTurn({ limit, status }, index)));

const PAIRS: readonly Both[] = PET_STATUSES.flatMap((status) =>
  Array.from({ length: 100 }, (_unused, index) => ({ limit: index + 1, status })).filter(
    ({ limit }) => !LIMIT_BOUNDARIES.some((boundary) => boundary === limit),
  ),
);
const PLANNED = 150;

/**
 * Pairs in an order drawn from the seed, as many as the depth and the latency allow: first those where the limit holds animals back, then
 * others.
 */
function drawnPairs(s: Session, known: readonly PetView[]): readonly Both[] {
  const all = fc.shuffledSubarray([...PAIRS], { minLength: PAIRS.length });
  const [pairs = PAIRS] = fc.sample(all, { numRuns: 1, seed: s.options.seed });
  const alike = Map.groupBy(known, (pet) => pet.status);
  const holdsBack = ({ limit, status }: Both): boolean => limit < (alike.get(status)?.length ?? 0);
  const holding = pairs.filter(holdsBack);
  const planned = Math.max(PLANNED, holding.length);
  return [...holding, ...pairs.filter((pair) => !holdsBack(pair))].slice(0, s.cases(planned)).map(inTurn);
}

export const filterWithLimit = defineRules({
  id: 'list.filter-with-limit',
  chapter: 'list-pets',
  section: 'Endpoints: 1. List animals',
  quote: [
    '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
  ],
  level: 'required',
  requirement:
    'limit and status apply together: the list is accepted, is no longer than the limit, and shows only animals with the status.',
  likelyCause: 'The code has a branch for each parameter and none for both, so one of them is forgotten.',
  rules: [
    {
      layer: 'status',
      judge: accepts('both'),
      simpler: { clauses: ['list.success', 'list.limit-accepted', 'list.status-accepted'], isTwin: isPartOf },
    },
    {
      layer: 'values',
      judge: judgeBoth,
      simpler: {
        clauses: ['list.limit-maximum', 'list.status-filter'],
        isTwin: (simpler, own) => isPartOf(simpler, own) && isFull(simpler),
        isKin: (simpler, own) => hasSimilarLimit(simpler, own) && isFull(simpler),
      },
    },
  ],
  sent: [
    {
      id: 'boundaries',
      title: 'limit and status both apply, for each status with limits 1, 2, 19, 20, 21, 50, 99, and 100',
      step: 'large-store',
      exhaustive: true,
      send: async (s) => {
        await largeStore(s);
        const rows = s.portion(ROWS);
        // Each parameter alone too: if one alone is handled wrongly, the combination is not to blame.
        const limits = [...new Set(rows.map(({ limit }) => limit))].map((limit) => ({ limit }));
        const statuses = [...new Set(rows.map(({ status }) => status))].map((status) => ({ status }));
        await s.all([...rows, ...limits, ...statuses], (parameters) => s.api.list(parameters));
      },
      unmet: 'the lists show no animal with a status',
    },
    {
      id: 'random-combinations',
      title: 'limit and status both apply, for concurrent requests with random combinations',
      step: 'property',
      send: async (s) => {
        const known = await largeStore(s);
        await s.all(s.portion(drawnPairs(s, known)), async (both) => (s.outOfTime() ? undefined : s.api.list(both)));
      },
      cases: () => true,
      unmet: 'the lists show no animal with a status',
    },
  ],
});
