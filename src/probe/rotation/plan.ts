import type { CheckId } from '../../clause/clause.ts';
import type { SessionClause } from '../../oracle/rule.ts';
import { type Slice, sliceOf } from './slice.ts';

/** Requests that a slice may be planned to send: many small ones find more in the first runs than few large ones. */
export const SLICE = 6;

/** How full of the planned requests a small budget is made: a store may need more of them than an ordinary one. */
const FILLED = 0.7;

/**
 * The reading checks beyond those of every run, in slices, each with about the requests that it sends besides those that all runs begin with
 * (what it takes on a target is measured there). A check that judges a table has a place for each part of it, several in a row where nothing comes
 * between them. What finds the most per request, beyond what the ones before it find, comes first, so that the first runs on a target see most:
 * `npm run bench:rotation -- --plan` prints this list.
 */
const PLAN: readonly (readonly [check: CheckId, ...requests: number[]])[] = [
  ['list.complete/adjacent-ids', 6],
  ['auth.header-only/session-cookies', 1],
  ['get.agrees-with-list/first-page', 2],
  ['list.complete/beside-headers', 1],
  ['auth.wrong-key/malformed', 5],
  ['list.limit-default/as-limit-20-filtered', 7],
  ['errors.no-server-error/odd-requests', 6],
  ['list.filter-with-limit/boundaries', 9, 9],
  ['get.not-found/edges', 5],
  ['auth.wrong-scheme/list', 5],
  ['media.any-client/user-agents', 5],
  ['auth.missing-credential/get-empty', 3],
  ['media.json/other-listers', 8],
  ['auth.missing-credential/trusted-headers', 6],
  ['auth.wrong-key/malformed', 5],
  ['auth.wrong-key/generated-near-misses', 4],
  ['auth.missing-credential/other-paths', 7],
  ['auth.precedence/invalid-list', 6],
  ['get.repeatable/sequentially', 10],
  ['get.not-found/edges', 5],
  ['list.filter-complete/existing', 7],
  ['auth.scheme-case/spellings', 2],
  ['auth.wrong-scheme/list', 4],
  ['auth.missing-credential/trusted-headers', 6],
  ['list.repeated-parameters/repeated-parameters', 7],
  ['auth.precedence/invalid-get', 5],
  ['list.unknown-parameters/unknown-parameters', 11],
  ['auth.valid-key/header-name', 3],
  ['list.filter-with-limit/random-combinations', 6],
  ['list.limit-out-of-range/limits-out-of-range', 6],
  ['auth.wrong-key/near-misses-on-list', 6, 5, 5],
  ['get.agrees-with-list/sample', 10],
  ['get.not-found/random', 4],
  ['auth.precedence/invalid-get', 4],
  ['auth.missing-credential/list-parameters', 5],
  ['get.id-outside-int64/numbers', 5],
  ['get.not-found/edges', 5],
  ['auth.wrong-key/near-misses-on-list', 5, 5],
  ['auth.missing-credential/other-paths', 7, 6, 6],
  ['media.json/other-listers', 7],
  ['media.json/other-clients', 9, 9, 9, 9],
  ['list.limit-maximum/alternating', 9],
  ['list.read-only/repeated', 10],
  ['get.agrees-with-list/large-store', 11],
  ['list.read-only/after-filter', 12],
  ['get.success/sample', 13],
  ['get.repeatable/sequentially', 10, 6, 4],
  ['list.limit-accepted/each-limit', 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7],
  ['list.paging/paging-headers', 2],
  ['list.filter-with-limit/boundaries', 9, 9, 9],
  ['errors.no-server-error/odd-requests', 6],
  ['auth.wrong-scheme/get', 5],
  ['get.agrees-with-list/sample', 7],
  ['list.limit-default/as-limit-20', 3],
  ['auth.precedence/invalid-list', 5],
  ['list.filter-complete/existing', 6],
  ['auth.missing-credential/trusted-headers', 5],
  ['auth.wrong-key/near-misses-on-get', 6, 5, 5],
  ['get.repeatable/concurrently', 12],
  ['list.limit-default/at-most-20', 2],
  ['auth.wrong-scheme/get', 4],
  ['auth.wrong-key/near-misses-on-get', 5, 5],
  ['auth.missing-credential/get-each', 3],
  ['get.not-found/near-misses', 3],
  ['list.complete/as-filtered', 6],
  ['get.agrees-with-list/sample', 8],
  ['auth.missing-credential/list-parameters', 5],
  ['auth.every-request/same-address', 6],
  ['auth.valid-key/list', 6],
  ['record.pets/lists', 6],
  ['get.id-not-integer/words', 8],
  ['list.read-only/any-order', 22],
  ['list.limit-maximum/each-limit', 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7],
  ['list.limit-accepted/boundaries', 3],
  ['list.filter-with-limit/boundaries', 9, 9, 9],
  ['get.id-spelling/spellings', 5],
  ['get.agrees-with-list/large-store', 9],
  ['auth.missing-credential/list-parameters', 4],
  ['list.filter-complete/large-store', 8],
  ['auth.wrong-scheme/malformed', 2],
  ['list.read-only/animals-stay', 20],
  ['list.status-unknown/unknown-statuses', 6],
  ['auth.valid-key/concurrently', 6],
  ['get.agrees-with-list/large-store', 8],
  ['list.limit-not-integer/non-integer-limits', 9],
  ['get.agrees-with-list/large-store', 6],
  ['list.filter-complete/large-store', 7],
  ['auth.every-request/concurrently', 7],
  ['list.order/order', 3],
  ['errors.no-server-error/under-load', 6, 6],
  ['list.complete/never-empty', 7],
  ['auth.valid-key/after-refusals', 9],
  ['auth.valid-key/list', 5],
  ['list.filter-with-limit/random-combinations', 6],
  ['list.status-accepted/each-status', 3],
  ['get.identity/concurrently', 12],
  ['list.filter-with-limit/random-combinations', 6],
  ['auth.every-request/concurrently', 7],
  ['list.status-filter/alternating', 9],
  ['get.identity/concurrently', 12],
  ['list.complete/never-empty', 7],
  ['auth.every-request/concurrently', 7, 7],
  ['list.limit-maximum/small', 3],
  ['errors.answers/list-and-get', 5, 4],
  ['auth.every-request/same-connection', 7],
  ['auth.every-request/same-address', 6],
  ['list.complete/never-empty', 7],
  ['list.limit-maximum/each-limit', 7],
  ['errors.answers/list-and-get', 4],
  ['list.limit-maximum/each-limit', 6],
  ['list.limit-accepted/each-limit', 7],
  ['media.any-client/forwarding', 4],
  ['list.complete/never-empty', 7],
  ['list.limit-accepted/each-limit', 7, 6],
  ['list.limit-maximum/each-limit', 6],
  ['list.complete/never-empty', 7],
  ['list.limit-accepted/each-limit', 6],
  ['list.complete/never-empty', 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 6, 6],
  ['auth.valid-key/get', 1],
  ['deprecation.announced/headers', 2],
  ['deprecation.date-agrees/get', 1],
  ['deprecation.headers-well-formed/get', 1],
  ['auth.challenge/list-and-get', 2],
  ['get.identity/listed', 2],
  ['record.pet/get', 3],
  ['errors.shape/list-and-get', 4],
  ['errors.status-agrees/list-and-get', 4],
  ['media.json/list-and-get', 4],
  ['media.well-formed/list-and-get', 4],
  ['errors.codes/list-and-get', 5],
  ['auth.valid-key/concurrently', 6],
  ['record.leftovers/seen', 1],
];

/** Checks whose credentials are one step away from the key: to the service they look like somebody who guesses it. */
const NEAR_MISSES: ReadonlySet<CheckId> = new Set<CheckId>([
  'auth.wrong-key/near-misses-on-list',
  'auth.wrong-key/near-misses-on-get',
  'auth.wrong-key/generated-near-misses',
]);

export const isNearMiss = (check: CheckId): boolean => NEAR_MISSES.has(check);

/** The checks that only read and are not part of every run: those that judge, and those that record what is open. */
export function rotatingChecks(clauses: readonly SessionClause[]): readonly Pick<Slice, 'clause' | 'check'>[] {
  return clauses.flatMap((clause) =>
    clause.checks.filter(({ effect, smoke }) => effect === 'read' && !smoke).map((check) => ({ clause, check })),
  );
}

/** In how many parts, one a run, a check of so many requests is judged where a run may send that few. */
function partsWithin(budget: number, { requests, planned }: { readonly requests: number; readonly planned: number }): number {
  return budget >= SLICE ? planned : Math.max(planned, Math.ceil(requests / Math.max(1, FILLED * budget)));
}

/** The places of each check in the plan, in the order of its parts. */
const PLACES = Map.groupBy(
  PLAN.flatMap(([id, ...slices]) => slices.map((requests) => ({ id, requests }))).map((one, place) => ({ ...one, place })),
  ({ id }) => id,
);

/** Where a slice stands that the plan does not know. */
const LAST = Number.MAX_SAFE_INTEGER;

/** All slices of the checks that rotate, in the order of the first round. */
export function planSlices(clauses: readonly SessionClause[], budget: number): readonly Slice[] {
  const placed = rotatingChecks(clauses).flatMap((one) => {
    const planned = PLACES.get(one.check.id) ?? [];
    const requests = planned.reduce((sum, slice) => sum + slice.requests, 0);
    const of = partsWithin(budget, { requests, planned: Math.max(1, planned.length) });
    const nearMiss = isNearMiss(one.check.id);
    return Array.from({ length: of }, (_unused, part) => ({
      place: planned[part]?.place ?? LAST,
      slice: sliceOf(one, { portion: { part, of }, requests: Math.ceil(requests / of), nearMiss }),
    }));
  });
  return placed.toSorted((a, b) => a.place - b.place).map(({ slice }) => slice);
}

/** The part of the golden ratio after the point: its multiples never come back to the same place of a circle, and few or many lie evenly on it. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * The same slices, as the run with that number takes them, which knows nothing of others: it begins in the widest gap that the runs before it
 * leave. It does not begin where they would have ended by the plan: what one of them did not reach, because slices took more requests than
 * planned, would be reached by none.
 */
export function slicesOfRun(run: number, budget: number, slices: readonly Slice[]): readonly Slice[] {
  const fitting = slices.filter(({ requests }) => requests <= budget);
  const total = fitting.reduce((sum, { requests }) => sum + requests, 0);
  let before = ((run * GOLDEN) % 1) * total;
  const first = fitting.findIndex(({ requests }) => {
    before -= requests;
    return before < 0;
  });
  return [...fitting.slice(first), ...fitting.slice(0, first)];
}
