// Everything that was sent and received, with statistics; what it says about the service as a whole is in conduct.ts.

import { LARGEST_LIMIT } from '../../clause/limits.ts';
import type { OperationStatistics, Traits } from '../../clause/run-record.ts';
import { FIELDS, isPet } from '../../schema/pet.ts';
import { type Exchange, type ExchangeOutcome, type HttpResponse, OPERATIONS } from '../../wire/exchange.ts';
import { isJsonObject, type Json, type JsonObject, type JsonReading, writeJson } from '../../wire/json.ts';

/** Everything that a run has sent, and the results: all other knowledge about the run is derived from it. */
export type History = {
  /** Every exchange in the order of recording, including those of undocumented requests. It grows; its entries do not change. */
  readonly exchanges: readonly Exchange[];
};

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

const NOT_KEPT: JsonReading = { ok: false, problem: 'it is not kept, because the run has had too many large ones', unread: true };

/**
 * What is kept of a large body that is valid animals and nothing else: the fields that the document names, which are all that is judged of an animal.
 * Of any other body, nothing is.
 */
function keptOf(json: JsonReading): JsonReading {
  if (!json.ok) return json.unread === true ? json : NOT_KEPT;
  const { value } = json;
  const animals = Array.isArray(value) ? value : [value];
  if (animals.length > LARGEST_LIMIT || !animals.every(isPet)) return NOT_KEPT;
  const kept = animals.map((animal): Json => (isJsonObject(animal) ? statedFieldsOf(animal) : animal));
  if (writeJson(kept).length > SMALL) return NOT_KEPT;
  return { ok: true, value: Array.isArray(value) ? kept : (kept[0] ?? null) };
}

function statedFieldsOf(animal: JsonObject): JsonObject {
  return Object.fromEntries(['id', ...FIELDS].flatMap((name) => (animal[name] === undefined ? [] : [[name, animal[name]]])));
}

function responsesOf({ outcome, received = outcome, putOff }: Exchange): readonly HttpResponse[] {
  return [...(received.kind === 'answered' ? [received.answer] : []), ...(putOff === undefined ? [] : [putOff])];
}

const lengthOf = ({ text = '' }: HttpResponse): number => text.length;

const abridgeResponse = (response: HttpResponse): HttpResponse =>
  lengthOf(response) > SMALL ? { ...response, text: undefined, json: keptOf(response.json) } : response;

function abridgeOutcome(outcome: ExchangeOutcome): ExchangeOutcome {
  return outcome.kind === 'failed' ? outcome : { ...outcome, answer: abridgeResponse(outcome.answer) };
}

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

/** A function that adds up exchanges as they come: each call looks at those that were added since the last one. */
function addedUp<Result>(add: (exchange: Exchange) => void, result: () => Result): (exchanges: readonly Exchange[]) => Result {
  let counted = 0;
  return (exchanges) => {
    for (; counted < exchanges.length; counted += 1) {
      const exchange = exchanges[counted];
      if (exchange !== undefined) add(exchange);
    }
    return result();
  };
}

type Tally = { requests: number; readonly statuses: Map<string, number>; readonly durations: number[] };

/** How often each operation was requested, what it returned, and how long that took: of one history, which grows from call to call. */
export function createOperations(): (exchanges: readonly Exchange[]) => readonly OperationStatistics[] {
  const tallies = OPERATIONS.map((operation) => ({
    operation,
    tally: { requests: 0, statuses: new Map<string, number>(), durations: [] } as Tally,
  }));
  return addedUp(
    (exchange) => {
      const tally = tallies.find(({ operation }) => operation === exchange.request.intent.operation)?.tally;
      if (tally === undefined) return;
      const outcome = receivedIn(exchange);
      const status = outcome.kind === 'answered' ? String(outcome.answer.status) : 'failed';
      tally.requests += 1;
      tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
      if (tally.durations.length < MOST_DURATIONS) tally.durations.push(Math.round(exchange.timings.duration * 10) / 10);
    },
    () =>
      tallies.map(({ operation, tally: { requests, statuses, durations } }) => ({
        operation,
        requests,
        statuses: Object.fromEntries([...statuses].sort(([a], [b]) => (a < b ? -1 : 1))),
        durations: [...durations],
      })),
  );
}

export const operationsIn = (exchanges: readonly Exchange[]): readonly OperationStatistics[] => createOperations()(exchanges);

function addMembers(into: Set<string>, value: Json | undefined): void {
  if (!isJsonObject(value)) return;
  for (const name in value) {
    if (into.size >= MOST_MEMBERS) return;
    into.add(name.slice(0, LONGEST_NAME));
  }
}

const sorted = (record: Map<string, Set<string>>): Record<string, readonly string[]> =>
  Object.fromEntries([...record].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, values]) => [name, [...values].sort()]));

/** The headers and members in responses of the operations; undocumented requests don't count. Of one history, which grows from call to call. */
export function createTraits(): (exchanges: readonly Exchange[]) => Traits {
  const headers = new Map<string, Set<string>>();
  const [pet, error] = [new Set<string>(), new Set<string>()];
  return addedUp(
    (exchange) => {
      const outcome = receivedIn(exchange);
      const { operation, undocumented = false } = exchange.request.intent;
      if (undocumented || outcome.kind === 'failed') return;
      const { answer: response } = outcome;
      const key = `${operation} ${response.status}`;
      const names = headers.get(key) ?? new Set<string>();
      headers.set(key, names);
      if (names.size < MOST_MEMBERS) for (const [name] of response.headers) names.add(name);
      if (!response.json.ok) return;
      const { value } = response.json;
      addMembers(response.status < 400 ? pet : error, Array.isArray(value) ? value[0] : value);
    },
    () => ({ headers: sorted(headers), members: sorted(new Map(Object.entries({ pet, error }))) }),
  );
}

export const traitsIn = (exchanges: readonly Exchange[]): Traits => createTraits()(exchanges);
