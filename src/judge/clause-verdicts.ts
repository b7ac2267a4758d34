// The verdict on each clause, from those on its checks and invariants; and how many clauses have one.

import { isBinding, type ListedClause } from '../clause/clause.ts';
import type { Verdict } from '../clause/outcome.ts';
import type { CheckRecord, ClauseRecord } from '../clause/run-record.ts';

/**
 * The verdict on a clause from those on its checks and invariants: a failure outweighs everything, then a waived one; an inconclusive
 * part leaves the clause passed when another part passed, because that part exercised it.
 */
export function clauseVerdict(verdicts: readonly Verdict[]): Verdict {
  for (const decisive of ['fail', 'waived', 'pass', 'observed', 'inconclusive'] as const) {
    if (verdicts.includes(decisive)) return decisive;
  }
  return 'not-applicable';
}

/** Whether an option kept a check of the clause from sending: what others happened to send does not stand in for it. */
function wasDropped({ kind, verdict, why }: CheckRecord): boolean {
  return kind === 'check' && verdict === 'inconclusive' && why === 'choice';
}

/**
 * One record per clause, for the clauses with a record among the checks. In a run that may write, a clause is not passed if a check of its own was
 * dropped; a read-only run judges it by what it may send.
 */
export function clauseRecords(
  clauses: readonly ListedClause[],
  checks: readonly CheckRecord[],
  { readOnly }: { readonly readOnly: boolean },
): ClauseRecord[] {
  return clauses.flatMap((clause) => {
    const own = checks.filter((check) => check.clause === clause.id);
    const verdicts = own.map(({ verdict }) => verdict);
    const failed = own.filter(({ verdict }) => verdict === 'fail');
    const flaky = failed.length > 0 && failed.every((check) => check.flaky === true) ? { flaky: true } : {};
    const decisive = failed.length > 0 ? failed : own;
    const newer = decisive.every((check) => check.newer === true) ? ({ newer: true } as const) : {};
    if (verdicts.length === 0) return [];
    const { id, chapter, section, level, requirement, likelyCause } = clause;
    const quote = clause.quote === undefined ? {} : { quote: clause.quote };
    const derivation = clause.level === 'implied' ? { derivation: clause.derivation } : {};
    const ofParts = clauseVerdict(verdicts);
    const verdict = ofParts === 'pass' && !readOnly && own.some(wasDropped) ? 'inconclusive' : ofParts;
    const open = verdicts.filter((one) => one === 'inconclusive').length;
    const undecided = verdict === 'pass' && open > 0 ? { undecided: open } : {};
    return [{ id, chapter, section, level, requirement, ...quote, ...derivation, likelyCause, verdict, ...undecided, ...newer, ...flaky }];
  });
}

type Clauses = readonly Pick<ClauseRecord, 'id' | 'level' | 'verdict'>[];
type Checks = readonly Pick<CheckRecord, 'id' | 'clause' | 'verdict' | 'why' | 'blockedBy'>[];

/** The divisor for the selection that may be undecided because of the service: one in ten. */
const TOLERATED = 10;

export function undecidedByService(clauses: Clauses, checks: Checks) {
  const binding = new Set<string>(clauses.filter(isBinding).map(({ id }) => id));
  const parts = checks.filter(({ clause }) => binding.has(clause));
  const undecided = parts.filter(({ verdict, why }) => verdict === 'inconclusive' && why === 'service');
  return { undecided: undecided.length, of: parts.length, tooMany: undecided.length * TOLERATED > parts.length };
}

export function hiddenByWaivers(clauses: Clauses, checks: Checks): number {
  const waived = new Set<string>(clauses.filter(({ verdict }) => verdict === 'waived').map(({ id }) => id));
  return checks.filter(({ verdict, blockedBy }) => verdict === 'inconclusive' && blockedBy !== undefined && waived.has(blockedBy)).length;
}
