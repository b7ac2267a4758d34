import type { ClauseId } from '../../clause/clause.ts';

/** Clauses that say that an animal is there: what breaks them, waiting does not repair. */
const VISIBILITY: ReadonlySet<ClauseId> = new Set<ClauseId>([
  'list.complete',
  'list.filter-complete',
  'list.read-only',
  'create.independent',
  'create.round-trip',
  'create.unusual-categories',
  'create.unusual-names',
  'get.agrees-with-list',
  'get.durable',
  'get.repeatable',
  'get.success',
  'deprecation.replacement',
  'deprecation.still-works',
]);

/** Part of the consistency window that is waited once such a clause is broken, and how much longer than the service has ever taken. */
const LEAST = 0.1;
const MARGIN = 1.5;

/** How long the session waits until a service shows what it must. */
export type Patience = {
  /** Milliseconds from the first request on: the consistency window, or less once waiting is known to be in vain. */
  window(): number;
  /** What was waited for came after so many milliseconds. */
  served(after: number): void;
  /** A clause is broken, whatever else comes. */
  broken(clause: ClauseId): void;
};

/**
 * A service that shows animals late is waited for to the end of the consistency window. One that was seen to lose them is waited for as long as
 * it has ever needed for those that it did show: a broken service costs its reader no window for each animal. On a conforming one nothing changes.
 */
export function createPatience(consistencyWindow: number): Patience {
  let longest = 0;
  let inVain = false;
  return {
    window: () => (inVain ? Math.min(consistencyWindow, Math.max(consistencyWindow * LEAST, longest * MARGIN)) : consistencyWindow),
    served(after) {
      longest = Math.max(longest, after);
    },
    broken(clause) {
      inVain ||= VISIBILITY.has(clause);
    },
  };
}
