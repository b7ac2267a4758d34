import type { Call, Context, Parts, Patch } from '../../core/parts.ts';
import type { Pet, Status } from '../../core/pet.ts';
import { withParts } from '../../core/with-parts.ts';
import { everyNth } from './counters.ts';

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
