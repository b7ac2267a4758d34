// Lists that fail, lack animals, show them twice, or change them.

import { integerLiteral } from '../../src/reference/core/json.ts';
import { type Parts, type Patch, Problem, withParts } from '../../src/reference/core/parts.ts';
import { type Pet, removePet, STATUSES, type Status, type Store } from '../../src/reference/core/store.ts';
import { EMPTY_STORE, FEW, FULL_PAGE, faultsOf, LARGE_STORE, needing, WRITES } from './fault.ts';
import {
  changeMatches,
  everyNthFromStaleReplica,
  filterBy,
  filterByRemembered,
  onNewestFirst,
  showMissingStatus,
  showOnly,
  unfilteredShowsOnly,
} from './patches/animals.ts';
import { everyNth, header, isEmptyList, isListed, onEveryNth, reject, rejectForMoments, rewriteIf } from './patches/exchanges.ts';

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

/** Filters that omit matching animals. */
export const listFilterComplete = faultsOf('list.filter-complete', {
  'filter-misses-explicit-available': [
    'status=available finds animals by their default only: those created with it are missed.',
    onNewestFirst((parts) => ({
      ...showMissingStatus('available')(parts),
      matches: (pet, status) =>
        status === 'available' ? pet.status === undefined || (pet.createdAt === 0 && pet.status === status) : parts.matches(pet, status),
    })),
    FULL_PAGE,
  ],
  'every-second-filtered-list-from-stale-replica': [
    'Lists with a status are spread over two replicas, and one of these no longer receives creations.',
    onNewestFirst((parts) => {
      const isStale = everyNth(2);
      const arrange: Parts['arrange'] = (store) => parts.arrange(store).filter(({ createdAt }) => createdAt === 0);
      return {
        listPets: (context) => parts.listPets(context.call.query.has('status') && isStale() ? withParts(context, { arrange }) : context),
      };
    }),
    FULL_PAGE,
  ],
  'filter-after-page': [
    'The page is cut first and filtered afterwards.',
    (parts) => ({
      matches: () => true,
      page: (animals, query, call) => {
        const { status } = query;
        const shown = parts.page(animals, query, call);
        return status === undefined ? shown : shown.filter((pet) => parts.matches(pet, status));
      },
    }),
    LARGE_STORE,
  ],
  'filter-searches-first-50': [
    'The filter searches the first fifty animals only.',
    (parts) => ({
      listPets: (context) => {
        const arrange: Parts['arrange'] = (store) => parts.arrange(store).slice(0, 50);
        return parts.listPets(context.call.query.has('status') ? withParts(context, { arrange }) : context);
      },
    }),
    { seedAnimals: 50, writes: true },
  ],
  'filter-drops-last-match': ['The last matching animal is omitted.', changeMatches((animals) => animals.slice(0, -1)), FEW],
  'filter-drops-first-match': ['The first matching animal is omitted.', changeMatches((animals) => animals.slice(1)), FEW],
  'filter-gives-one-match': ['The filter stops at the first match.', changeMatches((animals) => animals.slice(0, 1)), FEW],
  'filter-sold-is-empty': ['status=sold returns an empty list.', filterBy((_pet, status, kept) => status !== 'sold' && kept), FEW],
  'filter-pending-is-empty': ['status=pending returns an empty list.', filterBy((_pet, status, kept) => status !== 'pending' && kept), FEW],
  'filter-always-empty': ['The filter compares a string with an enum object: nothing is ever equal.', filterBy(() => false), FEW],
  'filter-misses-default-status': [
    'An animal created without a status shows available, but status=available does not find it.',
    showMissingStatus('available'),
    WRITES,
  ],
  'list-lags-five-seconds': [
    'A created animal is listed five seconds later, filtered or not.',
    onNewestFirst(showOnly((pet) => pet.createdAt < Date.now() - 5_000)),
    FULL_PAGE,
  ],
});

/** Changes the store after each list. */
function afterList(change: (store: Store) => void): Patch {
  return (parts) => ({
    listPets: async (context) => {
      const reply = await parts.listPets(context);
      change(context.store);
      return reply;
    },
  });
}

/** Lists that change what the next one shows. */
export const listReadOnly = faultsOf(needing(FEW, 'list.read-only'), {
  'list-removes-last': [
    'Each list removes the newest animal from the store.',
    afterList((store) => {
      const last = store.animals.at(-1);
      if (last !== undefined) removePet(store, last);
    }),
  ],
  'list-changes-status': [
    'Each list moves the first animal to its next status.',
    afterList(({ animals: [first] }) => {
      if (first !== undefined) first.status = STATUSES[(STATUSES.indexOf(first.status ?? 'sold') + 1) % STATUSES.length];
    }),
  ],
  'list-drops-one-now-and-then': [
    'Every third list comes from a replica without the first animal.',
    onEveryNth(3, (isTurn) => (parts) => ({ arrange: (store) => parts.arrange(store).slice(isTurn() ? 1 : 0) })),
  ],
  'list-empty-now-and-then': [
    'Every fifth list is empty: a database timeout is treated as no rows.',
    onEveryNth(5, (timesOut) => (parts) => ({ arrange: (store) => (timesOut() ? [] : parts.arrange(store)) })),
  ],
  'filter-stays-for-next-list': [
    'The filter is a field of the repository and is cleared one list too late: the next list is filtered too.',
    (parts) => {
      let before: Status | undefined;
      return filterByRemembered((_context, status) => {
        const remembered = before;
        before = status;
        return remembered;
      })(parts);
    },
    FULL_PAGE,
  ],
  'filter-stays-for-connection': [
    'The filter is kept in the session of the connection: lists without a status use the last one.',
    (parts) => {
      const kept = new WeakMap<object, Status>();
      return filterByRemembered(({ call: { connection } }, status) => {
        if (status !== undefined) kept.set(connection, status);
        return kept.get(connection);
      })(parts);
    },
    FULL_PAGE,
  ],
  'filter-stays-for-ever': [
    'The filter object is a module constant that is only ever set: lists without a status use the last filter.',
    (parts) => {
      let kept: Status | undefined;
      return filterByRemembered((_context, status) => {
        kept = status ?? kept;
        return kept;
      })(parts);
    },
    FULL_PAGE,
  ],
});

/** Rejects lists. */
function rejectList(problem: (query: URLSearchParams) => Problem | undefined): Patch {
  return reject(({ call }) => (call.operation === 'listPets' ? problem(call.query) : undefined));
}

function noList(status: number): Patch {
  return rejectList(() => new Problem(status, 'no_list', 'The list is not available'));
}

/** Lists that fail. */
export const listSuccess = faultsOf('list.success', {
  'list-needs-limit': [
    'limit is required: a list without parameters returns 400.',
    rejectList((query) => (query.has('limit') ? undefined : new Problem(400, 'missing_limit', 'limit is required'))),
  ],
  'list-needs-status': [
    'status is required: a list without it returns 400.',
    rejectList((query) => (query.has('status') ? undefined : new Problem(400, 'missing_status', 'status is required'))),
  ],
  'list-forbidden': ['listPets is for administrators only: 403.', noList(403)],
  'list-not-found': ['listPets is not routed: 404.', noList(404)],
  'list-not-implemented': ['listPets returns 501.', noList(501)],
  'list-partial-content': ['A page that is not the whole store returns 206.', rewriteIf(isListed, () => ({ status: 206 }))],
  'list-not-modified-since': [
    'The cache in front of the service answers every list with an If-Modified-Since header: 304, whatever the client has.',
    rewriteIf(
      (reply, context) => isListed(reply, context) && context.call.headers['if-modified-since'] !== undefined,
      () => ({ status: 304, body: '' }),
    ),
  ],
  'list-created-status': ['A list returns 201.', rewriteIf(isListed, () => ({ status: 201 }))],
  'list-redirects-to-slash': [
    '/pets redirects to /pets/ with 301.',
    rewriteIf(isListed, ({ headers }) => ({ status: 301, headers: { ...headers, location: '/v1/pets/' } })),
  ],
  'empty-list-no-content': ['An empty list returns 204.', rewriteIf(isEmptyList, () => ({ status: 204, body: '' })), EMPTY_STORE],
  'empty-list-not-found': [
    'An empty list returns 404.',
    rewriteIf(isEmptyList, () => ({ status: 404, body: '{"code":"not_found","message":"No animals","status":404}' })),
    EMPTY_STORE,
  ],
  'list-gone-for-moments': [
    'The worker that serves listPets is recycled every hundred requests, and for 150 ms the router has no route to it: 404.',
    rejectForMoments('listPets', { every: 100, problem: new Problem(404, 'not_found', 'There is no such route') }),
    {
      seedAnimals: 8,
    },
  ],
});

/** Repeats some of the matching animals at the end, if the page has room. */
function repeat(choose: (animals: readonly Pet[]) => readonly Pet[]): Patch {
  return (parts) => ({
    page: (animals, query, call) => [...parts.page(animals, query, call), ...choose(animals)].slice(0, query.limit),
  });
}

/** Lists that repeat animals. */
export const listUnique = faultsOf('list.unique', {
  'stored-twice': [
    'The outbox delivers each creation twice: the animal is listed twice.',
    (parts) => ({
      insert: async (store, pet) => {
        await parts.insert(store, pet);
        return await parts.insert(store, pet);
      },
    }),
    WRITES,
  ],
  'list-repeats-first': ['The first animal is listed twice.', repeat((animals) => animals.slice(0, 1)), FEW],
  'list-repeats-last': ['The last animal is listed twice.', repeat((animals) => animals.slice(-1)), FEW],
  'list-repeats-all': [
    'A join without DISTINCT lists each animal twice.',
    (parts) => ({
      page: (animals, query, call) =>
        parts.page(
          animals.flatMap((pet) => [pet, pet]),
          query,
          call,
        ),
    }),
    FEW,
  ],
  'list-repeats-with-filter': [
    'With a filter the first animal is listed twice.',
    changeMatches((animals) => [...animals.slice(0, 1), ...animals]),
    FEW,
  ],
  'list-repeats-in-long-pages': [
    'Pages over 50 are assembled from two that overlap by one.',
    (parts) => ({
      page: (animals, query, call) =>
        parts.page(animals.length > 50 && query.limit > 50 ? [...animals.slice(0, 50), ...animals.slice(49)] : animals, query, call),
    }),
    LARGE_STORE,
  ],
  'list-ids-in-doubles': [
    'Ids are snowflakes, exact in getPet and doubles in the list.',
    (parts) => ({
      assignId: (store, body) => 2n ** 60n + parts.assignId(store, body),
      petRecord: (pet, place) =>
        place === 'list' ? { ...parts.petRecord(pet, place), id: integerLiteral(BigInt(Number(pet.id))) } : parts.petRecord(pet, place),
    }),
    FEW,
  ],
});
