import { FEW, faultsOf, needing } from '../fault.ts';
import { showPet } from '../helpers/records.ts';

/** Two views of one animal that differ. */
export const getAgreesWithList = faultsOf(needing(FEW, 'get.agrees-with-list'), {
  'get-name-lower-case': [
    'getPet shows the search key; the list shows the name.',
    showPet('get', (pet) => ({ name: pet.name.toLowerCase() })),
  ],
  'get-status-stale': ['getPet always shows available; the list shows the status.', showPet('get', () => ({ status: 'available' }))],
  'get-without-status': ['getPet omits the status; the list shows it.', showPet('get', () => ({ status: undefined }))],
  'get-category-other': ['getPet shows the parent category.', showPet('get', (pet) => ({ categoryId: pet.categoryId * 100n }))],
  'list-name-shortened': [
    'The list abbreviates names of more than four letters with dots.',
    showPet('list', (pet) => (pet.name.length > 4 ? { name: `${pet.name.slice(0, 3)}...` } : {})),
  ],
  'list-without-status': ['The list omits the status; getPet shows it.', showPet('list', () => ({ status: undefined }))],
  'list-category-zero': ['The list shows categoryId 0: the relation is not joined.', showPet('list', () => ({ categoryId: 0n }))],
  'list-status-stale': [
    'The list shows pending where getPet shows sold.',
    showPet('list', (pet) => ({ status: pet.status === 'sold' ? 'pending' : pet.status })),
  ],
});
