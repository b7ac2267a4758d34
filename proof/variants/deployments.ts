import { type Patch, Problem, problemReply } from '../../src/reference/core/parts.ts';
import { consistencyVariants } from './consistency.ts';
import { idVariants } from './creation.ts';
import { listVariants } from './lists.ts';
import { combinationsOf, seeded, type VariantSetting, variantsOf } from './variant.ts';

const unchanged: Patch = () => ({});

function at(date: string): () => Date {
  return () => new Date(date);
}

/** Changes headers of getPet. */
function announce(change: Readonly<Record<string, string | undefined>>): Patch {
  return (parts) => ({
    headers: (given, reply, call) => {
      const headers = { ...parts.headers(given, reply, call), ...(call.operation === 'getPet' ? change : {}) };
      return Object.fromEntries(Object.entries(headers).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));
    },
  });
}

/** getPet after its removal. */
function removed(status: number): Patch {
  return (parts) => ({
    getPet: (context) =>
      context.now().getTime() >= Date.UTC(2030, 11, 5)
        ? problemReply(context, new Problem(status, 'removed', 'getPet was removed on 5 December 2030'))
        : parts.getPet(context),
  });
}

const LATER: VariantSetting = { seedAnimals: 8, now: at('2031-01-15T12:00:00Z') };

/** Stores, addresses, dates, and several choices at once. */
export const deploymentVariants = {
  ...variantsOf('what is in the store', {
    'store-empty': ['The store begins with 0 animals.', unchanged, { seedAnimals: 0 }],
    'store-of-1': ['The store begins with 1 animal.', unchanged, { seedAnimals: 1 }],
    'store-of-19': ['The store begins with 19 animals.', unchanged, { seedAnimals: 19 }],
    'store-of-20': ['The store begins with 20 animals.', unchanged, { seedAnimals: 20 }],
    'store-of-21': ['The store begins with 21 animals.', unchanged, { seedAnimals: 21 }],
    'store-of-100': ['The store begins with 100 animals.', unchanged, { seedAnimals: 100 }],
    'store-of-101': ['The store begins with 101 animals.', unchanged, { seedAnimals: 101 }],
    'store-of-5000': ['The store begins with 5000 animals.', unchanged, { seedAnimals: 5000 }],
  }),
  ...variantsOf('the base address of each deployment', {
    'base-path-deep': ['The base path has four segments.', unchanged, { basePath: '/api/petstore/europe/v1', seedAnimals: 8 }],
    'host-ipv6': ['The server listens on IPv6.', unchanged, { host: '::1', seedAnimals: 8 }],
  }),
  ...variantsOf(seeded(3, 'response headers of any operation: not shown'), {
    'deprecation-unannounced': ['getPet has neither Deprecation nor Sunset.', announce({ deprecation: undefined, sunset: undefined })],
    'sunset-only': ['getPet has Sunset and no Deprecation.', announce({ deprecation: undefined })],
    'deprecation-only': ['getPet has Deprecation and no Sunset.', announce({ sunset: undefined })],
    'sunset-at-end-of-day': ['Sunset is the last second of the day.', announce({ sunset: 'Thu, 05 Dec 2030 23:59:59 GMT' })],
    'sunset-at-noon': ['Sunset is at noon.', announce({ sunset: 'Thu, 05 Dec 2030 12:00:00 GMT' })],
    'deprecation-in-the-future': [
      'Deprecation is dated 2029, before the removal.',
      announce({ deprecation: `@${Date.UTC(2029, 5, 1) / 1000}` }),
    ],
    'deprecation-with-links': [
      'Links lead to the announcement and the successor.',
      announce({ link: '<https://example.org/sunset>; rel="sunset", <https://example.org/deprecated>; rel="deprecation"' }),
    ],
  }),
  ...variantsOf('what follows the removal on 5 December 2030: not stated', {
    'removed-not-found': ['It is 2031-01-15, and getPet returns 404.', removed(404), LATER],
    'removed-gone': ['It is 2031-01-15, and getPet returns 410.', removed(410), LATER],
    'removed-not-allowed': ['It is 2031-01-15, and getPet returns 405.', removed(405), LATER],
    'removed-not-implemented': ['It is 2031-01-15, and getPet returns 501.', removed(501), LATER],
    'removed-on-the-day': ['It is 2030-12-05, and getPet returns 410.', removed(410), { seedAnimals: 8, now: at('2030-12-05T00:00:00Z') }],
    'kept-after-removal-date': [
      'It is 2031, and getPet still works.',
      unchanged,
      { seedAnimals: 8, now: () => new Date('2031-01-15T12:00:00Z') },
    ],
  }),
  ...combinationsOf({
    'newest-first-random-ids-lagging': [
      'The newest animal comes first, ids are random, and the list lags.',
      [listVariants['list-newest-first'], idVariants['ids-random-int64'], consistencyVariants['list-lags']],
      { seedAnimals: 45 },
    ],
    'busy-newest-first': [
      'Other clients create animals, and the newest come first.',
      [listVariants['list-newest-first'], consistencyVariants['other-clients-create']],
      { seedAnimals: 25 },
    ],
    'busy-random-ids-lagging': [
      'Other clients create animals with random ids, and the list lags.',
      [idVariants['ids-random-int64'], consistencyVariants['list-lags'], consistencyVariants['other-clients-create']],
      { seedAnimals: 12 },
    ],
  }),
};
