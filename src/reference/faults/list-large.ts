import type { Parts } from '../core/parts.ts';
import type { Pet } from '../core/pet.ts';
import { removePet } from '../core/store.ts';
import { crowd, type Fault, type FaultNeeds, fault } from './fault.ts';
import { every } from './helpers.ts';

const complete = 'list.complete';

/** A page of the default size is full from the beginning. */
const thirty: FaultNeeds = { seedAnimals: 30, writes: true };

/** The newest animals first, as most stores of this size show them. */
function newestFirst(parts: Parts): Parts {
  return { ...parts, arrange: (store) => [...parts.arrange(store)].reverse() };
}

/** Keeps the first answer of the lists for which the condition holds. */
function keptForEver(condition: (query: URLSearchParams) => boolean): (parts: Parts) => Partial<Parts> {
  return (base) => {
    const parts = newestFirst(base);
    let kept: readonly Pet[] | undefined;
    return {
      ...parts,
      page: (animals, query, call) => {
        const page = parts.page(animals, query, call);
        if (!condition(call.query)) return page;
        kept ??= page;
        return kept;
      },
    };
  };
}

/** Each nth list shows the animals of the beginning only. */
function everyNthFromStaleReplica(nth: number): (parts: Parts) => Partial<Parts> {
  return (base) => {
    const parts = newestFirst(base);
    const isStale = every(nth);
    return {
      ...parts,
      arrange: (store) => {
        const animals = parts.arrange(store);
        return isStale() ? animals.filter(({ createdAt }) => createdAt === 0) : animals;
      },
    };
  };
}

/** Lists that are wrong where the store already fills a page, or for one limit with one status. */
export const largeListFaults: readonly Fault[] = [
  fault(
    'default-limit-10-with-pending',
    'list.limit-default',
    'A special case for the waiting list: with status=pending the default is 10.',
    (parts) => ({
      page: (animals, query, call) =>
        parts.page(animals, query.status === 'pending' && !call.query.has('limit') ? { ...query, limit: 10 } : query, call),
    }),
    thirty,
  ),
  fault(
    'limit-33-with-sold-gives-34',
    'list.filter-with-limit',
    'limit=33 with status=sold gives 34 animals: a page size of the sales report.',
    (parts) => ({
      page: (animals, query, call) =>
        parts.page(animals, query.status === 'sold' && query.limit === 33 ? { ...query, limit: 34 } : query, call),
    }),
    crowd,
  ),
  fault(
    'filter-misses-explicit-available',
    'list.filter-complete',
    'status=available finds animals by their default only: those created with it are missed.',
    (base) => {
      const parts = newestFirst(base);
      return {
        ...parts,
        defaultStatus: () => undefined,
        petRecord: (pet, place) => ({ ...parts.petRecord(pet, place), status: pet.status ?? 'available' }),
        matches: (pet, status) =>
          status === 'available' ? pet.status === undefined || (pet.createdAt === 0 && pet.status === status) : parts.matches(pet, status),
      };
    },
    thirty,
  ),
  fault(
    'list-without-parameters-kept-for-ever',
    complete,
    'The first answer to a list without parameters is kept for ever.',
    keptForEver((query) => query.size === 0),
    thirty,
  ),
  fault(
    'list-of-100-kept-for-ever',
    complete,
    'The first answer to limit=100 is kept for ever: the export was made cheap.',
    keptForEver((query) => query.get('limit') === '100' && !query.has('status')),
    thirty,
  ),
  fault(
    'list-of-many-misses-pending',
    complete,
    'Without a filter only available and sold animals are listed, in a store that fills more than a page.',
    (base) => {
      const parts = newestFirst(base);
      return {
        ...parts,
        page: (animals, query, call) =>
          parts.page(query.status === undefined ? animals.filter((pet) => pet.status !== 'pending') : animals, query, call),
      };
    },
    thirty,
  ),
  fault(
    'every-second-list-from-stale-replica',
    'list.filter-complete',
    'Every second list comes from a replica that is no longer told of creations.',
    everyNthFromStaleReplica(2),
    thirty,
  ),
  fault(
    'every-third-list-from-stale-replica',
    complete,
    'Every third list comes from a replica that is no longer told of creations, in a store that was small when it stopped.',
    everyNthFromStaleReplica(3),
  ),
  fault(
    'list-lags-five-seconds',
    complete,
    'A created animal is listed five seconds later, filtered or not.',
    (base) => {
      const parts = newestFirst(base);
      return { ...parts, arrange: (store) => parts.arrange(store).filter((pet) => pet.createdAt < Date.now() - 5_000) };
    },
    thirty,
  ),
  fault(
    'creation-evicts-oldest',
    'get.durable',
    'The store is a ring: each creation takes the place of the oldest animal that was imported.',
    (parts) => ({
      insert: (store, pet) => {
        const oldest = store.animals.find(({ createdAt }) => createdAt === 0);
        if (oldest !== undefined) removePet(store, oldest);
        return parts.insert(store, pet);
      },
    }),
    thirty,
  ),
  fault(
    'read-unlists',
    'get.repeatable',
    'An animal that was read counts as seen and leaves the list without filter.',
    (base) => {
      const parts = newestFirst(base);
      const read = new Set<bigint>();
      return {
        ...parts,
        find: (store, id) => {
          read.add(id);
          return parts.find(store, id);
        },
        page: (animals, query, call) =>
          parts.page(query.status === undefined ? animals.filter((pet) => !read.has(pet.id)) : animals, query, call),
      };
    },
    thirty,
  ),
  fault(
    'long-list-misses-default-status',
    'list.complete',
    'An inner join with the statuses leaves out animals that were created without one; the newest come first.',
    (base) => {
      const parts = newestFirst(base);
      return {
        ...parts,
        defaultStatus: () => undefined,
        arrange: (store) => parts.arrange(store).filter((pet) => pet.status !== undefined || pet.createdAt === 0),
      };
    },
    thirty,
  ),
];
