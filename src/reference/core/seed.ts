import type { Parts } from './parts.ts';
import { STATUSES, type Status } from './pet.ts';
import type { Store } from './store.ts';
import { addPet } from './store.ts';

const NAMES = ['Rex', 'Mia', 'Balu', 'Luna', 'Coco', 'Nala', 'Simba', 'Bella', 'Felix', 'Tofu', 'Pixel', 'Momo'] as const;

/** Stores plausible animals, with alternating statuses and categories. */
export function seed(store: Store, parts: Parts, count: number, categories: readonly bigint[]): void {
  for (let index = 0; index < count; index += 1) {
    const turn = index % 7;
    // One in seven was created without a status.
    const status: Status | undefined = turn === 6 ? parts.defaultStatus() : STATUSES[turn % 3];
    const name = `${NAMES[index % NAMES.length] ?? 'Rex'}${index < NAMES.length ? '' : ` ${Math.floor(index / NAMES.length) + 1}`}`;
    addPet(store, { id: parts.assignId(store, null), name, categoryId: categories[index % categories.length] ?? 1n, status, createdAt: 0 });
  }
}
