// Everything that was sent and received, and what it shows about the service as a whole.

import type { OperationStatistics, Traits } from '../../clause/run-record.ts';
import { asReceived, type Exchange, type ExchangeOutcome, type HttpResponse, OPERATIONS, type Operation } from '../../wire/exchange.ts';
import { isJsonObject, type Json, type JsonReading } from '../../wire/json.ts';
import { postponement } from '../../wire/rate-limit.ts';
import { HTTP_LAYER_STATUSES, LEAST_ERROR, LEAST_SERVER_ERROR, UNAUTHORIZED } from '../../wire/statuses.ts';
import { isCrash } from '../read-exchange.ts';

/** Everything that a run has sent, and the results: all other knowledge about the run is derived from it. */
export type History = {
  /** Every exchange in the order of recording, including those of undocumented requests. It grows; its entries do not change. */
  readonly exchanges: readonly Exchange[];
};

/** Writes the history of a run, and calls listeners. */
export type Recorder = {
  readonly history: History;
  /** Calls the listener with each exchange that says something about the operations of the document. */
  onExchange(listener: (exchange: Exchange) => void): void;
  /** Calls the listener with every exchange, including those that only the check that sent them can judge; before any of `onExchange`. */
  onEveryExchange(listener: (exchange: Exchange) => void): void;
  record(exchange: Exchange): void;
};

/**
 * The number of characters of bodies that the history of a run keeps, with bodies that were read once counted once. A standard run has
 * about two million; a service that ignores the limit, or a hostile one, may return megabytes to each of thousands of requests.
 */
const MOST_KEPT = 32 * 1024 * 1024;
/** The number of characters of a body that is always kept: as many as a full page of animals has, and a few times more than any error. */
const SMALL = 16 * 1024;

const NOT_KEPT = { text: undefined, json: { ok: false, problem: 'the body is not kept: the run has had too much of them' } } as const;

/** The responses of an exchange, exactly as received. */
function responsesOf({ outcome, received = outcome, putOff }: Exchange): readonly HttpResponse[] {
  return [...(received.kind === 'answered' ? [received.answer] : []), ...(putOff === undefined ? [] : [putOff])];
}

const lengthOf = ({ text = '' }: HttpResponse): number => text.length;

const abridgeResponse = (response: HttpResponse): HttpResponse => (lengthOf(response) > SMALL ? { ...response, ...NOT_KEPT } : response);

function abridgeOutcome(outcome: ExchangeOutcome): ExchangeOutcome {
  return outcome.kind === 'failed' ? outcome : { ...outcome, answer: abridgeResponse(outcome.answer) };
}

/** The exchange without its large bodies. */
function abridge(exchange: Exchange): Exchange {
  const { outcome, received, putOff } = exchange;
  return {
    ...exchange,
    outcome: abridgeOutcome(outcome),
    ...(received === undefined ? {} : { received: abridgeOutcome(received) }),
    ...(putOff === undefined ? {} : { putOff: abridgeResponse(putOff) }),
    abridged: true,
  };
}

/** An empty history and its recorder. `mostKept`: characters of bodies. */
export function createRecorder(mostKept = MOST_KEPT): Recorder {
  const exchanges: Exchange[] = [];
  const listeners: ((exchange: Exchange) => void)[] = [];
  const listenersToAll: ((exchange: Exchange) => void)[] = [];
  /** The readings of the kept bodies: equal bodies are read once while the client remembers them (src/wire/body.ts). */
  const kept = new WeakSet<JsonReading>();
  let room = mostKept;

  function keep(exchange: Exchange): Exchange {
    const responses = responsesOf(exchange).filter(({ json }) => !kept.has(json));
    const length = responses.reduce((sum, response) => sum + lengthOf(response), 0);
    if (length > room && responses.some((response) => lengthOf(response) > SMALL)) return abridge(exchange);
    for (const { json } of responses) kept.add(json);
    room -= length;
    return exchange;
  }

  return {
    history: { exchanges },
    onExchange: (listener) => listeners.push(listener),
    onEveryExchange: (listener) => listenersToAll.push(listener),
    record(exchange) {
      exchanges.push(keep(exchange));
      for (const listener of listenersToAll) listener(exchange);
      if (exchange.request.intent.undocumented === true) return;
      for (const listener of listeners) listener(exchange);
    },
  };
}

const MOST_DURATIONS = 5_000;
const MOST_MEMBERS = 100;
const LONGEST_NAME = 200;

/** Statistics are about responses exactly as received. */
const receivedIn = ({ outcome, received = outcome }: Exchange): ExchangeOutcome => received;

/** How often each operation was requested, what it returned, and how long that took. */
export function operationsIn(exchanges: readonly Exchange[]): readonly OperationStatistics[] {
  return OPERATIONS.map((operation) => {
    const own = exchanges.filter(({ request: { intent } }) => intent.operation === operation);
    const statuses = new Map<string, number>();
    for (const exchange of own) {
      const outcome = receivedIn(exchange);
      const status = outcome.kind === 'answered' ? String(outcome.answer.status) : 'failed';
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    return {
      operation,
      requests: own.length,
      statuses: Object.fromEntries([...statuses].sort(([a], [b]) => (a < b ? -1 : 1))),
      durations: own.slice(0, MOST_DURATIONS).map(({ timings }) => Math.round(timings.duration * 10) / 10),
    };
  });
}

function addMembers(into: Set<string>, value: Json | undefined): void {
  if (!isJsonObject(value)) return;
  for (const name in value) {
    if (into.size >= MOST_MEMBERS) return;
    into.add(name.slice(0, LONGEST_NAME));
  }
}

const sorted = (record: Map<string, Set<string>>): Record<string, readonly string[]> =>
  Object.fromEntries([...record].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, values]) => [name, [...values].sort()]));

/** The headers and members in responses of the operations; undocumented requests don't count. */
export function traitsIn(exchanges: readonly Exchange[]): Traits {
  const headers = new Map<string, Set<string>>();
  const [pet, error] = [new Set<string>(), new Set<string>()];
  for (const exchange of exchanges) {
    const outcome = receivedIn(exchange);
    const { operation, undocumented = false } = exchange.request.intent;
    if (undocumented || outcome.kind === 'failed') continue;
    const { answer: response } = outcome;
    const key = `${operation} ${response.status}`;
    const names = headers.get(key) ?? new Set<string>();
    headers.set(key, names);
    if (names.size < MOST_MEMBERS) for (const [name] of response.headers) names.add(name);
    if (!response.json.ok) continue;
    const { value } = response.json;
    addMembers(response.status < 400 ? pet : error, Array.isArray(value) ? value[0] : value);
  }
  return { headers: sorted(headers), members: sorted(new Map(Object.entries({ pet, error }))) };
}

/** The behavior of the service in a run, whoever sent the requests. */
export type Conduct = {
  /** Responses that asked to wait (429, and 503 with Retry-After), including those that were waited for. */
  readonly askedToWait: number;
  /** Operations that returned a 2xx to a request with the API key. */
  readonly accepts: readonly Operation[];
  /** Operations that were seen to reject a request that they must reject, with any 4xx. */
  readonly rejects: readonly Operation[];
  /** A list showed an animal. */
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

/** Whether the service permanently rejects the key, according to its responses to requests with it. */
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

/** Finds the spans of time in which every response was 5xx. */
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
      unserved = outcome.kind === 'failed' && outcome.failure.reason !== 'timeout' ? unserved + 1 : 0;
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

/** What the exchanges of a run say about the service as a whole: a fold over its history. */
export function createConductLog() {
  const accepts = new Set<Operation>();
  const rejects = new Set<Operation>();
  const keyLog = createKeyLog();
  const outageLog = createOutageLog();
  let askedToWait = 0;
  let listsAnimals = false;
  return {
    /** Adds the next exchange of the history. */
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
