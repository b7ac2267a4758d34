import type { OperationStatistics, Traits } from '../../clause/run-record.ts';
import { type Exchange, type ExchangeOutcome, OPERATIONS } from '../../wire/exchange.ts';
import { isJsonObject, type Json } from '../../wire/json.ts';

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
    const { answer } = outcome;
    const key = `${operation} ${answer.status}`;
    const names = headers.get(key) ?? new Set<string>();
    headers.set(key, names);
    if (names.size < MOST_MEMBERS) for (const [name] of answer.headers) names.add(name);
    if (!answer.json.ok) continue;
    const { value } = answer.json;
    addMembers(answer.status < 400 ? pet : error, Array.isArray(value) ? value[0] : value);
  }
  return { headers: sorted(headers), members: sorted(new Map(Object.entries({ pet, error }))) };
}
