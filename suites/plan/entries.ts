// All that can be sent after the opening, of which a run chooses.

import type { StoreState } from '../../src/plan/choose.ts';
import type { Entry } from '../../src/plan/row.ts';
import { bodies } from './bodies.ts';
import { creations } from './creations.ts';
import { credentials } from './credentials.ts';
import { drawn } from './drawn.ts';
import { groups } from './groups.ts';
import { createKit, type Kit } from './kit.ts';
import { open } from './open.ts';
import { reading } from './reading.ts';
import { selectedOnly } from './selected-only.ts';

/** The entries, and the kit that fills the rows that are chosen of them. */
export function entriesOf(
  found: StoreState,
  { seed, isThorough }: { readonly seed: number; readonly isThorough: boolean },
): Kit & { readonly entries: readonly Entry[] } {
  const kit = createKit(found, seed);
  const chapters = [reading, bodies, creations, groups, credentials, open, selectedOnly];
  const entries = chapters.flatMap((chapter) => chapter(kit));
  return { ...kit, entries: isThorough ? [...entries, ...drawn(kit, seed)] : entries };
}
