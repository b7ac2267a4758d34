// How lists answer what is open: how many animals they show, which ones, in which order.

import { DEFAULT_LIMIT, LARGEST_LIMIT } from '../../src/clause/limits.ts';
import type { Observation } from '../../src/clause/outcome.ts';
import { type Exchange, hasKey } from '../../src/oracle/exchange.ts';
import { saysNothingOfRequest } from '../../src/oracle/standing.ts';
import type { World } from '../../src/oracle/world.ts';
import type { PetView } from '../../src/schema/pet.ts';
import type { Sent } from '../../src/session/vector.ts';
import { isJsonObject, type Json } from '../../src/wire/json.ts';
import { oncePerObject } from '../../src/wire/once.ts';
import { OK } from '../../src/wire/statuses.ts';
import { answersOf, asksFor, isPlainGet, jsonOf, NO_RESPONSE, type Observe, type Question, statusOf } from './open-questions.ts';

const EXACT = 5;

/** Small counts show which limit was applied; exact large ones would change from run to run. */
function countOf(count: number): string {
  if (count <= EXACT) return count === 0 ? 'no animals' : `${count} animal${count === 1 ? '' : 's'}`;
  if (count <= DEFAULT_LIMIT) return 'up to 20 animals';
  return count <= LARGEST_LIMIT ? 'up to 100 animals' : 'more than 100 animals';
}

function statusesOf(items: readonly Json[]): string {
  const statuses = new Set(items.map((item) => (isJsonObject(item) && typeof item['status'] === 'string' ? item['status'] : 'none')));
  if (items.length === 0) return 'no animals';
  return statuses.size === 1 ? `only ${[...statuses].join('')}` : 'animals of several statuses';
}

const itemsOf = (exchange: Exchange): readonly Json[] | undefined => {
  const value = jsonOf(exchange);
  return statusOf(exchange) === OK && Array.isArray(value) ? value : undefined;
};

const listAnswer =
  (describe: (items: readonly Json[]) => string) =>
  (exchange: Exchange): string => {
    const [items, status] = [itemsOf(exchange), statusOf(exchange)];
    if (status === undefined) return NO_RESPONSE;
    if (items !== undefined) return `accepted: ${describe(items)}`;
    return status === OK ? 'returned 200 without a list' : `rejected with ${status}`;
  };

/** The query of a list, as it is sent, and before encoding. */
const queriesOf = oncePerObject(({ target }: Sent): readonly string[] => {
  const [path, query] = [target.slice(0, '/pets?'.length), target.slice('/pets?'.length)];
  if (path !== '/pets?') return [];
  try {
    return [query, decodeURIComponent(query)];
  } catch {
    return [query];
  }
});

/** Questions whose names are the queries that ask them. */
const lists = (queries: readonly string[]): readonly Question[] =>
  queries.map((query) => [query, (one) => queriesOf(one.sent).includes(query) && isPlainGet(one) && hasKey(one)]);

/** How many animals lists with these queries show. */
export const counted = (...queries: readonly string[]): Observe =>
  answersOf(
    lists(queries),
    listAnswer((items) => countOf(items.length)),
    'last',
  );
/** Which statuses the animals have that they show. */
export const byStatus = (...queries: readonly string[]): Observe => answersOf(lists(queries), listAnswer(statusesOf), 'last');

/** The animals of a list; undefined if all of its items are broken, so that it is unknown which animals it shows. */
const petsIn = ({ read: { pets, size } }: Exchange): readonly PetView[] | undefined => (pets?.length === 0 && size > 0 ? undefined : pets);

const LARGEST_LIST = `/pets?limit=${LARGEST_LIMIT}`;
const largestLists = (exchanges: readonly Exchange[], world: World): readonly Exchange[] =>
  exchanges.filter((one) => asksFor(LARGEST_LIST)(one, world) && petsIn(one) !== undefined);

const LEAST_IN_ORDER = 3;

const isSorted = <Key extends bigint | string>(keys: readonly Key[]): boolean =>
  keys.every((key, index) => index === 0 || (keys[index - 1] ?? key) <= key);

function orderOf(pets: readonly PetView[]): string {
  if (pets.length < LEAST_IN_ORDER) return 'too few animals to tell';
  const ids = pets.map(({ id }) => id);
  if (isSorted(ids)) return 'by id';
  if (isSorted(ids.toReversed())) return 'by descending id';
  return isSorted(pets.map(({ name }) => name ?? '')) ? 'by name' : 'not apparent';
}

/** The order in the last two of the largest lists. */
export function observeOrder(exchanges: readonly Exchange[], world: World): readonly Observation[] {
  const [first, second] = largestLists(exchanges, world)
    .slice(-2)
    .map((one) => petsIn(one) ?? []);
  if (first === undefined || second === undefined) return [];
  const idsIn = (pets: readonly PetView[]): ReadonlySet<bigint> => new Set(pets.map(({ id }) => id));
  const [ids, others] = [idsIn(first), idsIn(second)];
  const isSame = [...ids.intersection(others)].join() === [...others].filter((id) => ids.has(id)).join();
  return [
    { question: 'order of the list', answer: orderOf(first) },
    { question: 'order of two lists', answer: isSame ? 'the same' : 'different' },
  ];
}

const PAGING =
  /^(?:link|content-range|accept-ranges|x-(?:total|count|pagination|page|per-page|next|prev|offset|limit|cursor|has-more).*|.*(?:next|continuation|cursor).*|total-count)$/;

export function observePaging(exchanges: readonly Exchange[], world: World): readonly Observation[] {
  const small = exchanges.findLast((one) => asksFor('/pets?limit=1')(one, world) && !saysNothingOfRequest(one))?.response;
  const large = largestLists(exchanges, world).at(-1);
  if (small === undefined || large === undefined) return [];
  const { length: size } = petsIn(large) ?? [];
  const known = [...world.shownFirst.values()].filter((moment) => moment <= large.done).length;
  const hints = new Set(small.headers.map(([name]) => name).filter((name) => PAGING.test(name)));
  const isShort = size < LARGEST_LIMIT && size < known;
  return [
    { question: 'headers that point to further pages', answer: hints.size === 0 ? 'none' : [...hints].sort().join(', ') },
    {
      question: 'page of limit=100',
      answer: isShort ? 'shorter than the number of animals' : 'as long as the animals and the limit allow',
    },
  ];
}
