// The verdict on each clause, from those on its parts; and how many of the situations of a run are undecided.

import { isBinding, type ListedClause } from '../clause/clause.ts';
import type { ClauseRecord, MustRecord } from '../clause/clause-record.ts';
import type { Verdict } from '../clause/outcome.ts';
import { joinParts, type PartRecord } from '../clause/part-record.ts';

/**
 * The verdict on a clause from those on its parts: a failure outweighs everything, then a waived one; an inconclusive part leaves the clause
 * passed when another part passed, because that part exercised it.
 */
export function clauseVerdict(verdicts: readonly Verdict[]): Verdict {
  for (const decisive of ['fail', 'waived', 'pass', 'observed', 'inconclusive'] as const) {
    if (verdicts.includes(decisive)) return decisive;
  }
  return 'not-applicable';
}

/** Whether an option kept a check of the clause from sending: what others happened to send does not stand in for it. */
function wasDropped({ kind, verdict, why }: PartRecord): boolean {
  return kind === 'check' && verdict === 'inconclusive' && why === 'choice';
}

/**
 * One record per clause, for the clauses with a record among the parts. In a run that may write, a clause is not passed if a check of its own was
 * dropped; a read-only run judges it by what it may send.
 */
export function clauseRecords(
  clauses: readonly ListedClause[],
  parts: readonly PartRecord[],
  { readOnly }: { readonly readOnly: boolean },
): ClauseRecord[] {
  const byClause = Map.groupBy(parts, ({ clause }) => clause);
  return clauses.flatMap((clause) => {
    const own = byClause.get(clause.id);
    if (own === undefined) return [];
    const { id, chapter, section, level, requirement, likelyCause } = clause;
    const quote = clause.quote === undefined ? {} : { quote: clause.quote };
    const derivation = clause.level === 'implied' ? { derivation: clause.derivation } : {};
    const ofParts = clauseVerdict(own.map(({ verdict }) => verdict));
    const verdict = ofParts === 'pass' && !readOnly && own.some(wasDropped) ? 'inconclusive' : ofParts;
    const failed = own.filter((part) => part.verdict === 'fail');
    const flaky = failed.length > 0 && failed.every((part) => part.flaky === true) ? ({ flaky: true } as const) : {};
    const decisive = failed.length > 0 ? failed : own;
    const newer = decisive.every((part) => part.newer === true) ? ({ newer: true } as const) : {};
    return [
      joinParts({ id, chapter, section, level, requirement, ...quote, ...derivation, likelyCause, verdict, ...newer, ...flaky }, own),
    ];
  });
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

/** The number of situations that wait for a clause. */
export function waitingFor(clause: string, clauses: readonly OfMusts[]): number {
  return clauses.flatMap(({ musts }) => musts).filter(({ blockedBy }) => blockedBy === clause).length;
}

export function hiddenByWaivers(clauses: readonly (OfMusts & Pick<ClauseRecord, 'id' | 'verdict'>)[]): number {
  return clauses.filter(({ verdict }) => verdict === 'waived').reduce((sum, { id }) => sum + waitingFor(id, clauses), 0);
}
