import type { Parts } from '../core/parts.ts';
import { type Pet, statuses } from '../core/pet.ts';
import { Problem } from '../core/problem.ts';
import { removePet } from '../core/store.ts';
import { empty, type Fault, fault, few, writing } from './fault.ts';
import { every, isAnswer, refuse, rewriteIf } from './helpers.ts';

const complete = 'list.complete';
const unique = 'list.unique';
const success = 'list.success';
const readOnly = 'list.read-only';

function showOnly(condition: (pet: Pet, index: number, all: readonly Pet[]) => boolean): (parts: Parts) => Partial<Parts> {
  return (parts) => ({ arrange: (store) => parts.arrange(store).filter(condition) });
}

function onList(change: (context: Parameters<Parts['listPets']>[0]) => void): (parts: Parts) => Partial<Parts> {
  return (parts) => ({
    listPets: async (context) => {
      const reply = await parts.listPets(context);
      change(context);
      return reply;
    },
  });
}

function listRefused(status: number): (parts: Parts) => Partial<Parts> {
  return (parts) =>
    refuse(parts, ({ call }) => (call.operation === 'listPets' ? new Problem(status, 'no_list', 'The list is not available') : undefined));
}

/** Lists that do not come. */
export const listSuccessFaults: readonly Fault[] = [
  fault('list-needs-limit', success, 'limit is required: a list without parameters is answered 400.', (parts) =>
    refuse(parts, ({ call }) =>
      call.operation === 'listPets' && !call.query.has('limit') ? new Problem(400, 'missing_limit', 'limit is required') : undefined,
    ),
  ),
  fault('list-needs-status', success, 'status is required: a list without it is answered 400.', (parts) =>
    refuse(parts, ({ call }) =>
      call.operation === 'listPets' && !call.query.has('status') ? new Problem(400, 'missing_status', 'status is required') : undefined,
    ),
  ),
  fault('list-forbidden', success, 'listPets is for administrators: 403.', listRefused(403)),
  fault('list-not-found', success, 'listPets is not routed: 404.', listRefused(404)),
  fault('list-not-implemented', success, 'listPets answers 501.', listRefused(501)),
  fault('list-partial-content', success, 'A page that is not the whole store is answered 206.', (parts) =>
    rewriteIf(parts, isAnswer('listPets', 200), () => ({ status: 206 })),
  ),
  fault('list-created-status', success, 'A list is answered 201.', (parts) =>
    rewriteIf(parts, isAnswer('listPets', 200), () => ({ status: 201 })),
  ),
  fault('list-redirects-to-slash', success, '/pets redirects to /pets/ with 301.', (parts) =>
    rewriteIf(parts, isAnswer('listPets', 200), ({ headers }) => ({ status: 301, headers: { ...headers, location: '/v1/pets/' } })),
  ),
  fault(
    'empty-list-no-content',
    success,
    'An empty list is answered 204.',
    (parts) =>
      rewriteIf(
        parts,
        (reply, context) => isAnswer('listPets', 200)(reply, context) && reply.body === '[]',
        () => ({ status: 204, body: '' }),
      ),
    empty,
  ),
  fault(
    'empty-list-not-found',
    success,
    'An empty list is answered 404.',
    (parts) =>
      rewriteIf(
        parts,
        (reply, context) => isAnswer('listPets', 200)(reply, context) && reply.body === '[]',
        () => ({
          status: 404,
          body: '{"code":"not_found","message":"No animals","status":404}',
        }),
      ),
    empty,
  ),
];

/** Lists that leave animals out, repeat them, or change something. */
export const listFaults: readonly Fault[] = [
  fault(
    'list-misses-newest',
    complete,
    'The newest animal is not listed until another one is created.',
    showOnly((_pet, index, all) => index < all.length - 1),
    writing,
  ),
  fault(
    'list-one-of-a-name',
    complete,
    'The list is gathered in a map by name: of animals of one name the last one is left.',
    showOnly(({ name }, index, all) => all.findLastIndex((pet) => pet.name === name) === index),
    writing,
  ),
  fault(
    'list-one-of-a-name-in-any-case',
    complete,
    'SELECT DISTINCT ON a name whose collation knows no letter case: of Rex and REX the first one is left.',
    showOnly(({ name }, index, all) => all.findIndex((pet) => pet.name.toLowerCase() === name.toLowerCase()) === index),
    writing,
  ),
  fault(
    'list-misses-first',
    complete,
    'The first animal is not listed: the index begins at 1.',
    showOnly((_pet, index) => index > 0),
    writing,
  ),
  fault(
    'list-misses-created',
    complete,
    'Only animals of the nightly import are listed.',
    showOnly((pet) => pet.createdAt === 0),
    writing,
  ),
  fault(
    'list-misses-sold',
    complete,
    'Sold animals are not listed.',
    showOnly((pet) => pet.status !== 'sold'),
    few,
  ),
  fault(
    'list-misses-pending',
    complete,
    'Without a filter only available and sold animals are listed.',
    (parts) => ({
      page: (animals, query, call) =>
        parts.page(query.status === undefined ? animals.filter((pet) => pet.status !== 'pending') : animals, query, call),
    }),
    few,
  ),
  fault(
    'list-misses-default-status',
    complete,
    'An inner join with the statuses leaves out animals that were created without one.',
    (parts) => ({
      defaultStatus: () => undefined,
      arrange: (store) => parts.arrange(store).filter((pet) => pet.status !== undefined),
    }),
    writing,
  ),
  fault(
    'list-misses-every-fourth',
    complete,
    'One partition of four is not asked.',
    showOnly((pet) => pet.id % 4n !== 3n),
    { ...few, writes: true },
  ),
  fault(
    'list-misses-second-half-of-alphabet',
    complete,
    'Animals whose names begin after M are not listed.',
    showOnly((pet) => !/^[n-z]/i.test(pet.name)),
    few,
  ),
  fault(
    'list-lags-a-minute',
    complete,
    'A created animal is listed a minute later.',
    showOnly((pet) => pet.createdAt < Date.now() - 60_000),
    writing,
  ),
  fault(
    'list-cached-for-ever',
    complete,
    'The first answer of each list is kept for ever.',
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
    writing,
  ),
  fault(
    'list-cache-ignores-query',
    'list.status-filter',
    'Lists are cached for a second by path, without the query.',
    (parts) => {
      let kept: { until: number; page: readonly Pet[] } | undefined;
      return {
        page: (animals, query, call) => {
          if (kept === undefined || kept.until < Date.now()) kept = { until: Date.now() + 1000, page: parts.page(animals, query, call) };
          return kept.page.slice(0, query.limit);
        },
      };
    },
    few,
  ),
  fault(
    'list-repeats-first',
    unique,
    'The first animal is listed twice.',
    (parts) => ({
      page: (animals, query, call) => [...parts.page(animals, query, call), ...animals.slice(0, 1)].slice(0, query.limit),
    }),
    few,
  ),
  fault(
    'list-repeats-last',
    unique,
    'The last animal is listed twice.',
    (parts) => ({
      page: (animals, query, call) => [...parts.page(animals, query, call), ...animals.slice(-1)].slice(0, query.limit),
    }),
    few,
  ),
  fault(
    'list-repeats-all',
    unique,
    'A join without distinct lists each animal twice.',
    (parts) => ({
      page: (animals, query, call) =>
        parts.page(
          animals.flatMap((pet) => [pet, pet]),
          query,
          call,
        ),
    }),
    few,
  ),
  fault(
    'list-repeats-with-filter',
    unique,
    'With a filter the first animal is listed twice.',
    (parts) => ({
      page: (animals, query, call) => parts.page(query.status === undefined ? animals : [...animals.slice(0, 1), ...animals], query, call),
    }),
    few,
  ),
  fault(
    'list-repeats-in-long-pages',
    unique,
    'Pages above 50 are put together from two that overlap by one.',
    (parts) => ({
      page: (animals, query, call) =>
        parts.page(animals.length > 50 && query.limit > 50 ? [...animals.slice(0, 50), ...animals.slice(49)] : animals, query, call),
    }),
    { seedAnimals: 150 },
  ),
  fault(
    'list-removes-last',
    readOnly,
    'Each list takes the newest animal out of the store.',
    onList(({ store }) => {
      const last = store.animals.at(-1);
      if (last !== undefined) removePet(store, last);
    }),
    few,
  ),
  fault(
    'list-changes-status',
    readOnly,
    'Being listed moves the first animal to the next status.',
    onList(({ store }) => {
      const [first] = store.animals;
      if (first !== undefined) first.status = statuses[(statuses.indexOf(first.status ?? 'sold') + 1) % 3];
    }),
    few,
  ),
  fault(
    'list-drops-one-now-and-then',
    readOnly,
    'Every third list comes from a replica without the first animal.',
    (parts) => {
      const other = every(3);
      return { arrange: (store) => parts.arrange(store).slice(other() ? 1 : 0) };
    },
    few,
  ),
  fault(
    'list-empty-now-and-then',
    readOnly,
    'Every fifth list is empty: the time-out of the database is taken for no rows.',
    (parts) => {
      const timesOut = every(5);
      return { arrange: (store) => (timesOut() ? [] : parts.arrange(store)) };
    },
    few,
  ),
];
