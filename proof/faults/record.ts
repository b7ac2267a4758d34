import { isObject, literal } from '../../src/reference/core/json.ts';
import { type Parts, type Patch, withParts } from '../../src/reference/core/parts.ts';
import { addPet, type Status } from '../../src/reference/core/store.ts';
import { EMPTY_STORE, FEW, faultsOf, LARGE_STORE, WRITES } from './fault.ts';
import { capitalized, showMembers, showMissingStatus, showRecord } from './patches/animals.ts';
import { storePetSilently } from './patches/creations.ts';
import { isCreated, isEmptyList, isRead, onEveryNth, rewriteText } from './patches/exchanges.ts';

/** Stores with animals that an earlier build accepted from a run of the suite. */
export const recordLeftovers = faultsOf('record.leftovers', {
  'leftover-of-earlier-build': [
    'The store still has the animal with categoryId 2^63 that a run of the suite created on an earlier build.',
    (parts) => {
      let isThere = false;
      return {
        dispatch: (context) => {
          if (!isThere)
            addPet(context.store, { id: 4_000n, name: 'conformanceOlderAaab', categoryId: 2n ** 63n, status: 'sold', createdAt: 0 });
          isThere = true;
          return parts.dispatch(context);
        },
      };
    },
    FEW,
  ],
});

/** Records that break Pet in getPet and createPet. */
export const recordPet = faultsOf('record.pet', {
  'create-answers-array': ['The 201 body is an array with the animal.', rewriteText(isCreated, (text) => `[${text}]`), WRITES],
  'create-answers-wrapped': ['The 201 body is {"pet": …}.', rewriteText(isCreated, (text) => `{"pet":${text}}`), WRITES],
  'create-answers-only-id': ['The 201 body is {"id": …} and nothing else.', showRecord('create', ({ id }) => ({ id })), WRITES],
  'create-answers-without-id': [
    'The 201 body repeats the request, without the id.',
    showMembers('create', () => ({ id: undefined })),
    WRITES,
  ],
  'get-answers-array': ['getPet returns an array of one animal.', rewriteText(isRead, (text) => `[${text}]`), FEW],
  'read-id-as-text': ['getPet shows the id as a string.', showMembers('get', (pet) => ({ id: pet.id.toString() })), FEW],
  'read-category-as-text': [
    'getPet shows categoryId as a string.',
    showMembers('get', (pet) => ({ categoryId: pet.categoryId.toString() })),
    FEW,
  ],
  'read-category-missing': ['getPet omits categoryId.', showMembers('get', () => ({ categoryId: undefined })), FEW],
  'read-category-null': ['getPet shows categoryId null.', showMembers('get', () => ({ categoryId: null })), FEW],
  'read-name-missing': ['getPet omits the name.', showMembers('get', () => ({ name: undefined })), FEW],
  'read-name-as-object': [
    'getPet shows the name in two languages, as an object.',
    showMembers('get', (_pet, record) => ({ name: { en: record['name'] } })),
    FEW,
  ],
  'read-status-capitalised': [
    'getPet shows Available, Pending, Sold.',
    showMembers('get', (_pet, record) => ({ status: capitalized(record['status']) })),
    FEW,
  ],
  'read-status-null': ['getPet shows status null.', showMembers('get', () => ({ status: null })), FEW],
  'read-status-boolean': [
    'getPet shows whether the animal is available.',
    showMembers('get', (_pet, record) => ({ status: record['status'] === 'available' })),
    FEW,
  ],
  'read-id-missing': ['getPet omits the id: it is in the path.', showMembers('get', () => ({ id: undefined })), FEW],
  'read-wrapped': ['getPet shows {"data": {…}}.', showRecord('get', (record) => ({ data: record })), FEW],
  'created-id-as-text': ['The 201 shows the id as a string.', showMembers('create', (pet) => ({ id: pet.id.toString() })), WRITES],
  'created-id-null': ['The 201 shows id null: it is not flushed yet.', showMembers('create', () => ({ id: null })), WRITES],
  'created-category-as-text': [
    'The 201 shows categoryId as a string.',
    showMembers('create', (pet) => ({ categoryId: pet.categoryId.toString() })),
    WRITES,
  ],
  'created-category-snake-case': [
    'The 201 shows category_id.',
    showRecord('create', ({ categoryId, ...record }) => ({ ...record, category_id: categoryId })),
    WRITES,
  ],
  'created-name-missing': ['The 201 omits the name.', showMembers('create', () => ({ name: undefined })), WRITES],
  'created-status-upper-case': [
    'The 201 shows AVAILABLE, PENDING, SOLD.',
    showMembers('create', (_pet, record) => ({ status: String(record['status']).toUpperCase() })),
    WRITES,
  ],
  'default-status-null': ['An animal created without status shows status null.', showMissingStatus(null), WRITES],
  'default-status-unknown': ['An animal created without status shows status "unknown".', showMissingStatus('unknown'), WRITES],
  'numeric-names-as-numbers': [
    'A name of digits is shown as a number.',
    (parts) => ({
      petRecord: (pet, place) => ({ ...parts.petRecord(pet, place), name: /^[1-9]\d{0,14}$/.test(pet.name) ? Number(pet.name) : pet.name }),
    }),
    WRITES,
  ],
});

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

const NEXT_STATUS: Record<Status, Status> = { available: 'pending', pending: 'sold', sold: 'available' };

/** Views of an animal that contradict each other. */
export const recordSameAnimal = faultsOf('record.same-animal', {
  'filtered-list-shows-asked-status': [
    'A filtered list is not filtered but shows the requested status in each animal.',
    (parts) => ({
      listPets: (context) => {
        const asked = parts.parseStatus(context.call.query.getAll('status'));
        if (typeof asked !== 'string') return parts.listPets(context);
        const petRecord: Parts['petRecord'] = (pet, place) => parts.petRecord({ ...pet, status: asked }, place);
        return parts.listPets(withParts(context, { matches: () => true, petRecord }));
      },
    }),
    FEW,
  ],
  'list-rows-shifted-now-and-then': [
    'Every fourth list has the names shifted by one row.',
    onEveryNth(4, (isTurn) => (parts) => ({
      page: (animals, query, call) => {
        const shown = parts.page(animals, query, call);
        return isTurn() ? shown.map((pet, index) => ({ ...pet, name: (shown[index + 1] ?? shown[0] ?? pet).name })) : shown;
      },
    })),
    FEW,
  ],
  'list-statuses-rotate-now-and-then': [
    'Every fourth unfiltered list shows the statuses of an earlier release.',
    onEveryNth(4, (isTurn) => (parts) => ({
      page: (animals, query, call) => {
        const shown = parts.page(animals, query, call);
        return query.status === undefined && isTurn()
          ? shown.map((pet) => ({ ...pet, status: pet.status && NEXT_STATUS[pet.status] }))
          : shown;
      },
    })),
    FEW,
  ],
  'extra-member-loses-status': [
    'A body with more than three members is stored by another code path, which drops the status.',
    (parts) => {
      let many = false;
      return {
        readNewPet: (body, all) => {
          many = isObject(body) && Object.keys(body).length > 3;
          return parts.readNewPet(body, all);
        },
        ...storePetSilently(() => (many ? { status: 'available' } : {}))(parts),
      };
    },
    WRITES,
  ],
});
