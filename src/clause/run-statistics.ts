// What a run records of all responses: how often, with which status and how fast each operation responded, and what responses have.

import { type HttpResponse, OPERATIONS, type Operation } from '../wire/exchange.ts';
import { isJsonObject, type Json } from '../wire/json.ts';
import type { OperationStatistics, Traits } from './run-record.ts';

/** An exchange, as far as statistics are about it; the response to the letter. */
export type Counted = {
  readonly operation: Operation;
  /** Undefined without a complete one. */
  readonly response: HttpResponse | undefined;
  /** Milliseconds. */
  readonly duration: number;
  /** Whether the document shows such a request. */
  readonly isDocumented: boolean;
};

const MOST_DURATIONS = 5_000;
const MOST_MEMBERS = 100;
const LONGEST_NAME = 200;

/** A function that adds up exchanges as they come: each call looks at those that were added since the last one. */
function addedUp<One, Result>(add: (one: One) => void, result: () => Result): (all: readonly One[]) => Result {
  let counted = 0;
  return (all) => {
    for (; counted < all.length; counted += 1) {
      const one = all[counted];
      if (one !== undefined) add(one);
    }
    return result();
  };
}

type Tally = { requests: number; readonly statuses: Map<string, number>; readonly durations: number[] };

/** How often each operation was requested, what it returned, and how long that took: of one history, which grows from call to call. */
export function createOperations<One>(countedOf: (one: One) => Counted): (all: readonly One[]) => readonly OperationStatistics[] {
  const tallies = OPERATIONS.map((operation) => ({
    operation,
    tally: { requests: 0, statuses: new Map<string, number>(), durations: [] } as Tally,
  }));
  return addedUp(
    (one) => {
      const { operation, response, duration } = countedOf(one);
      const tally = tallies.find((each) => each.operation === operation)?.tally;
      if (tally === undefined) return;
      const status = response === undefined ? 'failed' : String(response.status);
      tally.requests += 1;
      tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
      if (tally.durations.length < MOST_DURATIONS) tally.durations.push(Math.round(duration * 10) / 10);
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
export function createTraits<One>(countedOf: (one: One) => Counted): (all: readonly One[]) => Traits {
  const headers = new Map<string, Set<string>>();
  const [pet, error] = [new Set<string>(), new Set<string>()];
  return addedUp(
    (one) => {
      const { operation, response, isDocumented } = countedOf(one);
      if (!isDocumented || response === undefined) return;
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

/** Names are texts of the service: it may put the key into a header name or a member name. */
export function redactTraits(traits: Traits, show: (text: string) => string): Traits {
  const redacted = (record: Traits['headers']) =>
    Object.fromEntries(Object.entries(record).map(([name, values]) => [name, values.map(show)]));
  return { headers: redacted(traits.headers), members: redacted(traits.members) };
}
