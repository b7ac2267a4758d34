import type { Parts } from '../core/parts.ts';
import type { Pet } from '../core/pet.ts';
import type { Store } from '../core/store.ts';
import { type Variant, variant } from './variant.ts';

const order = 'list.order';
const paging = 'list.paging';

function ordered(name: string, summary: string, arrange: (animals: Pet[]) => Pet[], seedAnimals = 30): Variant {
  const replace = (parts: Parts): Partial<Parts> => ({ arrange: (store: Store) => arrange([...parts.arrange(store)]) });
  return variant(name, order, summary, replace, { seedAnimals });
}

function compare<T>(left: T, right: T): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function shuffle(animals: Pet[]): Pet[] {
  return animals
    .map((pet) => ({ pet, key: Math.random() }))
    .sort((left, right) => left.key - right.key)
    .map(({ pet }) => pet);
}

/** A page cut shorter than asked for, though never below the default size. */
function capped(name: string, most: number): Variant {
  const replace = (parts: Parts): Partial<Parts> => ({
    page: (animals, query, call) => parts.page(animals, { ...query, limit: Math.min(query.limit, most) }, call),
  });
  return variant(name, paging, `No page has more than ${most} animals, whatever limit says.`, replace, { seedAnimals: 150 });
}

/** A header beside a list. */
function listHeader(name: string, summary: string, header: string, value: (total: number) => string): Variant {
  const replace = (parts: Parts): Partial<Parts> => ({
    listPets: async (context) => {
      const reply = await parts.listPets(context);
      const extra = { [header]: value(context.store.animals.length) };
      return reply.status === 200 ? { ...reply, headers: { ...reply.headers, ...extra } } : reply;
    },
  });
  return variant(name, paging, summary, replace, { seedAnimals: 45 });
}

/** A further page by a parameter of the server's own. */
function pageBy(name: string, parameter: string, first: (value: number, limit: number) => number): Variant {
  const replace = (parts: Parts): Partial<Parts> => ({
    page: (animals, query, call) => {
      const start = first(Number(call.query.get(parameter) ?? Number.NaN), query.limit);
      return parts.page(start > 0 ? animals.slice(start) : animals, query, call);
    },
  });
  return variant(name, paging, `A later page is selected by the parameter ${parameter}.`, replace, { seedAnimals: 45 });
}

/** The newest animal comes first. */
export const newestFirst: Variant = ordered('list-newest-first', 'The newest animal comes first.', (animals) => animals.reverse());

/** Orders of the list and ways of paging. */
export const listVariants: readonly Variant[] = [
  newestFirst,
  ordered('list-by-name', 'The list is sorted by name.', (animals) => animals.sort((a, b) => compare(a.name, b.name))),
  ordered('list-shuffled', 'The list has another order each time.', shuffle),
  ordered('list-shuffled-small', 'A short list has another order each time.', shuffle, 8),
  ordered('list-by-category', 'The list is sorted by category.', (animals) => animals.sort((a, b) => compare(a.categoryId, b.categoryId))),
  ordered('list-by-id-as-text', 'The list is sorted by the spelling of the id.', (animals) =>
    animals.sort((a, b) => compare(`${a.id}`, `${b.id}`)),
  ),
  ordered('list-sold-last', 'Sold animals come last.', (animals) =>
    animals.sort((a, b) => compare(a.status === 'sold', b.status === 'sold')),
  ),
  capped('page-capped-at-50', 50),
  capped('page-capped-at-20', 20),
  listHeader('list-with-total-count', 'X-Total-Count tells the number of animals.', 'x-total-count', String),
  listHeader('list-with-link', 'A Link header points to a later page.', 'link', () => '</v1/pets?cursor=abc>; rel="next"'),
  listHeader('list-with-cursor-header', 'X-Next-Cursor holds an opaque cursor.', 'x-next-cursor', (total) =>
    Buffer.from(`after:${total}`).toString('base64'),
  ),
  pageBy('page-by-number', 'page', (value, limit) => (value - 1) * limit),
  pageBy('page-by-offset', 'offset', (value) => value),
];
