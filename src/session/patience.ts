// How long a session waits until a service shows what it must.

import { setTimeout } from 'node:timers/promises';
import type { ClauseId } from '../clause/clause.ts';
import type { Exchange } from '../wire/exchange.ts';

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

export type Patience = {
  /** Milliseconds from the first request on: the consistency window, or less once waiting is known to be in vain. */
  window(): number;
  served(after: number): void;
  broken(clause: ClauseId): void;
  /** As `poll` of a session. */
  poll(ask: () => Promise<Exchange>, done: (exchange: Exchange) => boolean, least?: number): Promise<Exchange>;
};

const POLL_STEPS = 12;

/**
 * The session waits the whole consistency window for a service that shows animals late. For one that was seen to lose them, it waits as
 * long as the service has ever needed for those that it did show: a broken service does not cost a window for each animal. For a conforming
 * one nothing changes.
 */
export function createPatience(consistencyWindow: number): Patience {
  let longest = 0;
  let inVain = false;
  const patience: Patience = {
    window: () => (inVain ? Math.min(consistencyWindow, Math.max(consistencyWindow * LEAST, longest * MARGIN)) : consistencyWindow),
    served(after) {
      longest = Math.max(longest, after);
    },
    broken(clause) {
      inVain ||= VISIBILITY.has(clause);
    },
    async poll(ask, done, least = 1) {
      const begin = performance.now();
      for (let step = 1; ; step += 1) {
        const asked = performance.now() - begin;
        const exchange = await ask();
        const spent = performance.now() - begin;
        const shown = done(exchange);
        if (shown && step > 1) patience.served(spent);
        const window = patience.window();
        if (shown || (asked >= window && (step >= least || exchange.outcome.kind === 'failed'))) return exchange;
        const pause = Math.min((consistencyWindow / POLL_STEPS) * Math.min(step, 4) * 0.5, window - spent);
        await setTimeout(Math.max(pause, 5));
      }
    },
  };
  return patience;
}
