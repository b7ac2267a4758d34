// What a run says about the service as a whole: what it accepts and rejects, whether it locks the key out, and its outages.

import { asReceived, type Exchange, type Operation } from '../../wire/exchange.ts';
import { postponement } from '../../wire/rate-limit.ts';
import { HTTP_LAYER_STATUSES, LEAST_ERROR, LEAST_SERVER_ERROR, UNAUTHORIZED } from '../../wire/statuses.ts';
import { isCrash } from '../read-exchange.ts';

export type Conduct = {
  /** Responses that asked to wait (429, and 503 with Retry-After), including those that were waited for. */
  readonly askedToWait: number;
  /** Operations that returned a 2xx to a request with the API key. */
  readonly accepts: readonly Operation[];
  /** Operations that were seen to reject a request that they must reject, with any 4xx but those of the HTTP layer. */
  readonly rejects: readonly Operation[];
  readonly listsAnimals: boolean;
  /** The API key was accepted first, and from some moment on each request with it got 401: a lockout, or a revoked key. */
  readonly lockedOut: boolean;
  /** Numbers of the exchanges that failed in an outage: for a while the service returned 5xx to every request. */
  readonly outage: readonly number[];
  /** When that was, in milliseconds since the run began: of all outages together. */
  readonly outageSpan?: Span | undefined;
  /** For a while, no request got a complete response. */
  readonly brokeOff: boolean;
};

/** The number of rejections of the key from which on it is not an isolated one. */
const LEAST_REJECTIONS = 3;

function isRejection(status: number): boolean {
  return status >= LEAST_ERROR && status < LEAST_SERVER_ERROR && !HTTP_LAYER_STATUSES.includes(status);
}

/** Whether the document requires the rejection: of a wrong credential, of an invalid body, of an id that no animal has. */
function rejectsWhatItMust({ request: { intent } }: Exchange, status: number): boolean {
  if (!isRejection(status)) return false;
  if (intent.operation === 'listPets') return intent.credential === 'refused';
  if (intent.credential !== 'valid' || status === UNAUTHORIZED) return false;
  return intent.operation === 'createPet' ? intent.body === 'invalid' : intent.petId !== undefined;
}

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
      // Requests that were in flight at that moment say nothing.
      acceptedAgain ||= startedAt > firstRejection;
    },
    lockedOut: (): boolean => accepted && !acceptedAgain && rejections >= LEAST_REJECTIONS,
  };
}

/** The number of consecutive 5xx responses from which on they are not isolated failures: as many as a run usually has in flight. */
const LEAST_OF_OUTAGE = 8;
/** The number of these that must be ordinary requests: with fewer, the service may fail because of what they have in common. */
const LEAST_PLAIN = 2;
/** Milliseconds around an outage in which a 5xx is part of it: at its edges, instances and requests in flight differ. */
const EDGE = 250;

type Failing = { readonly number: number; readonly plain: boolean; readonly from: number; readonly until: number };
/** A span of time, in milliseconds since the run began. */
type Span = Pick<Failing, 'from' | 'until'>;

function isPlain({ request: { intent } }: Exchange): boolean {
  if (intent.credential !== 'valid') return false;
  if (intent.operation === 'createPet') return intent.body === 'plain';
  return intent.operation === 'getPet' || (intent.limit !== 'open' && intent.status !== 'open');
}

function createOutageLog() {
  const failing: Failing[] = [];
  const outages: Span[] = [];
  let row: Failing[] = [];
  /** Requests in a row without a complete response, though none has waited in vain. */
  let unserved = 0;
  let brokeOff = false;

  const spanOf = (some: readonly Failing[]): readonly Span[] =>
    some.length < LEAST_OF_OUTAGE || some.filter(({ plain }) => plain).length < LEAST_PLAIN
      ? []
      : [{ from: Math.min(...some.map(({ from }) => from)) - EDGE, until: Math.max(...some.map(({ until }) => until)) + EDGE }];

  return {
    note(exchange: Exchange): void {
      // An outage is not a form of rejections, even if they are read so.
      const { outcome } = asReceived(exchange);
      unserved = outcome.kind === 'failed' && !['timeout', 'too_large'].includes(outcome.failure.reason) ? unserved + 1 : 0;
      brokeOff ||= unserved >= LEAST_OF_OUTAGE;
      if (outcome.kind === 'failed' || postponement(outcome.answer, 0) !== undefined) return;
      // 501 says that the operation does not exist.
      if (!isCrash(outcome.answer.status)) {
        outages.push(...spanOf(row));
        row = [];
        return;
      }
      const { startedAt, duration } = exchange.timings;
      const one = { number: exchange.number, plain: isPlain(exchange), from: startedAt, until: startedAt + duration };
      failing.push(one);
      row.push(one);
    },
    span(): Span | undefined {
      const spans = [...outages, ...spanOf(row)];
      if (spans.length === 0) return undefined;
      return { from: Math.min(...spans.map(({ from }) => from)) + EDGE, until: Math.max(...spans.map(({ until }) => until)) - EDGE };
    },
    brokeOff: () => brokeOff,
    outage(): readonly number[] {
      const spans = [...outages, ...spanOf(row)];
      return failing.filter((one) => spans.some(({ from, until }) => one.from <= until && one.until >= from)).map(({ number }) => number);
    },
  };
}

export function createConductLog() {
  const accepts = new Set<Operation>();
  const rejects = new Set<Operation>();
  const keyLog = createKeyLog();
  const outageLog = createOutageLog();
  let askedToWait = 0;
  let listsAnimals = false;
  return {
    take(exchange: Exchange): void {
      outageLog.note(exchange);
      if (exchange.request.intent.undocumented === true) return;
      askedToWait += exchange.postponed;
      if (exchange.outcome.kind === 'failed') return;
      const { answer: response } = exchange.outcome;
      const { operation, credential } = exchange.request.intent;
      const waits = postponement(response, 0) !== undefined;
      if (waits) askedToWait += 1;
      else if (credential === 'valid' && response.status < 500) keyLog.note(exchange.timings, response.status);
      if (rejectsWhatItMust(exchange, response.status)) rejects.add(operation);
      if (credential !== 'valid' || response.status < 200 || response.status > 299) return;
      accepts.add(operation);
      listsAnimals ||= operation === 'listPets' && response.json.ok && Array.isArray(response.json.value) && response.json.value.length > 0;
    },
    conduct: (): Conduct => ({
      ...{ askedToWait, accepts: [...accepts], rejects: [...rejects], listsAnimals },
      ...{ lockedOut: keyLog.lockedOut(), outage: outageLog.outage(), outageSpan: outageLog.span(), brokeOff: outageLog.brokeOff() },
    }),
  };
}
