import { faults } from '../../../src/reference/faults/index.ts';
import type { Result } from '../result.ts';
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

type Entry = { readonly clause: string; readonly fault: string; readonly always: boolean };

const ENTRIES: readonly Entry[] = Object.entries(OVERLAPS).flatMap(([clause, overlaps]) =>
  overlaps.flatMap(({ of = [], sometimes = [] }) => [
    ...of.map((fault) => ({ clause, fault, always: true })),
    ...sometimes.map((fault) => ({ clause, fault, always: false })),
  ]),
);
const OWN = new Map<string, string>(faults.map(({ name, clause }) => [name, clause]));

/** Clauses that the fault turns red in addition to its own, always or sometimes. */
export function overlapsOf(name: string): readonly string[] {
  return ENTRIES.filter(({ fault }) => fault === name).map(({ clause }) => clause);
}

/** Red clauses of a fault in addition to the one that it names: those that it can't leave green, and those that nothing explains. */
export function redSetOf({ kind, name, red }: Result): { readonly explained: readonly string[]; readonly unexplained: readonly string[] } {
  const others = kind === 'fault' ? red.filter((clause) => clause !== OWN.get(name)) : [];
  const known = new Set(overlapsOf(name));
  return { explained: others.filter((clause) => known.has(clause)), unexplained: others.filter((clause) => !known.has(clause)) };
}

/** Overlaps of judged faults that are not there any more: the clause stays green. */
export function staleOverlaps(results: readonly Result[]): readonly Entry[] {
  const red = new Map(results.filter(({ kind }) => kind === 'fault').map((result) => [result.name, result.red]));
  return ENTRIES.filter(({ clause, fault, always }) => always && red.get(fault)?.includes(clause) === false);
}
