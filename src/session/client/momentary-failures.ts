import { setTimeout as pause } from 'node:timers/promises';
import type { Exchange } from '../../wire/exchange.ts';

/** Milliseconds before a request is sent again, the first time and later. */
const PAUSES = [0, 25, 50];
/** Requests that failed each time they were sent, after which none is sent again. */
const MOST_IN_VAIN = 8;

const UNAUTHORIZED = 401;
const FORBIDDEN = 403;
const LEAST_SERVER_ERROR = 500;

type Attempt = Pick<Exchange, 'request' | 'outcome'>;

/**
 * Gets past what a service does now and then to requests that it serves at other times: it rejects the API key, or it breaks off the response
 * to a read. Each such exchange is on record, for the invariants to judge; a check goes on with what the request returns when it is sent
 * again. A situation is what distinguishes kinds of requests (`situationOf`).
 */
export type MomentaryFailures = {
  /** Notes what came of a request of that situation. */
  note(situation: string, attempt: Attempt): void;
  /** Whether the API key was rejected in a situation in which it is admitted at other times. */
  isRejectedNow(situation: string, attempt: Attempt): boolean;
  /** Sends with `ask`, and again where that failed momentarily; `ask` is given what came of the first time. */
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
