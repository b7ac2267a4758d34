import type { ExchangeOutcome } from './exchange.ts';

/** Deadlines that pass before the service is known to let requests hang. */
const PROOFS = 6;
/** Part of the deadline that such a service is given, and how much longer than it has ever taken. */
const LEAST = 0.2;
const MARGIN = 3;

/** How long each request of a client may take. */
export type Deadline = {
  /** Milliseconds from now on. */
  current(): number;
  /** What came of a request, and after how many milliseconds. */
  note(outcome: ExchangeOutcome, duration: number): void;
  /** How many requests have met the full deadline, once later ones are given less; else undefined. */
  shortenedAfter(): number | undefined;
};

/**
 * A service that has answered and then lets requests hang is broken: after six of them the others need not wait as long. They are given three times
 * what the slowest response took, at least a fifth of the deadline. A service that only is slow never meets it.
 */
export function createDeadline(timeout: number): Deadline {
  let longest = 0;
  let passed = 0;
  return {
    current: () => (passed < PROOFS ? timeout : Math.min(timeout, Math.max(timeout * LEAST, longest * MARGIN))),
    note(outcome, duration) {
      if (outcome.kind === 'answered') longest = Math.max(longest, duration);
      // Until something was answered the service may be starting.
      else if (outcome.failure.reason === 'timeout' && longest > 0) passed += 1;
    },
    shortenedAfter: () => (passed < PROOFS ? undefined : PROOFS),
  };
}
