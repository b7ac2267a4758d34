import { isObject, member } from '../../core/json.ts';
import type { Pet } from '../../core/pet.ts';
import { faultsOf, needing, WRITES } from '../fault.ts';
import { hasUnknownMember, readWith, rebind, storeName, storePet } from '../helpers/creations.ts';
import { showPet } from '../helpers/records.ts';
import { header } from '../helpers/requests.ts';

/** 201s that show another animal than was sent. */
export const createAnswer = faultsOf(needing(WRITES, 'create.answer'), {
  'answer-name-upper-case': ['The 201 body shows the name in upper case.', showPet('create', (pet) => ({ name: pet.name.toUpperCase() }))],
  'answer-name-cut': [
    'The 201 body shows the first eight letters of the name.',
    showPet('create', (pet) => ({ name: pet.name.slice(0, 8) })),
  ],
  'answer-name-empty': ['The 201 body shows an empty name.', showPet('create', () => ({ name: '' }))],
  'answer-category-zero': [
    'The 201 body shows categoryId 0: the relation is not loaded yet.',
    showPet('create', () => ({ categoryId: 0n })),
  ],
  'answer-category-is-id': [
    'The 201 body shows the id in place of categoryId.',
    showPet('create', (pet) => ({ categoryId: pet.id + 7_000_000n })),
  ],
  'answer-without-status': ['The 201 body never shows the status.', showPet('create', () => ({ status: undefined }))],
  'answer-status-always-available': ['The 201 body always shows available.', showPet('create', () => ({ status: 'available' }))],
  'answer-shows-previous': [
    'The 201 body shows name and category of the previous creation.',
    (parts) => {
      let previous: Pet | undefined;
      return {
        petRecord: (pet, place) => {
          if (place !== 'create') return parts.petRecord(pet, place);
          const shown = previous ?? pet;
          previous = pet;
          return parts.petRecord({ ...shown, id: pet.id }, place);
        },
      };
    },
  ],
  'category-overridden-by-snake-case': [
    'The mapper has two names for categoryId, and the second one wins.',
    rebind((body) => ('category_id' in body ? { ...body, categoryId: body['category_id'] ?? null } : body)),
  ],
  'name-overridden-by-capital': [
    'The mapper ignores case, and the last member wins: Name overrides name.',
    rebind((body) => (typeof body['Name'] === 'string' ? { ...body, name: body['Name'] } : body)),
  ],
  'name-overridden-by-query': [
    'Query string and body are merged, and the query string wins: ?name= overrides name.',
    readWith(({ newPet, call }) => ({ ...newPet, name: call.query.get('name') ?? newPet.name })),
  ],
  'status-overridden-by-cookie': [
    'Parameters are read from query string, body and cookies, in this order, and the last one wins.',
    readWith(({ newPet, call }) => (/(?:^|; )status=sold/.test(header(call, 'cookie')) ? { ...newPet, status: 'sold' } : newPet)),
  ],
  'created-name-lower-case': [
    'The name is stored in lower case, and the 201 shows it in lower case.',
    storeName((text) => text.toLowerCase()),
  ],
  'duplicate-name-gets-number': [
    'A taken name gets a number appended: "Rex" becomes "Rex-2".',
    storePet((pet, { animals }) => (animals.some(({ name }) => name === pet.name) ? { name: `${pet.name}-2` } : {})),
  ],
  'unknown-member-drops-status': [
    'An unknown member activates the lenient mapper, which drops the status.',
    readWith(({ newPet, body }) => (hasUnknownMember(body) ? { ...newPet, status: undefined } : newPet)),
  ],
  'unknown-member-folds-name': [
    'An unknown member activates the lenient mapper, which lower-cases names.',
    readWith(({ newPet, body }) => (hasUnknownMember(body) ? { ...newPet, name: newPet.name.toLowerCase() } : newPet)),
  ],
  'client-id-cuts-name': [
    'A creation with an id goes through the update code, which truncates the name to ten characters.',
    readWith(({ newPet, body }) =>
      isObject(body) && member(body, 'id') !== undefined ? { ...newPet, name: newPet.name.slice(0, 10) } : newPet,
    ),
  ],
});
