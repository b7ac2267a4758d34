import type { Pet } from '../core/pet.ts';
import { type Fault, fault, writing } from './fault.ts';

const names = 'create.unusual-names';
const categories = 'create.unusual-categories';
const LONGEST_KEY = 128;

function misses(name: string, clause: string, summary: string, lost: (pet: Pet) => boolean): Fault {
  return fault(
    `filter-misses-${name}`,
    clause,
    summary,
    (parts) => ({ matches: (pet, status) => parts.matches(pet, status) && !lost(pet) }),
    writing,
  );
}

/** Filters that lose animals for what is unusual about them. */
export const filterUnusualFaults: readonly Fault[] = [
  misses(
    'category-zero',
    categories,
    'The filter skips animals of category 0: zero counts as no category.',
    (pet) => pet.categoryId === 0n,
  ),
  misses('negative-category', categories, 'The filter skips animals of negative categories.', (pet) => pet.categoryId < 0n),
  misses(
    'large-category',
    categories,
    'The filter joins categories by a 32-bit column: animals of others are skipped.',
    (pet) => BigInt.asIntN(32, pet.categoryId) !== pet.categoryId,
  ),
  misses('accents', names, 'The search index behind the filter takes ASCII names only.', (pet) => /[^\0-\x7f]/.test(pet.name)),
  misses('nul', names, 'The search index behind the filter drops names with U+0000.', (pet) => pet.name.includes('\0')),
  misses('empty-name', names, "The filter skips animals with an empty name: WHERE name > ''.", (pet) => pet.name === ''),
  misses('long-name', names, 'The index behind the filter has no keys beyond 128 characters.', (pet) => pet.name.length > LONGEST_KEY),
];
