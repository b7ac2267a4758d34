// Red clauses of a fault besides the one that it names. `BUDGETS.otherRed` bounds how many there are; where a fault has many, a reason says why.

import { type FaultName, faults } from '../../src/reference/faults/index.ts';
import type { Result } from './result.ts';

/** So many other red clauses of one fault need no reason. */
export const MOST_WITHOUT_REASON = 3;

/** Why a fault breaks more clauses than that. */
export const REASONS: Partial<Readonly<Record<FaultName, string>>> = {
  'browser-sent-to-login':
    'Clients that look like a browser are redirected whatever they ask for, some of them in every run with that list or read alone',
};

const OWN = new Map<string, string>(faults.map(({ name, clause }) => [name, clause]));
const REASON = new Map<string, string>(Object.entries(REASONS));

/** Required and implied clauses that a fault turns red besides its own; none for a variant. */
export const othersOf = ({ kind, name, red }: Pick<Result, 'kind' | 'name' | 'red'>): readonly string[] =>
  kind === 'fault' ? red.filter((clause) => clause !== OWN.get(name)) : [];

/** Faults with many other red clauses, for which there is no reason. */
export const withoutReason = (results: readonly Result[]): readonly Result[] =>
  results.filter((result) => othersOf(result).length > MOST_WITHOUT_REASON && !REASON.has(result.name));

/** Reasons of faults that break no other clause any more. */
export const staleReasons = (results: readonly Result[]): readonly string[] =>
  results.filter((result) => result.kind === 'fault' && REASON.has(result.name) && othersOf(result).length === 0).map(({ name }) => name);
