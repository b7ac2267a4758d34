import type { Patch } from '../../core/parts.ts';
import { pause } from '../../core/pause.ts';
import { faultsOf, needing, WRITES } from '../fault.ts';
import { onEveryNth } from '../helpers/counters.ts';
import { storePet } from '../helpers/creations.ts';
import { showPet } from '../helpers/records.ts';

/** Counts ids within the animals of one category, or of one status. */
function idsPer(member: 'categoryId' | 'status'): Patch {
  return storePet((pet, { animals }) => ({ id: BigInt(animals.filter((other) => other[member] === pet[member]).length + 1) }));
}

/** Ids that are not unique, and creations that do not create an animal of their own. */
export const createIdAssigned = faultsOf(needing(WRITES, 'create.id-assigned'), {
  'duplicate-name-answers-existing-as-created': [
    'A NewPet equal to an existing animal is not stored again; the 201 shows that animal.',
    (parts) => ({
      insert: (store, pet) => {
        const same = store.animals.find((other) => other.name === pet.name && other.categoryId === pet.categoryId);
        return same ?? parts.insert(store, pet);
      },
    }),
  ],
  'creation-stored-twice': [
    'The request handler is registered twice, and each creation is stored twice.',
    (parts) => ({
      insert: async (store, pet) => {
        const stored = await parts.insert(store, pet);
        await parts.insert(store, { ...pet, id: parts.assignId(store, null) });
        return stored;
      },
    }),
  ],
  'ids-race': [
    'The next id is read, awaited, then written: concurrent creations get the same one.',
    (parts) => ({
      insert: async (store, pet) => {
        const id = BigInt(store.animals.length) + 1_000_000n;
        await pause(5);
        return await parts.insert(store, { ...pet, id });
      },
    }),
  ],
  'ids-of-milliseconds': [
    'The id is the time in tens of milliseconds: simultaneous creations share it.',
    () => ({ assignId: () => BigInt(Date.now()) / 10n }),
  ],
  'ids-from-small-space': ['The id is a random number below 50.', () => ({ assignId: () => BigInt(Math.floor(Math.random() * 50) + 1) })],
  'ids-per-category': ['Ids are counted per category.', idsPer('categoryId')],
  'ids-per-status': ['Ids are counted per status: three tables, three sequences.', idsPer('status')],
  'ids-always-zero': ['The 201 shows id 0: it is read before the database assigns one.', showPet('create', () => ({ id: 0n }))],
  'ids-in-doubles': [
    'Snowflake ids pass through doubles: neighbors become equal.',
    (parts) => ({
      assignId: (store, body) => 2n ** 60n + parts.assignId(store, body),
      petRecord: (pet, place) => ({ ...parts.petRecord(pet, place), id: Number(pet.id) }),
    }),
  ],
  'ids-reused-every-tenth': [
    'Every tenth creation gets the id of the previous one: a cached sequence value.',
    onEveryNth(10, (isTurn) => (parts) => ({
      assignId: (store, body) => (isTurn() && store.lastId > 0n ? store.lastId : parts.assignId(store, body)),
    })),
  ],
});
