import { authOverlaps } from './auth.ts';
import { createOverlaps } from './create.ts';
import { getOverlaps } from './get.ts';
import { listOverlaps } from './list.ts';
import type { Overlaps } from './overlap.ts';
import { recordOverlaps } from './record.ts';

/**
 * Clauses that a fault turns red in addition to its own because it really breaks both, by the other red clause. Any other red clause is a
 * defect of the suite: it reports one defect twice.
 */
export const OVERLAPS: Overlaps = { ...authOverlaps, ...createOverlaps, ...getOverlaps, ...listOverlaps, ...recordOverlaps };
