// Everything that was sent and received, with statistics; what it says about the service as a whole is in conduct.ts.

import { LARGEST_LIMIT } from '../../clause/limits.ts';
import type { OperationStatistics, Traits } from '../../clause/run-record.ts';
import { type Counted, createOperations as operationsBy, createTraits as traitsBy } from '../../clause/run-statistics.ts';
import { FIELDS, isPet } from '../../schema/pet.ts';
import type { Exchange, ExchangeOutcome, HttpResponse } from '../../wire/exchange.ts';
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

/** Statistics are about responses exactly as received. */
function countedOf({ outcome, received = outcome, request: { intent }, timings }: Exchange): Counted {
  const response = received.kind === 'answered' ? received.answer : undefined;
  return { operation: intent.operation, response, duration: timings.duration, isDocumented: intent.undocumented !== true };
}

export const createOperations = (): ((exchanges: readonly Exchange[]) => readonly OperationStatistics[]) => operationsBy(countedOf);
export const createTraits = (): ((exchanges: readonly Exchange[]) => Traits) => traitsBy(countedOf);
export const operationsIn = (exchanges: readonly Exchange[]): readonly OperationStatistics[] => createOperations()(exchanges);
export const traitsIn = (exchanges: readonly Exchange[]): Traits => createTraits()(exchanges);
