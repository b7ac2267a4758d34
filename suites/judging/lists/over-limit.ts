import { itemsOf } from './items-of.ts';
import { type PlainList, situationOf } from './plain-list.ts';
import type { Wrong } from './wrong-list.ts';

/** More animals than requested. */
export function overLimit(list: PlainList, most: number): Wrong | undefined {
  const count = itemsOf(list.answer)?.length ?? 0;
  if (count <= most) return undefined;
  return {
    summary: `${situationOf(list)} returned ${count} animals; expected at most ${most}`,
    expected: [`at most ${most} ${most === 1 ? 'animal' : 'animals'}`],
    received: `${count} animals`,
  };
}
