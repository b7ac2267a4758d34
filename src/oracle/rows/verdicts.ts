// The verdict on each clause: by its cases, and by which of its `must`s they meet.

import { NOT_RECOGNIZED } from '../../clause/outcome.ts';
import { mayBeRemoved } from '../../clause/removal.ts';
import { type CasesByClause, casesOf, explain, type JudgedCase } from './blame.ts';
import { SUCCESS } from './mechanisms.ts';
import type { Clause, Must } from './rule.ts';
import type { World } from './world.ts';

export type Verdict = {
  readonly clause: Clause;
  readonly verdict: 'fail' | 'pass' | 'inconclusive' | 'not-applicable';
  /** `passed, 2 of 5 not met`, or what was missing. */
  readonly note: string;
  readonly why?: 'waits' | 'circumstance';
  /** The clause that explains what would be broken, or whose acceptance is missing. */
  readonly blockedBy?: string;
  /** Titles of its `must`s that cases met, and that none did. */
  readonly met: readonly string[];
  readonly unmet: readonly string[];
  /** The cases that nothing explains and that break it. */
  readonly broken: readonly JudgedCase[];
};

/** Judges a history: pure, at any moment. Whole clauses neither wait nor are moved. */
export function judge(clauses: readonly Clause[], world: World): readonly Verdict[] {
  const cases = explain(casesOf(clauses, world), world);
  return clauses.map((clause) => verdictOn(clause, cases, world));
}

function verdictOn(clause: Clause, cases: CasesByClause, world: World): Verdict {
  const all = cases.get(clause.id) ?? [];
  const counted = all.filter(({ explainedBy }) => explainedBy === undefined);
  const broken = counted.filter(({ breach }) => breach !== undefined).toSorted((a, b) => a.exchange.number - b.exchange.number);
  const held = counted.filter(({ breach }) => breach === undefined);
  const isMet = ({ meets, accepts }: Must): boolean =>
    (accepts === undefined || world.accepted.has(accepts)) && held.some((one) => meets(one, world));
  const [met, unmet] = [clause.must.filter(isMet), clause.must.filter((must) => !isMet(must))].map((some) =>
    some.map(({ title }) => title),
  );
  const base = { clause, met: met ?? [], unmet: unmet ?? [], broken };
  if (broken.length > 0) return { ...base, verdict: 'fail', note: broken[0]?.breach?.summary ?? '' };
  if (!world.isCredible) return { ...base, verdict: 'inconclusive', note: NOT_RECOGNIZED, why: 'circumstance' };
  const missing = base.unmet.length === 0 ? '' : `, ${base.unmet.length} of ${clause.must.length} not met`;
  if (base.met.length > 0) return { ...base, verdict: 'pass', note: `passed${missing}` };
  const explainedBy = all.find((one) => one.explainedBy !== undefined)?.explainedBy;
  if (explainedBy !== undefined)
    return { ...base, verdict: 'inconclusive', note: `its cases are explained by ${explainedBy}`, why: 'waits', blockedBy: explainedBy };
  const lacking = clause.must.find(
    ({ accepts, meets }) => accepts !== undefined && !world.accepted.has(accepts) && held.some((one) => meets(one, world)),
  )?.accepts;
  if (lacking === 'getPet' && mayBeRemoved(world.run.now))
    return { ...base, verdict: 'not-applicable', note: 'getPet has been removed as announced' };
  if (lacking !== undefined)
    return {
      ...base,
      verdict: 'inconclusive',
      note: `no ${lacking} request was accepted, so that a rejection proves nothing`,
      why: 'waits',
      blockedBy: SUCCESS[lacking],
    };
  if (clause.level === 'advised') return { ...base, verdict: 'not-applicable', note: 'no exchange to which it applies' };
  return { ...base, verdict: 'inconclusive', note: 'no exchange to which it applies', why: 'circumstance' };
}
