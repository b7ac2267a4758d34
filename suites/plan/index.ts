// What a run sends.

import { type Entry, type Phase, PHASES, type PhaseName } from '../../src/plan/row.ts';
import type { Vector } from '../../src/session/rows.ts';
import { PET_STATUSES } from '../../src/wire/exchange.ts';
import { bodies } from './bodies.ts';
import { company } from './company.ts';
import { creations } from './creations.ts';
import { credentials } from './credentials.ts';
import { createKit, type Found } from './kit.ts';
import { reading } from './reading.ts';

/** The first requests: what is there, and what the rest of the plan needs to know. */
export const OPENING: readonly Vector[] = [
  { op: 'list' },
  { op: 'list', limit: 20 },
  { op: 'list', limit: 100 },
  ...PET_STATUSES.flatMap((status): Vector[] => [
    { op: 'list', status, limit: 100 },
    { op: 'list', status },
  ]),
  ...[0, 1, 2].map((id): Vector => ({ op: 'get', id })),
];

/** The rest of a run. The same seed and the same findings give the same rows. */
export function planOf(found: Found, seed: number): readonly Phase[] {
  const kit = createKit(found, seed);
  const entries: readonly Entry[] = [reading, bodies, creations, company, credentials].flatMap((chapter) => chapter(kit));
  return (Object.keys(PHASES) as PhaseName[]).map((title) => {
    const rows = entries.filter(({ phase }) => phase === title).flatMap((entry) => entry.rows);
    return { title, ...PHASES[title], rows: 'isInOrder' in PHASES[title] ? rows : kit.mixed(rows) };
  });
}
