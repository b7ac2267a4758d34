import type { ClauseId } from '../../clause/clause.ts';

/** Clauses that say that an animal is there: waiting does not repair a breach of them. */
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

/**
 * The fraction of the consistency window that is waited once such a clause is broken, and the factor to the longest time that the service
 * has needed.
 */
const LEAST = 0.1;
const MARGIN = 1.5;

/** How long the session waits until a service shows what it must. */
export type Patience = {
  /** Milliseconds from the first request on: the consistency window, or less once waiting is known to be in vain. */
  window(): number;
  /** The expected response came after this many milliseconds. */
  served(after: number): void;
  /** A clause is broken, whatever follows. */
  broken(clause: ClauseId): void;
};

/**
 * The session waits the whole consistency window for a service that shows animals late. For one that was seen to lose them, it waits as
 * long as the service has ever needed for those that it did show: a broken service does not cost a window for each animal. For a conforming
 * one nothing changes.
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
