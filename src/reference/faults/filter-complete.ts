import type { Parts } from '../core/parts.ts';
import type { Pet, Status } from '../core/pet.ts';
import { crowd, type Fault, fault, few, writing } from './fault.ts';

const complete = 'list.filter-complete';

/** The filter keeps what it should, and more or less. */
function match(judge: (pet: Pet, status: Status, kept: boolean) => boolean): (parts: Parts) => Partial<Parts> {
  return (parts) => ({ matches: (pet, status) => judge(pet, status, parts.matches(pet, status)) });
}

/** Filters that leave matching animals out. */
export const filterCompleteFaults: readonly Fault[] = [
  fault(
    'filter-after-page',
    complete,
    'The page is cut first and filtered then.',
    (parts) => ({
      matches: () => true,
      page: (animals, query, call) => {
        const { status } = query;
        const shown = parts.page(animals, query, call);
        return status === undefined ? shown : shown.filter((pet) => parts.matches(pet, status));
      },
    }),
    crowd,
  ),
  fault(
    'filter-searches-first-50',
    complete,
    'The filter looks at the first fifty animals only.',
    (parts) => ({
      listPets: (context) =>
        context.call.query.has('status')
          ? parts.listPets({ ...context, parts: { ...context.parts, arrange: (store) => parts.arrange(store).slice(0, 50) } })
          : parts.listPets(context),
    }),
    { seedAnimals: 50, writes: true },
  ),
  fault(
    'filter-drops-last-match',
    complete,
    'The last matching animal is left out.',
    (parts) => ({
      page: (animals, query, call) => parts.page(query.status === undefined ? animals : animals.slice(0, -1), query, call),
    }),
    few,
  ),
  fault(
    'filter-drops-first-match',
    complete,
    'The first matching animal is left out.',
    (parts) => ({
      page: (animals, query, call) => parts.page(query.status === undefined ? animals : animals.slice(1), query, call),
    }),
    few,
  ),
  fault(
    'filter-gives-one-match',
    complete,
    'The filter stops at the first match.',
    (parts) => ({
      page: (animals, query, call) => parts.page(query.status === undefined ? animals : animals.slice(0, 1), query, call),
    }),
    few,
  ),
  fault(
    'filter-sold-is-empty',
    complete,
    'status=sold gives an empty list.',
    match((_pet, status, kept) => status !== 'sold' && kept),
    few,
  ),
  fault(
    'filter-pending-is-empty',
    complete,
    'status=pending gives an empty list.',
    match((_pet, status, kept) => status !== 'pending' && kept),
    few,
  ),
  fault(
    'filter-always-empty',
    complete,
    'The filter compares a text with an enum object: nothing is ever equal.',
    match(() => false),
    few,
  ),
  fault(
    'filter-misses-default-status',
    complete,
    'An animal whose status was left out shows available, but status=available does not find it.',
    (parts) => ({
      defaultStatus: () => undefined,
      petRecord: (pet, place) => ({ ...parts.petRecord(pet, place), status: pet.status ?? 'available' }),
    }),
    writing,
  ),
  fault(
    'filter-index-not-updated',
    'deprecation.replacement',
    'The index behind the filter is built once: a created animal is never found by status.',
    (parts) => {
      const started = Date.now();
      return match((pet, _status, kept) => kept && pet.createdAt < started)(parts);
    },
    writing,
  ),
  fault(
    'filter-answers-index-ids',
    'deprecation.replacement',
    'The filtered list shows the ids of the search index instead of those of the animals.',
    (parts) => ({
      listPets: (context) =>
        context.call.query.has('status')
          ? parts.listPets({
              ...context,
              parts: {
                ...context.parts,
                petRecord: (pet, place) => parts.petRecord({ ...pet, id: pet.id + 1_000_000n }, place),
              },
            })
          : parts.listPets(context),
    }),
    few,
  ),
];
