// How many of the situations of a run are undecided, and why.

import { isBinding } from '../clause/clause.ts';
import type { ClauseRecord, MustRecord } from '../clause/clause-record.ts';
import type { Verdict } from '../clause/outcome.ts';

/**
 * The verdict of several: a failure outweighs everything, then a waived one; what is inconclusive leaves the rest passed where something passed,
 * because that exercised it.
 */
export function clauseVerdict(verdicts: readonly Verdict[]): Verdict {
  for (const decisive of ['fail', 'waived', 'pass', 'observed', 'inconclusive'] as const) {
    if (verdicts.includes(decisive)) return decisive;
  }
  return 'not-applicable';
}

type OfMusts = { readonly musts: readonly Pick<MustRecord, 'verdict' | 'why' | 'blockedBy'>[] };

/** The divisor for the selection that may be undecided because of the service: one in ten. */
const TOLERATED = 10;

/** Whether a situation is undecided because the service put requests off, did not respond in time, or stopped creating. */
export function isUndecidedByService({ verdict, why }: Pick<MustRecord, 'verdict' | 'why'>): boolean {
  return verdict === 'inconclusive' && why === 'service';
}

export function undecidedByService(clauses: readonly (OfMusts & Pick<ClauseRecord, 'level'>)[]) {
  const musts = clauses.filter(isBinding).flatMap((clause) => clause.musts);
  const undecided = musts.filter(isUndecidedByService).length;
  return { undecided, of: musts.length, tooMany: undecided * TOLERATED > musts.length };
}

export function waitingFor(clause: string, clauses: readonly OfMusts[]): number {
  return clauses.flatMap(({ musts }) => musts).filter(({ blockedBy }) => blockedBy === clause).length;
}

export function hiddenByWaivers(clauses: readonly (OfMusts & Pick<ClauseRecord, 'id' | 'verdict'>)[]): number {
  return clauses.filter(({ verdict }) => verdict === 'waived').reduce((sum, { id }) => sum + waitingFor(id, clauses), 0);
}
