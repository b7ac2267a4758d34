import type { Parts } from '../core/parts.ts';
import { Problem } from '../core/problem.ts';
import { problemReply } from '../core/replies.ts';
import { busyStore, listLags } from './consistency.ts';
import { randomIds } from './ids.ts';
import { newestFirst } from './lists.ts';
import { combine, type Variant, variant } from './variant.ts';

const gap = 'response headers of any operation: not shown';
const removal = 'what follows the removal on 5 December 2030: not stated';

/** A store of another size. */
function store(name: string, seedAnimals: number): Variant {
  return variant(name, 'what is in the store', `The store begins with ${seedAnimals} animals.`, () => ({}), { seedAnimals });
}

/** Headers of getPet other than those of the base. */
function announce(name: string, summary: string, change: Readonly<Record<string, string | undefined>>): Variant {
  const replace = (parts: Parts): Partial<Parts> => ({
    headers: (given, reply, call) => {
      const headers = { ...parts.headers(given, reply, call), ...(call.operation === 'getPet' ? change : {}) };
      return Object.fromEntries(Object.entries(headers).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));
    },
  });
  return variant(name, gap, summary, replace, { seedAnimals: 3 });
}

/** getPet after its removal. */
function removed(name: string, status: number, date = '2031-01-15T12:00:00Z'): Variant {
  const replace = (parts: Parts): Partial<Parts> => ({
    getPet: (context) =>
      context.now().getTime() >= Date.UTC(2030, 11, 5)
        ? problemReply(context, new Problem(status, 'removed', 'getPet was removed on 5 December 2030'))
        : parts.getPet(context),
  });
  const now = () => new Date(date);
  return variant(name, removal, `It is ${date.slice(0, 10)}, and getPet answers ${status}.`, replace, { seedAnimals: 8, now });
}

/** Stores, addresses, dates, and several choices at once. */
export const deploymentVariants: readonly Variant[] = [
  store('store-empty', 0),
  store('store-of-1', 1),
  store('store-of-19', 19),
  store('store-of-20', 20),
  store('store-of-21', 21),
  store('store-of-100', 100),
  store('store-of-101', 101),
  store('store-of-5000', 5000),
  variant('base-path-deep', 'the base address of each deployment', 'The base path has four segments.', () => ({}), {
    basePath: '/api/petstore/europe/v1',
    seedAnimals: 8,
  }),
  variant('host-ipv6', 'the base address of each deployment', 'The server listens on IPv6.', () => ({}), { host: '::1', seedAnimals: 8 }),
  announce('deprecation-unannounced', 'getPet has neither Deprecation nor Sunset.', { deprecation: undefined, sunset: undefined }),
  announce('sunset-only', 'getPet has Sunset and no Deprecation.', { deprecation: undefined }),
  announce('deprecation-only', 'getPet has Deprecation and no Sunset.', { sunset: undefined }),
  announce('sunset-at-end-of-day', 'Sunset is the last second of the day.', { sunset: 'Thu, 05 Dec 2030 23:59:59 GMT' }),
  announce('sunset-at-noon', 'Sunset is at noon.', { sunset: 'Thu, 05 Dec 2030 12:00:00 GMT' }),
  announce('deprecation-in-the-future', 'Deprecation is dated 2029, before the removal.', {
    deprecation: `@${Date.UTC(2029, 5, 1) / 1000}`,
  }),
  announce('deprecation-with-links', 'Links lead to the announcement and the successor.', {
    link: '<https://example.org/sunset>; rel="sunset", <https://example.org/deprecated>; rel="deprecation"',
  }),
  removed('removed-not-found', 404),
  removed('removed-gone', 410),
  removed('removed-not-allowed', 405),
  removed('removed-not-implemented', 501),
  removed('removed-on-the-day', 410, '2030-12-05T00:00:00Z'),
  variant('kept-after-removal-date', removal, 'It is 2031, and getPet still works.', () => ({}), {
    seedAnimals: 8,
    now: () => new Date('2031-01-15T12:00:00Z'),
  }),
  combine(
    'newest-first-random-ids-lagging',
    'The newest comes first, ids are random, and the list lags.',
    [newestFirst, randomIds, listLags],
    { seedAnimals: 45 },
  ),
  combine('busy-newest-first', 'Others create animals, and the newest come first.', [newestFirst, busyStore], { seedAnimals: 25 }),
  combine('busy-random-ids-lagging', 'Others create animals under random ids, and the list lags.', [randomIds, listLags, busyStore], {
    seedAnimals: 12,
  }),
];
