import type { ExchangeOutcome } from './exchange.ts';

/** Timeouts after which the service is known to let requests hang. */
const LEAST_TIMEOUTS = 6;
/** The smallest fraction of the deadline that such a service gets, and the factor to its slowest response. */
const LEAST_FRACTION = 0.2;
const MARGIN = 3;

export type Deadline = {
  /** Milliseconds. */
  current(): number;
  /** `duration` in milliseconds. */
  note(outcome: ExchangeOutcome, duration: number): void;
  /** How many requests have had the full deadline, once later ones get less; otherwise undefined. */
  shortenedAfter(): number | undefined;
};

/**
 * A service that has responded and then lets requests hang is broken: after six of them the others don't have to wait as long. They get
 * three times the duration of the slowest response, and at least a fifth of the deadline. A service that is merely slow is not affected.
 */
export function createDeadline(timeout: number): Deadline {
  let longest = 0;
  let passed = 0;
  return {
    current: () => (passed < LEAST_TIMEOUTS ? timeout : Math.min(timeout, Math.max(timeout * LEAST_FRACTION, longest * MARGIN))),
    note(outcome, duration) {
      if (outcome.kind === 'answered') longest = Math.max(longest, duration);
      // Until the first response, the service may still be starting.
      else if (outcome.failure.reason === 'timeout' && longest > 0) passed += 1;
    },
    shortenedAfter: () => (passed < LEAST_TIMEOUTS ? undefined : LEAST_TIMEOUTS),
  };
}
