import { DEFAULT_LIMIT, LARGEST_LIMIT } from '../../src/clause/limits.ts';
import type { Observation } from '../../src/clause/outcome.ts';
import type { Event } from '../../src/oracle/world.ts';
import type { PetView } from '../../src/schema/pet.ts';
import type { CallOptions, ListParameters } from '../../src/session/client/api.ts';
import type { Session } from '../../src/session/session.ts';
import { isJsonObject, type Json } from '../../src/wire/json.ts';
import { itemsOf } from './lists.ts';

/** A list request that the document leaves open. Its name in behavior.json is its query, as sent or before encoding. */
export type OpenList = { readonly question: string; readonly parameters?: ListParameters; readonly options?: CallOptions };

const EXACT = 5;

/** A count as behavior.json keeps it: small counts show which limit was applied; exact large ones would change from run to run. */
function countOf(count: number): string {
  if (count <= EXACT) return count === 0 ? 'no animals' : `${count} animal${count === 1 ? '' : 's'}`;
  if (count <= DEFAULT_LIMIT) return 'up to 20 animals';
  return count <= LARGEST_LIMIT ? 'up to 100 animals' : 'more than 100 animals';
}

/** The animals of a list; undefined if all of its items are broken, so that it is unknown which animals it shows. */
export function readPets({ exchange: { outcome }, pets }: Event): readonly PetView[] | undefined {
  const items = outcome.kind === 'answered' ? (itemsOf(outcome.answer) ?? []) : [];
  return pets?.length === 0 && items.length > 0 ? undefined : pets;
}

function choiceOf({ exchange: { outcome } }: Event, describe: (items: readonly Json[]) => string): string {
  if (outcome.kind === 'failed') return 'no complete response';
  const { status } = outcome.answer;
  const items = itemsOf(outcome.answer);
  if (items === undefined) return status === 200 ? 'returned 200 without a list' : `rejected with ${status}`;
  return describe(items);
}

export function countChoice(event: Event): string {
  return choiceOf(event, (items) => `accepted: ${countOf(items.length)}`);
}

export function statusChoice(event: Event): string {
  return choiceOf(event, (items) => {
    const statuses = new Set(items.map((item) => (isJsonObject(item) && typeof item['status'] === 'string' ? item['status'] : 'none')));
    if (items.length === 0) return 'accepted: no animals';
    return statuses.size === 1 ? `accepted: only ${[...statuses].join('')}` : 'accepted: animals of several statuses';
  });
}

export function sendLists(s: Session, lists: readonly OpenList[]): Promise<unknown> {
  return s.all(lists, ({ parameters, options }) => s.api.list(parameters, options));
}

function asks(question: string): (event: Event) => boolean {
  return ({ exchange }) => [exchange.request.query, decodeURIComponent(exchange.request.query)].includes(question);
}

/** The result of each question; if it was requested again, the latest one. */
export function observeLists(
  events: readonly Event[],
  lists: readonly OpenList[],
  choice: (event: Event) => string,
): readonly Observation[] {
  return lists.flatMap(({ question }) => {
    const event = events.findLast(asks(question));
    return event === undefined ? [] : [{ question, answer: choice(event) }];
  });
}
