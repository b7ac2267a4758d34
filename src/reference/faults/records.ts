import { literal } from '../core/json.ts';
import type { Parts, Place } from '../core/parts.ts';
import type { Pet } from '../core/pet.ts';
import { empty, type Fault, type FaultNeeds, fault, few, writing } from './fault.ts';

type PetRecord = Record<string, unknown>;

/** Shows other members at the given places. */
function show(places: readonly Place[], change: (record: PetRecord, pet: Pet) => PetRecord): (parts: Parts) => Partial<Parts> {
  return (parts) => ({
    petRecord: (pet, place) => {
      const record = parts.petRecord(pet, place);
      return places.includes(place) ? change(record, pet) : record;
    },
  });
}

function listed(name: string, summary: string, change: (record: PetRecord, pet: Pet) => PetRecord, needs: FaultNeeds = few): Fault {
  return fault(name, 'record.pets', summary, show(['list'], change), needs);
}

function read(name: string, summary: string, change: (record: PetRecord, pet: Pet) => PetRecord): Fault {
  return fault(name, 'record.pet', summary, show(['get'], change), few);
}

function createdRecord(name: string, summary: string, change: (record: PetRecord, pet: Pet) => PetRecord): Fault {
  return fault(name, 'record.pet', summary, show(['create'], change), writing);
}

function body(name: string, summary: string, change: (records: readonly unknown[]) => unknown, needs: FaultNeeds = few): Fault {
  return fault(
    name,
    'record.pets',
    summary,
    (parts) => ({ listBody: (records) => (change(records) === undefined ? parts.listBody(records) : change(records)) }),
    needs,
  );
}

function replaceAt(records: readonly unknown[], index: number, value: unknown): readonly unknown[] {
  return records.map((record, at) => (at === index ? value : record));
}

function capitalised(text: unknown): unknown {
  return typeof text === 'string' ? text.slice(0, 1).toUpperCase() + text.slice(1) : text;
}

/** Records that break Pet in lists. */
export const listRecordFaults: readonly Fault[] = [
  listed('listed-id-as-text', 'The list shows ids as texts, to save JavaScript clients.', (record, pet) => ({
    ...record,
    id: pet.id.toString(),
  })),
  listed('listed-category-as-text', 'The list shows categoryId as text.', (record, pet) => ({
    ...record,
    categoryId: pet.categoryId.toString(),
  })),
  listed('listed-category-as-object', 'The list shows the category as an object under categoryId.', (record) => ({
    ...record,
    categoryId: { id: record['categoryId'] },
  })),
  listed('listed-category-snake-case', 'The list shows category_id instead of categoryId.', ({ categoryId, ...record }) => ({
    ...record,
    category_id: categoryId,
  })),
  listed('listed-category-missing', 'The list leaves categoryId out.', (record) => ({ ...record, categoryId: undefined })),
  listed('listed-name-missing', 'The list leaves the name out.', (record) => ({ ...record, name: undefined })),
  listed('listed-name-null', 'The list shows name null.', (record) => ({ ...record, name: null })),
  listed('listed-id-missing', 'The list leaves the id out.', (record) => ({ ...record, id: undefined })),
  listed('listed-id-under-other-name', 'The list shows _id instead of id.', ({ id, ...record }) => ({ ...record, _id: id })),
  listed('listed-status-capitalised', 'The list shows Available, Pending, Sold.', (record) => ({
    ...record,
    status: capitalised(record['status']),
  })),
  listed('listed-status-upper-case', 'The list shows AVAILABLE, PENDING, SOLD.', (record) => ({
    ...record,
    status: String(record['status']).toUpperCase(),
  })),
  listed('listed-status-number', 'The list shows the status as a number.', (record) => ({ ...record, status: 1 })),
  listed('listed-status-empty', 'The list shows an empty status for sold animals.', (record, pet) =>
    pet.status === 'sold' ? { ...record, status: '' } : record,
  ),
  listed('listed-status-reserved', 'The list shows "reserved" for pending animals.', (record, pet) =>
    pet.status === 'pending' ? { ...record, status: 'reserved' } : record,
  ),
  listed('listed-status-null', 'The list shows status null for pending animals.', (record, pet) =>
    pet.status === 'pending' ? { ...record, status: null } : record,
  ),
  listed('listed-id-fraction', 'The list shows ids with a fraction.', (record, pet) => ({ ...record, id: literal(`${pet.id}.5`) })),
  listed(
    'listed-record-broken-from-50th',
    'From the fiftieth animal on the names are missing.',
    (record, pet) => (pet.id >= 50n ? { ...record, name: undefined } : record),
    { seedAnimals: 150 },
  ),
  listed('listed-even-ids-as-text', 'One of two serialisers shows even ids as texts.', (record, pet) =>
    pet.id % 2n === 0n ? { ...record, id: pet.id.toString() } : record,
  ),
  listed('listed-nested-attributes', 'The list shows {id, attributes}: JSON:API.', ({ id, ...attributes }) => ({ id, attributes })),
];

/** List bodies that are no array of Pet. */
export const listBodyFaults: readonly Fault[] = [
  body('list-wrapped-in-items', 'The list is {"items": […]}.', (records) => ({ items: records })),
  body('list-wrapped-in-data', 'The list is {"data": […], "total": n}.', (records) => ({ data: records, total: records.length })),
  body('list-keyed-by-id', 'The list is an object with the position as member.', (records) => ({ ...records })),
  body('list-nested', 'The list is an array in an array.', (records) => [records]),
  body('list-null-at-end', 'The list ends in null.', (records) => [...records, null]),
  body('list-empty-object-at-end', 'The list ends in an empty object.', (records) => [...records, {}]),
  body('list-second-record-null', 'The second animal of each list is null.', (records) => replaceAt(records, 1, null)),
  body(
    'list-last-of-long-page-broken',
    'On full pages of twenty or more the last animal is an object without members.',
    (records) => (records.length >= 20 ? replaceAt(records, records.length - 1, {}) : undefined),
    { seedAnimals: 150 },
  ),
  body('empty-list-null', 'An empty list is null.', (records) => (records.length === 0 ? null : undefined), empty),
  body('empty-list-object', 'An empty list is {}.', (records) => (records.length === 0 ? {} : undefined), empty),
  body('single-animal-not-in-array', 'A list of one is the animal itself.', (records) => (records.length === 1 ? records[0] : undefined)),
  body('list-as-text', 'The list is JSON inside a JSON text.', (records) => JSON.stringify(records)),
];

/** Records that break Pet in getPet and createPet. */
export const petRecordFaults: readonly Fault[] = [
  read('read-id-as-text', 'getPet shows the id as text.', (record, pet) => ({ ...record, id: pet.id.toString() })),
  read('read-category-as-text', 'getPet shows categoryId as text.', (record, pet) => ({
    ...record,
    categoryId: pet.categoryId.toString(),
  })),
  read('read-category-missing', 'getPet leaves categoryId out.', (record) => ({ ...record, categoryId: undefined })),
  read('read-category-null', 'getPet shows categoryId null.', (record) => ({ ...record, categoryId: null })),
  read('read-name-missing', 'getPet leaves the name out.', (record) => ({ ...record, name: undefined })),
  read('read-name-as-object', 'getPet shows the name in two languages, as an object.', (record) => ({
    ...record,
    name: { en: record['name'] },
  })),
  read('read-status-capitalised', 'getPet shows Available, Pending, Sold.', (record) => ({
    ...record,
    status: capitalised(record['status']),
  })),
  read('read-status-null', 'getPet shows status null.', (record) => ({ ...record, status: null })),
  read('read-status-boolean', 'getPet shows whether the animal is available.', (record) => ({
    ...record,
    status: record['status'] === 'available',
  })),
  read('read-id-missing', 'getPet leaves the id out: it is in the path.', (record) => ({ ...record, id: undefined })),
  read('read-wrapped', 'getPet shows {"data": {…}}.', (record) => ({ data: record })),
  createdRecord('created-id-as-text', 'The 201 shows the id as text.', (record, pet) => ({ ...record, id: pet.id.toString() })),
  createdRecord('created-id-null', 'The 201 shows id null: it is not flushed yet.', (record) => ({ ...record, id: null })),
  createdRecord('created-category-as-text', 'The 201 shows categoryId as text.', (record, pet) => ({
    ...record,
    categoryId: pet.categoryId.toString(),
  })),
  createdRecord('created-category-snake-case', 'The 201 shows category_id.', ({ categoryId, ...record }) => ({
    ...record,
    category_id: categoryId,
  })),
  createdRecord('created-name-missing', 'The 201 leaves the name out.', (record) => ({ ...record, name: undefined })),
  createdRecord('created-status-upper-case', 'The 201 shows AVAILABLE, PENDING, SOLD.', (record) => ({
    ...record,
    status: String(record['status']).toUpperCase(),
  })),
  fault(
    'default-status-null',
    'record.pet',
    'An animal created without status shows status null.',
    (parts) => ({
      defaultStatus: () => undefined,
      petRecord: (pet, place) => ({ ...parts.petRecord(pet, place), status: pet.status ?? null }),
    }),
    writing,
  ),
  fault(
    'default-status-unknown',
    'record.pet',
    'An animal created without status shows status "unknown".',
    (parts) => ({
      defaultStatus: () => undefined,
      petRecord: (pet, place) => ({ ...parts.petRecord(pet, place), status: pet.status ?? 'unknown' }),
    }),
    writing,
  ),
  fault(
    'numeric-names-as-numbers',
    'record.pet',
    'A name of digits is shown as a number.',
    (parts) => ({
      petRecord: (pet, place) => ({ ...parts.petRecord(pet, place), name: /^[1-9]\d{0,14}$/.test(pet.name) ? Number(pet.name) : pet.name }),
    }),
    writing,
  ),
];
