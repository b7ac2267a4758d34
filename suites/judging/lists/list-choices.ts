import type { Observation } from '../../../src/clause/outcome.ts';
import { statusOf } from '../../../src/expect/expect.ts';
import type { CallOptions, ListParameters } from '../../../src/session/client/api.ts';
import type { Session } from '../../../src/session/session.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';
import { isJsonObject, type Json } from '../../../src/wire/json.ts';
import { itemsOf } from './items-of.ts';

/** A list request that the document leaves open, and the question's name in behavior.json. */
export type OpenList = { readonly question: string; readonly parameters?: ListParameters; readonly options?: CallOptions };

const EXACT = 5;
const DEFAULT = 20;
const LARGEST = 100;

/** A count as behavior.json keeps it: small counts show which limit was applied, exact large ones would change from run to run. */
function countOf(count: number): string {
  if (count <= EXACT) return count === 0 ? 'no animals' : `${count} animal${count === 1 ? '' : 's'}`;
  if (count <= DEFAULT) return 'up to 20 animals';
  return count <= LARGEST ? 'up to 100 animals' : 'more than 100 animals';
}

function answered(exchange: Exchange, describe: (items: readonly Json[]) => string): string {
  const status = statusOf(exchange);
  const items = exchange.outcome.kind === 'answered' ? itemsOf(exchange.outcome.answer) : undefined;
  if (status === undefined) return 'no complete response';
  if (items === undefined) return status === 200 ? 'returned 200 without a list' : `rejected with ${status}`;
  return describe(items);
}

/** How many animals the response shows. */
export function countChoice(exchange: Exchange): string {
  return answered(exchange, (items) => `accepted: ${countOf(items.length)}`);
}

/** Which statuses the response shows. */
export function statusChoice(exchange: Exchange): string {
  return answered(exchange, (items) => {
    const statuses = new Set(items.map((item) => (isJsonObject(item) && typeof item['status'] === 'string' ? item['status'] : 'none')));
    if (items.length === 0) return 'accepted: no animals';
    return statuses.size === 1 ? `accepted: only ${[...statuses].join('')}` : 'accepted: animals of several statuses';
  });
}

/** Requests lists that the document leaves open and records the outcome. */
export function observeLists(s: Session, lists: readonly OpenList[], choice: (exchange: Exchange) => string): Promise<Observation[]> {
  return s.all(lists, async ({ question, parameters, options }) => ({ question, answer: choice(await s.api.list(parameters, options)) }));
}
