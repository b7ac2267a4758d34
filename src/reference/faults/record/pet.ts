import { FEW, faultsOf, WRITES } from '../fault.ts';
import { capitalized, showMembers, showMissingStatus, showRecord } from '../helpers/records.ts';
import { isCreated, isRead, rewriteText } from '../helpers/replies.ts';

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
