import { postponement } from '../../wire/client.ts';
import type { Exchange, Operation } from '../../wire/exchange.ts';

/** What the service was seen to do with the requests of a run, whoever sent them. */
export type Conduct = {
  /** Responses that asked to wait (429, and 503 with Retry-After), those that were waited for included. */
  readonly askedToWait: number;
  /** Operations that a request with the API key got a 2xx from. */
  readonly accepts: readonly Operation[];
  /** Operations that were seen to reject a request that they must reject, with whatever 4xx. */
  readonly rejects: readonly Operation[];
  /** A list showed an animal. */
  readonly listsAnimals: boolean;
  /** The API key was accepted first, and from some moment on rejected with 401 by whatever it was sent to: a lock-out, or a key that was revoked. */
  readonly lockedOut: boolean;
};

/** Statuses of the HTTP layer, of rate limits and of gateways: they say nothing of what was asked. */
const BESIDES: readonly number[] = [408, 413, 414, 429, 431];
const UNAUTHORIZED = 401;
/** Rejections of the key from which on they are no single one. */
const LEAST_REJECTIONS = 3;

function isRejection(status: number): boolean {
  return status >= 400 && status < 500 && !BESIDES.includes(status);
}

/** Whether the rejection is one that the document asks for: of a wrong credential, of an invalid body, of an id that no animal has. */
function rejectsWhatItMust({ request: { intent } }: Exchange, status: number): boolean {
  if (!isRejection(status)) return false;
  if (intent.operation === 'listPets') return intent.credential === 'refused';
  if (intent.credential !== 'valid' || status === UNAUTHORIZED) return false;
  return intent.operation === 'createPet' ? intent.body === 'invalid' : intent.petId !== undefined;
}

/** Whether the service rejects the key for good, from what it says to requests with it. */
function createKeyLog() {
  let accepted = false;
  let acceptedAgain = false;
  let rejections = 0;
  /** Milliseconds since the run began at which the first rejection was complete. */
  let firstRejection = Number.POSITIVE_INFINITY;
  return {
    note({ startedAt, duration }: Exchange['timings'], status: number): void {
      if (status === UNAUTHORIZED) {
        rejections += 1;
        firstRejection = Math.min(firstRejection, startedAt + duration);
        return;
      }
      accepted = true;
      // Requests that were under way at that moment say nothing.
      acceptedAgain ||= startedAt > firstRejection;
    },
    lockedOut: (): boolean => accepted && !acceptedAgain && rejections >= LEAST_REJECTIONS,
  };
}

/** Keeps what the exchanges of a run say of the service as a whole. */
export function createConductLog() {
  const accepts = new Set<Operation>();
  const rejects = new Set<Operation>();
  const keyLog = createKeyLog();
  let askedToWait = 0;
  let listsAnimals = false;
  return {
    note(exchange: Exchange): void {
      askedToWait += exchange.postponed;
      if (exchange.outcome.kind === 'failed') return;
      const { answer } = exchange.outcome;
      const { operation, credential } = exchange.request.intent;
      const waits = postponement(answer, 0) !== undefined;
      if (waits) askedToWait += 1;
      else if (credential === 'valid' && answer.status < 500) keyLog.note(exchange.timings, answer.status);
      if (rejectsWhatItMust(exchange, answer.status)) rejects.add(operation);
      if (credential !== 'valid' || answer.status < 200 || answer.status > 299) return;
      accepts.add(operation);
      listsAnimals ||= operation === 'listPets' && answer.json.ok && Array.isArray(answer.json.value) && answer.json.value.length > 0;
    },
    conduct: (): Conduct => ({ askedToWait, accepts: [...accepts], rejects: [...rejects], listsAnimals, lockedOut: keyLog.lockedOut() }),
  };
}
