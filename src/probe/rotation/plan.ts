import type { CheckId } from '../../clause/clause.ts';
import type { SessionCheck, SessionClause } from '../../judge/judge-check.ts';

/**
 * The reading checks beyond those of every run, each with about the requests that it sends besides those that all runs begin with (what it
 * takes on a target is measured there). Those that find the most per request, beyond what the ones before them find, come first, so that the first
 * runs on a target see most: `npm run bench:rotation -- --plan` prints this order.
 */
const COSTS: Readonly<Partial<Record<CheckId, number>>> = {
  'auth.header-only/session-cookies': 1,
  'get.agrees-with-list/first-page': 3,
  'list.complete/beside-headers': 2,
  'list.complete/adjacent-ids': 6,
  'deprecation.announced/headers': 3,
  'list.limit-default/as-limit-20': 6,
  'auth.wrong-scheme/list': 10,
  'auth.wrong-key/generated-near-misses': 7,
  'list.limit-accepted/boundaries': 3,
  'auth.missing-credential/get-empty': 11,
  'list.filter-with-limit/random-combinations': 15,
  'get.not-found/random': 6,
  'media.json/other-listers': 8,
  'errors.no-server-error/odd-requests': 12,
  'auth.wrong-key/malformed': 11,
  'auth.valid-key/header-name': 3,
  'list.filter-complete/existing': 10,
  'get.success/sample': 17,
  'media.any-client/user-agents': 4,
  'auth.precedence/invalid-list': 10,
  'get.not-found/edges': 17,
  'get.agrees-with-list/sample': 19,
  'auth.missing-credential/other-paths': 27,
  'auth.missing-credential/trusted-headers': 15,
  'list.complete/as-filtered': 9,
  'auth.wrong-key/near-misses-on-list': 26,
  'auth.missing-credential/list-parameters': 15,
  'media.json/other-clients': 27,
  'list.limit-accepted/each-limit': 104,
  'list.limit-maximum/each-limit': 104,
  'list.complete/never-empty': 104,
  'deprecation.headers-well-formed/get': 2,
  'deprecation.date-agrees/get': 2,
  'media.json/list-and-get': 7,
  'errors.status-agrees/list-and-get': 7,
  'auth.valid-key/get': 3,
  'media.well-formed/list-and-get': 7,
  'list.limit-default/at-most-20': 5,
  'record.leftovers/seen': 1,
  'get.identity/listed': 3,
  'auth.challenge/list-and-get': 3,
  'auth.wrong-scheme/malformed': 2,
  'list.limit-maximum/small': 3,
  'record.pet/get': 4,
  'list.status-accepted/each-status': 3,
  'auth.missing-credential/get-each': 11,
  'errors.shape/list-and-get': 7,
  'list.limit-default/as-limit-20-filtered': 4,
  'media.any-client/forwarding': 4,
  'record.pets/lists': 6,
  'get.not-found/near-misses': 10,
  'auth.precedence/invalid-get': 8,
  'auth.every-request/same-connection': 7,
  'list.limit-maximum/alternating': 12,
  'list.read-only/repeated': 9,
  'list.status-filter/alternating': 9,
  'auth.valid-key/after-refusals': 10,
  'auth.wrong-scheme/get': 17,
  'list.filter-complete/large-store': 14,
  'auth.valid-key/list': 11,
  'list.read-only/animals-stay': 16,
  'errors.no-server-error/under-load': 13,
  'auth.valid-key/concurrently': 14,
  'get.identity/concurrently': 17,
  'list.read-only/after-filter': 12,
  'get.repeatable/concurrently': 13,
  'auth.every-request/same-address': 15,
  'errors.answers/list-and-get': 14,
  'get.agrees-with-list/large-store': 24,
  'auth.every-request/concurrently': 21,
  'list.read-only/any-order': 22,
  'get.repeatable/sequentially': 23,
  'list.filter-with-limit/boundaries': 28,
  'auth.wrong-key/near-misses-on-get': 29,
};

/** About how many requests a check sends that records what is open. */
const OBSERVING_COST = 6;

/** Checks whose credentials are one step away from the key: to the service they look like somebody who guesses it. */
const NEAR_MISSES: ReadonlySet<CheckId> = new Set<CheckId>([
  'auth.wrong-key/near-misses-on-list',
  'auth.wrong-key/near-misses-on-get',
  'auth.wrong-key/generated-near-misses',
]);

/** A check that takes its turn among the runs of a target. */
export type RotatingCheck = {
  readonly clause: SessionClause;
  readonly check: SessionCheck;
  /** About how many requests it sends on a store of more than a page, besides those that every run begins with. */
  readonly requests: number;
  readonly nearMiss: boolean;
};

/** Those that only read and are not part of every run, by their ids. */
function readingChecks(clauses: readonly SessionClause[]) {
  const all = clauses.flatMap((clause) => clause.checks.map((check) => ({ clause, check })));
  return new Map(all.filter(({ check }) => check.effect === 'read' && !check.smoke).map((one) => [one.check.id, one]));
}

/** The checks that record what the document leaves open: they take turns as well, after all that judge, and count for no coverage. */
export function observingChecks(clauses: readonly SessionClause[]): readonly RotatingCheck[] {
  const observing = [...readingChecks(clauses.filter(({ level }) => level === 'open')).values()];
  return observing.map((one) => ({ ...one, requests: OBSERVING_COST, nearMiss: false }));
}

/** The checks that rotate, in the order of the first round: those that only read, judge something, and are not part of every run. */
export function rotatingChecks(clauses: readonly SessionClause[]): readonly RotatingCheck[] {
  const rotating = readingChecks(clauses.filter(({ level }) => level !== 'open'));
  const planned = Object.keys(COSTS) as CheckId[];
  const ids = [...planned.filter((id) => rotating.has(id)), ...[...rotating.keys()].filter((id) => COSTS[id] === undefined)];
  return ids.flatMap((id) => {
    const one = rotating.get(id);
    return one === undefined ? [] : [{ ...one, requests: COSTS[id] ?? 0, nearMiss: NEAR_MISSES.has(id) }];
  });
}

/**
 * The same checks, begun where so many runs with that budget would have come to, one after the other: what a run that knows nothing of
 * earlier ones goes on with.
 */
export function continuedAfter(runs: number, budget: number, checks: readonly RotatingCheck[]): readonly RotatingCheck[] {
  const fitting = checks.filter(({ requests }) => requests <= budget);
  const total = fitting.reduce((sum, { requests }) => sum + requests, 0);
  if (total === 0) return checks;
  let sent = (runs * budget) % total;
  const first = fitting.findIndex(({ requests }) => {
    sent -= requests;
    return sent < 0;
  });
  return [...fitting.slice(first), ...fitting.slice(0, first)];
}
