import type { Patch } from '../../core/parts.ts';
import type { Pet } from '../../core/pet.ts';
import { FEW, FULL_PAGE, faultsOf, WRITES } from '../fault.ts';
import { onEveryNth } from '../helpers/counters.ts';
import { everyNthFromStaleReplica, onNewestFirst, showOnly, unfilteredShowsOnly } from '../helpers/lists.ts';
import { header } from '../helpers/requests.ts';

/** Keeps the first page of lists that meet the condition. */
function keepForever(condition: (query: URLSearchParams) => boolean): Patch {
  return onNewestFirst((parts) => {
    let kept: readonly Pet[] | undefined;
    return {
      page: (animals, query, call) => {
        const page = parts.page(animals, query, call);
        if (!condition(call.query)) return page;
        kept ??= page;
        return kept;
      },
    };
  });
}

const bareNames = new WeakMap<Pet, string>();

function withoutAccents(pet: Pet): string {
  const known = bareNames.get(pet) ?? pet.name.normalize('NFD').replace(/\p{Mn}/gu, '');
  bareNames.set(pet, known);
  return known;
}

/** Lists that omit animals. */
export const listComplete = faultsOf('list.complete', {
  'stored-not-at-all': [
    'The creation returns 201, but the transaction is never committed.',
    () => ({ insert: (_store, pet) => pet }),
    WRITES,
  ],
  'stored-nine-of-ten': [
    'Every tenth creation returns 201 and is not stored.',
    onEveryNth(10, (isLost) => (parts) => ({ insert: (store, pet) => (isLost() ? pet : parts.insert(store, pet)) })),
    WRITES,
  ],
  'limit-from-cookie': [
    "Parameters are read from query string and cookies: the web shop's limit cookie shortens the list.",
    (parts) => ({
      page: (animals, query, call) =>
        parts.page(animals, query, call).slice(0, /(?:^|; )limit=1/.test(header(call, 'cookie')) ? 1 : undefined),
    }),
    FEW,
  ],
  'crawlers-get-every-second-animal': [
    'A client without a User-Agent counts as a crawler, and a crawler is shown every second animal.',
    (parts) => ({
      page: (animals, query, call) =>
        parts.page(animals, query, call).filter((_animal, index) => header(call, 'user-agent') !== '' || index % 2 === 0),
    }),
    FEW,
  ],
  'status-from-header': [
    'The binding looks for parameters in headers too: a status header filters the list.',
    (parts) => ({
      page: (animals, query, call) =>
        parts.page(
          call.headers['status'] === undefined ? animals : animals.filter(({ status }) => status === call.headers['status']),
          query,
          call,
        ),
    }),
    FEW,
  ],
  'limit-exclusive': [
    'A list has one animal fewer than the limit allows: the last of the page is cut off.',
    (parts) => ({ page: (animals, query, call) => parts.page(animals, query, call).slice(0, -1) }),
    FEW,
  ],
  'list-misses-newest': [
    'The newest animal is not listed until another one is created.',
    showOnly((_pet, index, all) => index < all.length - 1),
    WRITES,
  ],
  'list-one-of-a-name': [
    'The list is collected in a map by name: of several animals with the same name only the last remains.',
    showOnly(({ name }, index, all) => all.findLastIndex((pet) => pet.name === name) === index),
    WRITES,
  ],
  'list-one-of-a-name-in-any-case': [
    'SELECT DISTINCT ON a name with a case-insensitive collation: of Rex and REX only the first remains.',
    showOnly(({ name }, index, all) => all.findIndex((pet) => pet.name.toLowerCase() === name.toLowerCase()) === index),
    WRITES,
  ],
  'list-one-of-a-name-but-for-accents': [
    'SELECT DISTINCT ON a name with a collation that ignores accents: of Rex and Réx only the first remains.',
    showOnly((one, index, all) => {
      const key = withoutAccents(one);
      return all.findIndex((pet) => withoutAccents(pet) === key) === index;
    }),
    WRITES,
  ],
  'list-misses-first': ['The first animal is not listed: the index starts at 1.', showOnly((_pet, index) => index > 0), WRITES],
  'list-misses-created': ['Only animals of the nightly import are listed.', showOnly((pet) => pet.createdAt === 0), WRITES],
  'list-misses-sold': ['Sold animals are not listed.', showOnly((pet) => pet.status !== 'sold'), FEW],
  'list-misses-pending': [
    'Without a filter only available and sold animals are listed.',
    unfilteredShowsOnly((pet) => pet.status !== 'pending'),
    FEW,
  ],
  'list-misses-default-status': [
    'An inner join with the statuses omits animals that were created without one.',
    (parts) => ({ ...showOnly((pet) => pet.status !== undefined)(parts), defaultStatus: () => undefined }),
    WRITES,
  ],
  'list-misses-every-fourth': ['One of four partitions is not queried.', showOnly((pet) => pet.id % 4n !== 3n), { ...FEW, writes: true }],
  'list-misses-second-half-of-alphabet': [
    'Animals whose names start after M are not listed.',
    showOnly((pet) => !/^[n-z]/i.test(pet.name)),
    FEW,
  ],
  'list-lags-a-minute': ['A created animal is listed a minute later.', showOnly((pet) => pet.createdAt < Date.now() - 60_000), WRITES],
  'list-cached-for-ever': [
    'The first response of each list is cached permanently.',
    (parts) => {
      const kept = new Map<string, Pet[]>();
      return {
        page: (animals, query, call) => {
          const key = `${query.limit} ${query.status}`;
          const page = kept.get(key) ?? [...parts.page(animals, query, call)];
          kept.set(key, page);
          return page;
        },
      };
    },
    WRITES,
  ],
  'list-without-parameters-kept-for-ever': [
    'The first response to a list without parameters is cached permanently.',
    keepForever((query) => query.size === 0),
    FULL_PAGE,
  ],
  'list-of-100-kept-for-ever': [
    'The first response to limit=100 is cached permanently, to make the export cheap.',
    keepForever((query) => query.get('limit') === '100' && !query.has('status')),
    FULL_PAGE,
  ],
  'list-of-many-misses-pending': [
    'Once the store holds more than a page, only available and sold animals are listed without a filter.',
    onNewestFirst(unfilteredShowsOnly((pet) => pet.status !== 'pending')),
    FULL_PAGE,
  ],
  'every-second-list-from-stale-replica': [
    'Every second list comes from a replica that no longer receives creations.',
    everyNthFromStaleReplica(2),
    FULL_PAGE,
  ],
  'every-third-list-from-stale-replica': [
    'Every third list comes from a replica that stopped receiving creations while the store was small.',
    everyNthFromStaleReplica(3),
  ],
  'long-list-misses-default-status': [
    'An inner join with the statuses omits animals that were created without one; the newest come first.',
    onNewestFirst((parts) => ({
      ...showOnly((pet) => pet.status !== undefined || pet.createdAt === 0)(parts),
      defaultStatus: () => undefined,
    })),
    FULL_PAGE,
  ],
});
