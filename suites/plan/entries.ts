// All that can be sent after the opening, of which a run chooses.

import type { Found } from '../../src/plan/choose.ts';
import type { Entry } from '../../src/plan/row.ts';
import { alone } from './alone.ts';
import { bodies } from './bodies.ts';
import { company } from './company.ts';
import { creations } from './creations.ts';
import { credentials } from './credentials.ts';
import { drawn } from './drawn.ts';
import { createKit, type Kit } from './kit.ts';
import { open } from './open.ts';
import { reading } from './reading.ts';

/** The entries, and the kit that fills the rows that are chosen of them. */
export function entriesOf(
  found: Found,
  { seed, isDeep }: { readonly seed: number; readonly isDeep: boolean },
): Kit & { readonly entries: readonly Entry[] } {
  const kit = createKit(found, seed);
  const chapters = [reading, bodies, creations, company, credentials, open, alone];
  const entries = chapters.flatMap((chapter) => chapter(kit));
  return { ...kit, entries: isDeep ? [...entries, ...drawn(kit, seed)] : entries };
}
