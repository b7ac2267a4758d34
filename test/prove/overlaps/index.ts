import { authOverlaps } from './auth.ts';
import { createOverlaps } from './create.ts';
import { getOverlaps } from './get.ts';
import { listOverlaps } from './list.ts';
import type { Overlaps } from './overlap.ts';
import { recordOverlaps } from './record.ts';

/**
 * Clauses that a fault turns red beside its own because it truly breaks both, by the clause that is red as well. Whatever else is red is a
 * defect of the suite: it makes two findings of one.
 */
export const OVERLAPS: Overlaps = { ...authOverlaps, ...createOverlaps, ...getOverlaps, ...listOverlaps, ...recordOverlaps };
