import { faultsOf, needing, WRITES } from '../fault.ts';
import { storePetSilently } from '../helpers/creations.ts';

/** What is stored is not what was sent, in the plain domain. */
export const createRoundTrip = faultsOf(needing(WRITES, 'create.round-trip'), {
  'stored-name-lower-case': [
    'The name is stored in lower case; the 201 shows it as sent.',
    storePetSilently((pet) => ({ name: pet.name.toLowerCase() })),
  ],
  'stored-name-title-case': [
    'The name is stored Capitalized Like This; the 201 shows it as sent.',
    storePetSilently((pet) => ({ name: pet.name.slice(0, 1).toUpperCase() + pet.name.slice(1).toLowerCase() })),
  ],
  'stored-name-cut-at-10': [
    'The stored name is truncated to ten characters; the 201 shows it as sent.',
    storePetSilently((pet) => ({ name: pet.name.slice(0, 10) })),
  ],
  'stored-name-cut-at-16': [
    'The stored name is truncated to sixteen characters; the 201 shows it as sent.',
    storePetSilently((pet) => ({ name: pet.name.slice(0, 16) })),
  ],
  'stored-category-one': [
    'The stored category is always 1; the 201 shows it as sent.',
    storePetSilently((pet) => ({ categoryId: 1n + (pet.categoryId === 1n ? 1n : 0n) })),
  ],
  'stored-status-available': [
    'The stored status is always available; the 201 shows it as sent.',
    storePetSilently(() => ({ status: 'available' })),
  ],
  'stored-status-lost': ['The status is not stored; the 201 shows it as sent.', storePetSilently(() => ({ status: undefined }))],
});
