import type { ClauseId } from '../clause/clause.ts';
import type { Judged } from './tally.ts';

/** Inconclusive checks by the clause whose defect stopped them; those that lacked something else, or one alone, by themselves. */
export type Blocked = {
  readonly groups: readonly { readonly by: ClauseId; readonly judged: readonly Judged[] }[];
  readonly single: readonly Judged[];
};

/** Groups inconclusive checks, the largest group first: one repair may settle many. */
export function groupBlocked(judged: readonly Judged[]): Blocked {
  const byClause = Map.groupBy(judged, ({ check }) => check.blockedBy);
  const groups = [...byClause].flatMap(([by, members]) => (by === undefined || members.length < 2 ? [] : [{ by, judged: members }]));
  const grouped = new Set(groups.flatMap((group) => group.judged));
  return {
    groups: groups.toSorted((left, right) => right.judged.length - left.judged.length),
    single: judged.filter((one) => !grouped.has(one)),
  };
}
