// Requests that the service fails for a moment and serves at other times: they are sent again.

import { setTimeout as pause } from 'node:timers/promises';
import type { Exchange } from '../../wire/exchange.ts';
import { FORBIDDEN, LEAST_SERVER_ERROR, UNAUTHORIZED } from '../../wire/statuses.ts';

/** Milliseconds before a request is repeated, the first time and later. */
const PAUSES = [0, 25, 50];
/** The number of requests that failed at each attempt after which none is repeated. */
const MOST_IN_VAIN = 8;

type Attempt = Pick<Exchange, 'request' | 'outcome'>;

/**
 * Repeats requests that a service fails intermittently although it serves them at other times: it rejects the API key, or it breaks off the
 * response to a read. Each such exchange is recorded, for the invariants to judge; a check continues with the response to the repeated
 * request. A situation is what distinguishes kinds of requests (`situationOf`).
 */
type MomentaryFailures = {
  note(situation: string, attempt: Attempt): void;
  /** Whether the API key was rejected in a situation in which it is accepted at other times. */
  isRejectedNow(situation: string, attempt: Attempt): boolean;
  /** Sends with `ask`, and repeats it after a momentary failure; `ask` then gets the result of the first attempt. */
  getPast(ask: (firstTry?: Exchange) => Promise<Exchange>, situationOf: (exchange: Exchange) => string): Promise<Exchange>;
};

const isMeant = ({ request: { intent } }: Attempt): boolean => intent.credential === 'valid' && intent.undocumented !== true;

function isAdmitted({ outcome }: Attempt): boolean {
  if (outcome.kind === 'failed') return false;
  const { status } = outcome.answer;
  return status !== UNAUTHORIZED && status !== FORBIDDEN && status < LEAST_SERVER_ERROR;
}

const isRejected = ({ outcome }: Attempt): boolean => outcome.kind === 'answered' && outcome.answer.status === UNAUTHORIZED;

function isBrokenOff({ request: { method }, outcome }: Attempt): boolean {
  return method === 'GET' && outcome.kind === 'failed' && outcome.failure.reason === 'protocol' && !outcome.failure.stale;
}

export function createMomentaryFailures(): MomentaryFailures {
  const admitted = new Set<string>();
  let inVain = 0;

  const isMomentary = (situation: string, attempt: Attempt): boolean =>
    isMeant(attempt) && admitted.has(situation) && (isRejected(attempt) || isBrokenOff(attempt));

  return {
    note(situation, attempt) {
      if (isMeant(attempt) && isAdmitted(attempt)) admitted.add(situation);
    },
    isRejectedNow: (situation, attempt) => isMomentary(situation, attempt) && isRejected(attempt),
    async getPast(ask, situationOf) {
      const first = await ask();
      if (!isMomentary(situationOf(first), first)) return first;
      for (const wait of PAUSES) {
        if (inVain >= MOST_IN_VAIN) return first;
        await pause(wait);
        const again = await ask(first);
        if (!isMomentary(situationOf(again), again)) return again;
      }
      inVain += 1;
      return first;
    },
  };
}
