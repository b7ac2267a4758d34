import { literal } from '../../core/json.ts';
import type { Patch } from '../../core/parts.ts';
import { EMPTY_STORE, FEW, faultsOf, LARGE_STORE, WRITES } from '../fault.ts';
import { capitalized, showMembers, showRecord } from '../helpers/records.ts';
import { isEmptyList, rewriteText } from '../helpers/replies.ts';

/** A different body of the list; undefined keeps that of the base. */
function showList(change: (records: readonly unknown[]) => unknown): Patch {
  return (parts) => ({
    listBody: (records) => {
      const body = change(records);
      return body === undefined ? parts.listBody(records) : body;
    },
  });
}

function replaceAt(records: readonly unknown[], index: number, value: unknown): readonly unknown[] {
  return records.map((record, at) => (at === index ? value : record));
}

/** List bodies that are not an array of Pet. */
export const recordPets = faultsOf('record.pets', {
  'ids-beyond-int64': [
    'Ids are unsigned 64-bit and begin above the largest int64.',
    (parts) => ({ assignId: (store, body) => 2n ** 63n + parts.assignId(store, body) }),
    WRITES,
  ],
  'body-empty-for-empty-list': ['An empty list has an empty body.', rewriteText(isEmptyList, () => ''), EMPTY_STORE],
  'listed-id-as-text': [
    'The list shows ids as strings, for JavaScript clients.',
    showMembers('list', (pet) => ({ id: pet.id.toString() })),
    FEW,
  ],
  'listed-category-as-text': [
    'The list shows categoryId as a string.',
    showMembers('list', (pet) => ({ categoryId: pet.categoryId.toString() })),
    FEW,
  ],
  'listed-category-as-object': [
    'The list shows the category as an object under categoryId.',
    showMembers('list', (_pet, record) => ({ categoryId: { id: record['categoryId'] } })),
    FEW,
  ],
  'listed-category-snake-case': [
    'The list shows category_id instead of categoryId.',
    showRecord('list', ({ categoryId, ...record }) => ({ ...record, category_id: categoryId })),
    FEW,
  ],
  'listed-category-missing': ['The list omits categoryId.', showMembers('list', () => ({ categoryId: undefined })), FEW],
  'listed-name-missing': ['The list omits the name.', showMembers('list', () => ({ name: undefined })), FEW],
  'listed-name-null': ['The list shows name null.', showMembers('list', () => ({ name: null })), FEW],
  'listed-id-missing': ['The list omits the id.', showMembers('list', () => ({ id: undefined })), FEW],
  'listed-id-under-other-name': [
    'The list shows _id instead of id.',
    showRecord('list', ({ id, ...record }) => ({ ...record, _id: id })),
    FEW,
  ],
  'listed-status-capitalised': [
    'The list shows Available, Pending, Sold.',
    showMembers('list', (_pet, record) => ({ status: capitalized(record['status']) })),
    FEW,
  ],
  'listed-status-upper-case': [
    'The list shows AVAILABLE, PENDING, SOLD.',
    showMembers('list', (_pet, record) => ({ status: String(record['status']).toUpperCase() })),
    FEW,
  ],
  'listed-status-number': ['The list shows the status as a number.', showMembers('list', () => ({ status: 1 })), FEW],
  'listed-status-empty': [
    'The list shows an empty status for sold animals.',
    showRecord('list', (record, pet) => (pet.status === 'sold' ? { ...record, status: '' } : record)),
    FEW,
  ],
  'listed-status-reserved': [
    'The list shows "reserved" for pending animals.',
    showRecord('list', (record, pet) => (pet.status === 'pending' ? { ...record, status: 'reserved' } : record)),
    FEW,
  ],
  'listed-status-null': [
    'The list shows status null for pending animals.',
    showRecord('list', (record, pet) => (pet.status === 'pending' ? { ...record, status: null } : record)),
    FEW,
  ],
  'listed-id-fraction': ['The list shows ids with a fraction.', showMembers('list', (pet) => ({ id: literal(`${pet.id}.5`) })), FEW],
  'listed-record-broken-from-50th': [
    'From the fiftieth animal on, names are missing.',
    showRecord('list', (record, pet) => (pet.id >= 50n ? { ...record, name: undefined } : record)),
    LARGE_STORE,
  ],
  'listed-even-ids-as-text': [
    'One of two serializers shows even ids as strings.',
    showRecord('list', (record, pet) => (pet.id % 2n === 0n ? { ...record, id: pet.id.toString() } : record)),
    FEW,
  ],
  'listed-nested-attributes': [
    'The list shows {id, attributes}: JSON:API.',
    showRecord('list', ({ id, ...attributes }) => ({ id, attributes })),
    FEW,
  ],
  'list-wrapped-in-items': ['The list is {"items": […]}.', showList((records) => ({ items: records })), FEW],
  'list-wrapped-in-data': [
    'The list is {"data": […], "total": n}.',
    showList((records) => ({ data: records, total: records.length })),
    FEW,
  ],
  'list-keyed-by-id': ['The list is an object keyed by position.', showList((records) => ({ ...records })), FEW],
  'list-nested': ['The list is an array in an array.', showList((records) => [records]), FEW],
  'list-null-at-end': ['The list ends in null.', showList((records) => [...records, null]), FEW],
  'list-empty-object-at-end': ['The list ends in an empty object.', showList((records) => [...records, {}]), FEW],
  'list-second-record-null': ['The second animal of each list is null.', showList((records) => replaceAt(records, 1, null)), FEW],
  'list-last-of-long-page-broken': [
    'On pages of twenty or more the last animal is an object without members.',
    showList((records) => (records.length >= 20 ? replaceAt(records, records.length - 1, {}) : undefined)),
    LARGE_STORE,
  ],
  'empty-list-null': ['An empty list is null.', showList((records) => (records.length === 0 ? null : undefined)), EMPTY_STORE],
  'empty-list-object': ['An empty list is {}.', showList((records) => (records.length === 0 ? {} : undefined)), EMPTY_STORE],
  'single-animal-not-in-array': [
    'A list of one is the animal itself.',
    showList((records) => (records.length === 1 ? records[0] : undefined)),
    FEW,
  ],
  'list-as-text': ['The list is JSON inside a JSON string.', showList((records) => JSON.stringify(records)), FEW],
});
