import type { Parts } from './parts.ts';
import { type Status, statuses } from './pet.ts';
import type { Store } from './store.ts';
import { addPet } from './store.ts';

const names = ['Rex', 'Mia', 'Balu', 'Luna', 'Coco', 'Nala', 'Simba', 'Bella', 'Felix', 'Tofu', 'Pixel', 'Momo'] as const;

/** Puts plausible animals into the store: statuses take turns, so do the categories. */
export function seed(store: Store, parts: Parts, count: number, categories: readonly bigint[]): void {
  for (let index = 0; index < count; index += 1) {
    const turn = index % 7;
    // One in seven was created without a status.
    const status: Status | undefined = turn === 6 ? parts.defaultStatus() : statuses[turn % 3];
    const name = `${names[index % names.length] ?? 'Rex'}${index < names.length ? '' : ` ${Math.floor(index / names.length) + 1}`}`;
    addPet(store, { id: parts.assignId(store, null), name, categoryId: categories[index % categories.length] ?? 1n, status, createdAt: 0 });
  }
}
