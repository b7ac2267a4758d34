import { haltInconclusive } from '../../clause/halt.ts';
import type { Exchange, TransportReason } from '../../wire/exchange.ts';

const CEASED_AFTER = 5;
/** A service that lets every other request hang costs as much as one that lets all hang. */
const MOST_TIMEOUTS = 40;
const RETURN_PATIENCE = 10_000;
const RETURN_PAUSE = 250;

/** Stops asking a service that has ceased to answer. */
export type Breaker = {
  /** Halts when the service has ceased to answer; waits first when it may be restarting. */
  check(): Promise<void>;
  note(exchange: Pick<Exchange, 'outcome'>): void;
  /** Forgets what came so far: a service that was waited for has not ceased to answer. */
  reset(): void;
};

export type BreakerParts = {
  /** One request on a connection of its own that nothing is entered for. */
  readonly knock: () => Promise<Exchange>;
  readonly notice: (sentence: string) => void;
  readonly elapsed: () => number;
};

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

/**
 * Five transport failures of one kind in a row, or forty deadlines that passed in all, and nothing more is sent. A service that
 * answered before and now refuses connections is given ten seconds to come back, once in a run: it may have been restarted.
 */
export function createBreaker(parts: BreakerParts): Breaker {
  let row = 0;
  let kind: TransportReason | undefined;
  let timeouts = 0;
  let answered = false;
  let returned: Promise<boolean> | undefined;

  async function waitForReturn(): Promise<boolean> {
    const begin = parts.elapsed();
    while (parts.elapsed() - begin < RETURN_PATIENCE) {
      const exchange = await parts.knock();
      if (exchange.outcome.kind === 'answered') {
        parts.notice(
          `The service accepted no connection for ${seconds(parts.elapsed() - begin)} from ${seconds(begin)} after the start of the run on: it was restarted`,
        );
        row = 0;
        return true;
      }
      await new Promise((resolve) => setTimeout(resolve, RETURN_PAUSE));
    }
    parts.notice(`The service accepts no connections any more since ${seconds(begin)} after the start of the run`);
    return false;
  }

  return {
    async check() {
      if (timeouts >= MOST_TIMEOUTS)
        haltInconclusive(`the service has let ${timeouts} requests pass their deadline; no more are sent`, 'errors.answers');
      if (row < CEASED_AFTER) return;
      if (answered && kind === 'connect') {
        returned ??= waitForReturn();
        if ((await returned) && row < CEASED_AFTER) return;
      }
      haltInconclusive(`the service has ceased to answer: ${row} transport failures in a row (${kind})`, 'errors.answers');
    },
    note({ outcome }) {
      if (outcome.kind === 'answered') {
        row = 0;
        answered = true;
        return;
      }
      const { reason, stale } = outcome.failure;
      if (stale) return;
      if (reason === 'timeout') timeouts += 1;
      row = reason === kind ? row + 1 : 1;
      kind = reason;
    },
    reset() {
      row = 0;
      timeouts = 0;
    },
  };
}
