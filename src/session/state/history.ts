import type { Answer, Exchange, ExchangeOutcome } from '../../wire/exchange.ts';
import type { JsonReading } from '../../wire/json.ts';

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
function answersOf({ outcome, received = outcome, putOff }: Exchange): readonly Answer[] {
  return [...(received.kind === 'answered' ? [received.answer] : []), ...(putOff === undefined ? [] : [putOff])];
}

const lengthOf = ({ text = '' }: Answer): number => text.length;

const abridgeAnswer = (answer: Answer): Answer => (lengthOf(answer) > SMALL ? { ...answer, ...NOT_KEPT } : answer);

function abridgeOutcome(outcome: ExchangeOutcome): ExchangeOutcome {
  return outcome.kind === 'failed' ? outcome : { ...outcome, answer: abridgeAnswer(outcome.answer) };
}

/** The exchange without its large bodies. */
function abridge(exchange: Exchange): Exchange {
  const { outcome, received, putOff } = exchange;
  return {
    ...exchange,
    outcome: abridgeOutcome(outcome),
    ...(received === undefined ? {} : { received: abridgeOutcome(received) }),
    ...(putOff === undefined ? {} : { putOff: abridgeAnswer(putOff) }),
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
    const answers = answersOf(exchange).filter(({ json }) => !kept.has(json));
    const length = answers.reduce((sum, answer) => sum + lengthOf(answer), 0);
    if (length > room && answers.some((answer) => lengthOf(answer) > SMALL)) return abridge(exchange);
    for (const { json } of answers) kept.add(json);
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
