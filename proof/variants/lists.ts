import type { Patch } from '../../src/reference/core/parts.ts';
import type { Pet } from '../../src/reference/core/store.ts';
import { seeded, variantsOf } from './variant.ts';

function ordered(arrange: (animals: Pet[]) => Pet[]): Patch {
  return (parts) => ({ arrange: (store) => arrange([...parts.arrange(store)]) });
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

/** A page shorter than requested, though never below the default size. */
function capped(most: number): Patch {
  return (parts) => ({
    page: (animals, query, call) => parts.page(animals, { ...query, limit: Math.min(query.limit, most) }, call),
  });
}

/** A header next to a list. */
function listHeader(header: string, value: (total: number) => string): Patch {
  return (parts) => ({
    listPets: async (context) => {
      const reply = await parts.listPets(context);
      const extra = { [header]: value(context.store.animals.length) };
      return reply.status === 200 ? { ...reply, headers: { ...reply.headers, ...extra } } : reply;
    },
  });
}

/** Further pages by a parameter of the server's own. */
function pageBy(parameter: string, first: (value: number, limit: number) => number): Patch {
  return (parts) => ({
    page: (animals, query, call) => {
      const start = first(Number(call.query.get(parameter) ?? Number.NaN), query.limit);
      return parts.page(start > 0 ? animals.slice(start) : animals, query, call);
    },
  });
}

/** Orders of the list and ways of paging. */
export const listVariants = {
  ...variantsOf(seeded(30, 'list.order'), {
    'list-newest-first': ['The newest animal comes first.', ordered((animals) => animals.reverse())],
    'list-by-name': ['The list is sorted by name.', ordered((animals) => animals.sort((a, b) => compare(a.name, b.name)))],
    'list-shuffled': ['The list is in a different order each time.', ordered(shuffle)],
    'list-shuffled-small': ['A short list is in a different order each time.', ordered(shuffle), { seedAnimals: 8 }],
    'list-by-category': [
      'The list is sorted by category.',
      ordered((animals) => animals.sort((a, b) => compare(a.categoryId, b.categoryId))),
    ],
    'list-by-id-as-text': [
      'The list is sorted by the id as text.',
      ordered((animals) => animals.sort((a, b) => compare(`${a.id}`, `${b.id}`))),
    ],
    'list-sold-last': [
      'Sold animals come last.',
      ordered((animals) => animals.sort((a, b) => compare(a.status === 'sold', b.status === 'sold'))),
    ],
  }),
  ...variantsOf(seeded(45, 'list.paging'), {
    'page-capped-at-50': ['No page has more than 50 animals, whatever limit says.', capped(50), { seedAnimals: 150 }],
    'page-capped-at-20': ['No page has more than 20 animals, whatever limit says.', capped(20), { seedAnimals: 150 }],
    'list-with-total-count': ['X-Total-Count gives the number of animals.', listHeader('x-total-count', String)],
    'list-with-link': ['A Link header points to a later page.', listHeader('link', () => '</v1/pets?cursor=abc>; rel="next"')],
    'list-with-cursor-header': [
      'X-Next-Cursor holds an opaque cursor.',
      listHeader('x-next-cursor', (total) => Buffer.from(`after:${total}`).toString('base64')),
    ],
    'page-by-number': ['A later page is selected by the parameter page.', pageBy('page', (value, limit) => (value - 1) * limit)],
    'page-by-offset': ['A later page is selected by the parameter offset.', pageBy('offset', (value) => value)],
  }),
};
