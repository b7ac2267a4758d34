// How a plan is sent to a distant service: what must follow each other is one chain, and everything else is sent at the same time.

import { type PhaseShape, type Row, vectorsOf } from '../plan/row.ts';
import type { NumberedRow } from './sending.ts';

/** Milliseconds of the quickest response of a distant service. */
export const LEAST_OF_DISTANT = 45;
/** Rows in order that create nothing, so many side by side: groups that are about the same client are so many apart. */
export const MOST_CHAINS = 4;

/** Whether a row creates animals, so that no other one may at the same time. */
export const creates = (row: Row): boolean => vectorsOf(row).some(({ op, credential }) => op === 'create' && credential === undefined);

export type NumberedPhase = PhaseShape & { readonly title: string; readonly rows: readonly NumberedRow[] };

/** All phases whose rows are in order become one, in the place of the first of them: their chains are then one, with the rest of all at the same time. */
export function joinPhasesInOrder(phases: readonly NumberedPhase[]): readonly NumberedPhase[] {
  const [first, ...others] = phases.filter(
    ({ isInOrder, pause, rows }) => isInOrder === true && pause === undefined && rows.some(({ row }) => creates(row)),
  );
  if (first === undefined) return phases;
  const rows = [first, ...others].flatMap((phase) => phase.rows);
  return phases.filter((phase) => !others.includes(phase)).map((phase) => (phase === first ? { ...phase, rows } : phase));
}
