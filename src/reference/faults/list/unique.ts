import { integerLiteral } from '../../core/json.ts';
import type { Patch } from '../../core/parts.ts';
import type { Pet } from '../../core/pet.ts';
import { FEW, faultsOf, LARGE_STORE, WRITES } from '../fault.ts';
import { changeMatches } from '../helpers/lists.ts';

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
