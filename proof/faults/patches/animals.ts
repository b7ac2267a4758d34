// Patches of the animals that reads find and lists contain, and of how a response shows them.

import { type Call, type Context, type Parts, type Patch, type Place, Problem, withParts } from '../../../src/reference/core/parts.ts';
import type { Pet, Status, Store } from '../../../src/reference/core/store.ts';
import { everyNth } from './exchanges.ts';

/** Finds another animal; undefined leaves what the base found. */
export function findOther(find: (store: Store, id: bigint, found: Pet | undefined) => Pet | undefined): Patch {
  return (parts) => ({
    find: (store, id) => {
      const found = parts.find(store, id);
      return find(store, id, found) ?? found;
    },
  });
}

/** Rejects the ids that meet the condition. */
export function onId(condition: (id: bigint) => boolean, problem: () => Problem): Patch {
  return (parts) => ({
    parseId: (text) => {
      const id = parts.parseId(text);
      return typeof id === 'bigint' && condition(id) ? problem() : id;
    },
  });
}

/** The rejection of an id that a service considers out of range. */
export function badId(): Problem {
  return new Problem(400, 'invalid_id', 'petId is out of range');
}

/** Does not find the animals that meet the condition. */
export function hide(condition: (pet: Pet, store: Store) => boolean): Patch {
  return (parts) => ({
    find: (store, id) => {
      const pet = parts.find(store, id);
      return pet !== undefined && condition(pet, store) ? undefined : pet;
    },
  });
}

type PetRecord = Record<string, unknown>;

/** Shows an animal at one place with some members changed. */
export function showPet(place: Place, change: (pet: Pet) => Partial<Pet>): Patch {
  return (parts) => ({ petRecord: (pet, at) => parts.petRecord(at === place ? { ...pet, ...change(pet) } : pet, at) });
}

/** Shows other members at one place. */
export function showRecord(place: Place, change: (record: PetRecord, pet: Pet) => PetRecord): Patch {
  return (parts) => ({
    petRecord: (pet, at) => {
      const record = parts.petRecord(pet, at);
      return at === place ? change(record, pet) : record;
    },
  });
}

/** Shows some members of the record differently at one place; undefined omits them. */
export function showMembers(place: Place, change: (pet: Pet, record: PetRecord) => PetRecord): Patch {
  return showRecord(place, (record, pet) => ({ ...record, ...change(pet, record) }));
}

/** Shows an animal that was created without a status differently. */
export function showMissingStatus(shown: unknown): Patch {
  return (parts) => ({
    defaultStatus: () => undefined,
    petRecord: (pet, place) => ({ ...parts.petRecord(pet, place), status: pet.status ?? shown }),
  });
}

export function capitalized(text: unknown): unknown {
  return typeof text === 'string' ? text.slice(0, 1).toUpperCase() + text.slice(1) : text;
}

/** The newest animals first, as in most stores of more than a page. */
export function newestFirst(parts: Parts): Parts {
  return { ...parts, arrange: (store) => [...parts.arrange(store)].reverse() };
}

/** A patch of a server that shows the newest animals first. */
export function onNewestFirst(patch: Patch): Patch {
  return (base) => {
    const parts = newestFirst(base);
    return { ...parts, ...patch(parts) };
  };
}

/** Lists only the animals that meet the condition. */
export function showOnly(condition: (pet: Pet, index: number, all: readonly Pet[]) => boolean): Patch {
  return (parts) => ({ arrange: (store) => parts.arrange(store).filter(condition) });
}

/** Every nth list shows only the initial animals. */
export function everyNthFromStaleReplica(nth: number): Patch {
  return onNewestFirst((parts) => {
    const isStale = everyNth(nth);
    return {
      arrange: (store) => {
        const animals = parts.arrange(store);
        return isStale() ? animals.filter(({ createdAt }) => createdAt === 0) : animals;
      },
    };
  });
}

/** Changes what the filter keeps. */
export function filterBy(judge: (pet: Pet, status: Status, kept: boolean) => boolean): Patch {
  return (parts) => ({ matches: (pet, status) => judge(pet, status, parts.matches(pet, status)) });
}

/** The filter loses some animals. */
export function filterMisses(lost: (pet: Pet) => boolean): Patch {
  return filterBy((pet, _status, kept) => kept && !lost(pet));
}

/** Does not filter lists that meet the condition. */
export function filterIgnored(condition: (query: URLSearchParams) => boolean): Patch {
  return (parts) => ({
    listPets: (context) => parts.listPets(condition(context.call.query) ? withParts(context, { matches: () => true }) : context),
  });
}

/** Without a filter, only lists animals that meet the condition. */
export function unfilteredShowsOnly(condition: (pet: Pet) => boolean): Patch {
  return (parts) => ({
    page: (animals, query, call) => parts.page(query.status === undefined ? animals.filter(condition) : animals, query, call),
  });
}

/** Changes the matching animals of filtered lists before the page is cut. */
export function changeMatches(change: (animals: readonly Pet[]) => readonly Pet[]): Patch {
  return (parts) => ({
    page: (animals, query, call) => parts.page(query.status === undefined ? animals : change(animals), query, call),
  });
}

/** Ignores a parameter of requests that meet the condition. */
export function forget(name: 'limit' | 'status', condition: (call: Call) => boolean): Patch {
  return (parts) => ({
    listPets: (context) => {
      if (!condition(context.call)) return parts.listPets(context);
      const query = new URLSearchParams(context.call.query);
      query.delete(name);
      return parts.listPets({ ...context, call: { ...context.call, query } });
    },
  });
}

/** Whether the request has a parameter that the document does not name. */
export function hasUnknownParameter({ query }: Call): boolean {
  return [...query.keys()].some((name) => name !== 'limit' && name !== 'status');
}

/** Filters lists without status by one that the server remembers from another list. */
export function filterByRemembered(recall: (context: Context, status: Status | undefined) => Status | undefined): Patch {
  return (parts) => ({
    listPets: (context) => {
      const asked = parts.parseStatus(context.call.query.getAll('status'));
      const status = typeof asked === 'string' ? asked : undefined;
      const remembered = recall(context, status);
      return status === undefined && remembered !== undefined
        ? parts.listPets(withParts(context, { parseStatus: () => remembered }))
        : parts.listPets(context);
    },
  });
}
