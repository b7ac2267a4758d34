import { inconclusive, type Unsent } from '../clause/halt.ts';
import type { Outcome } from '../clause/outcome.ts';
import type { SessionOptions } from '../session/session.ts';

/** The reason given to a check if the run was stopped before it had its outcome. */
export const INTERRUPTED = 'the run was interrupted before this was judged';

const LEAST = 240_000;
const REQUESTS_OF_A_RUN = 1_500;

/** Milliseconds after which a check is cut off: every request has its own deadline, and this stops a check that sends without end. */
export function checkDeadline({ timeBudget, timeout, rate }: Pick<SessionOptions, 'timeBudget' | 'timeout' | 'rate'>): number {
  // All checks of a step share the rate, so each of them may last as long as the step.
  return LEAST + timeBudget + 10 * timeout + (rate > 0 ? (1_000 * REQUESTS_OF_A_RUN) / rate : 0);
}

/** The outcome of the work; inconclusive once the run is stopped or the milliseconds are over, whatever the work does then. */
export async function withinBounds<Done extends Unsent | undefined>(
  work: () => Promise<Done>,
  { deadline, stop }: { deadline: number; stop: AbortSignal | undefined },
): Promise<Done | Outcome> {
  if (stop?.aborted === true) return inconclusive(INTERRUPTED, 'choice');
  const { promise, resolve, reject } = Promise.withResolvers<Done | Outcome>();
  const interrupt = (): void => resolve(inconclusive(INTERRUPTED, 'choice'));
  const timer = setTimeout(
    () => resolve(inconclusive(`did not finish within ${Math.round(deadline / 1000)} s, and was stopped`, 'service')),
    deadline,
  );
  stop?.addEventListener('abort', interrupt, { once: true });
  work().then(resolve, reject);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    stop?.removeEventListener('abort', interrupt);
  }
}
