import type { OperationStatistics, Traits } from '../../clause/run-record.ts';
import { asReceived, type Exchange, OPERATIONS } from '../../wire/exchange.ts';
import { isJsonObject, type Json } from '../../wire/json.ts';

const MOST_DURATIONS = 5_000;
const MOST_MEMBERS = 100;
const LONGEST_NAME = 200;

/** Keeps what a report says of all exchanges together, not the exchanges themselves: a run may have many thousands. */
export type Recorder = {
  /** Calls the listener with each exchange from which something follows for the operations of the document. */
  onExchange(listener: (exchange: Exchange) => void): void;
  /** Calls the listener with every exchange, also those that only the check that sent them can judge. */
  onEveryExchange(listener: (exchange: Exchange) => void): void;
  record(exchange: Exchange): void;
  operations(): readonly OperationStatistics[];
  traits(): Traits;
  retried(): number;
  /** Requests that were sent again after a momentary failure. */
  sentAgain(): number;
  postponed(): number;
};

type Tally = { requests: number; statuses: Map<string, number>; durations: number[] };

function addMembers(into: Set<string>, value: Json | undefined): void {
  if (!isJsonObject(value)) return;
  for (const name in value) {
    if (into.size >= MOST_MEMBERS) return;
    into.add(name.slice(0, LONGEST_NAME));
  }
}

const sorted = (record: Map<string, Set<string>>): Record<string, readonly string[]> =>
  Object.fromEntries([...record].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, values]) => [name, [...values].sort()]));

export function createRecorder(): Recorder {
  const listeners: ((exchange: Exchange) => void)[] = [];
  const listenersToAll: ((exchange: Exchange) => void)[] = [];
  const tallies = new Map<string, Tally>(OPERATIONS.map((name) => [name, { requests: 0, statuses: new Map(), durations: [] }]));
  const headers = new Map<string, Set<string>>();
  const members = new Map<string, Set<string>>([
    ['pet', new Set()],
    ['error', new Set()],
  ]);
  let retried = 0;
  let sentAgain = 0;
  let postponed = 0;

  function noteTraits(exchange: Exchange): void {
    if (exchange.outcome.kind === 'failed') return;
    const { answer } = exchange.outcome;
    const key = `${exchange.request.intent.operation} ${answer.status}`;
    const names = headers.get(key) ?? new Set<string>();
    headers.set(key, names);
    if (names.size < MOST_MEMBERS) for (const [name] of answer.headers) names.add(name);
    if (!answer.json.ok) return;
    const { value } = answer.json;
    const kind = members.get(answer.status < 400 ? 'pet' : 'error') ?? new Set<string>();
    addMembers(kind, Array.isArray(value) ? value[0] : value);
  }

  return {
    onExchange: (listener) => listeners.push(listener),
    onEveryExchange: (listener) => listenersToAll.push(listener),
    record(read) {
      const exchange = asReceived(read);
      const tally = tallies.get(exchange.request.intent.operation);
      if (tally !== undefined) {
        tally.requests += 1;
        const status = exchange.outcome.kind === 'answered' ? String(exchange.outcome.answer.status) : 'failed';
        tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
        if (tally.durations.length < MOST_DURATIONS) tally.durations.push(Math.round(exchange.timings.duration * 10) / 10);
      }
      retried += exchange.retried ? 1 : 0;
      sentAgain += exchange.firstTry === undefined ? 0 : 1;
      postponed += exchange.postponed;
      for (const listener of listenersToAll) listener(read);
      if (exchange.request.intent.undocumented === true) return;
      noteTraits(exchange);
      for (const listener of listeners) listener(read);
    },
    operations: () =>
      [...tallies].map(([operation, { requests, statuses, durations }]) => ({
        operation,
        requests,
        statuses: Object.fromEntries([...statuses].sort(([a], [b]) => (a < b ? -1 : 1))),
        durations,
      })),
    traits: () => ({ headers: sorted(headers), members: sorted(members) }),
    retried: () => retried,
    sentAgain: () => sentAgain,
    postponed: () => postponed,
  };
}
