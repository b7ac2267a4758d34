// The verdict on each clause, from those on its parts.

import type { ListedClause } from '../clause/clause.ts';
import type { ClauseRecord } from '../clause/clause-record.ts';
import { joinParts, type PartRecord } from '../clause/part-record.ts';
import { clauseVerdict } from './must-counts.ts';

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
