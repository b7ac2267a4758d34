import type { CheckId } from '../clause/clause.ts';
import type { Verdict } from '../clause/outcome.ts';
import type { CheckRecord, ClauseRecord } from '../clause/run-record.ts';
import { createInvariantJudge } from '../judge/invariant-judge.ts';
import { judgeCheck, type SessionCheck, type SessionClause } from '../judge/judge-check.ts';
import { planOf } from '../judge/run-direct.ts';
import type { OpenSession } from '../session/open-session.ts';
import { messageOf } from './messages.ts';

export type Judged = { readonly checks: readonly CheckRecord[]; readonly clauses: readonly ClauseRecord[]; readonly errors: readonly string[] };

/** From bad to good: a clause has the worst verdict of its parts. */
const WORST_FIRST: readonly Verdict[] = ['fail', 'waived', 'inconclusive', 'pass', 'observed'];

/** Cheap reads only, whatever else the clauses hold. */
const SELECTION = { effects: ['read'], smoke: true } as const;

/** A run in the making: `settle` may be called at any time, also when the deadline cut the run short. */
export type DirectJudge = { run(): Promise<void>; settle(): Judged };

/**
 * The direct loop of src/judge, with what a daemon needs besides: it can be cut off at a deadline with the verdicts so far, and one
 * check that breaks in our own code does not take the others with it. Exchanges are judged from the making of the judge on.
 */
export function createDirectJudge(clauses: readonly SessionClause[], open: OpenSession): DirectJudge {
  const invariants = createInvariantJudge(open, clauses);
  const plan = planOf({ clauses, ...SELECTION });
  const done = new Map<CheckId, CheckRecord>();
  const errors: string[] = [];

  async function judge(check: SessionCheck, clause: SessionClause): Promise<void> {
    try {
      done.set(check.id, await judgeCheck(check, { clause, open }));
    } catch (error) {
      errors.push(open.redactText(`${check.id}: ${messageOf(error)}`));
    }
  }

  function settleInvariants(): readonly CheckRecord[] {
    try {
      return invariants.settle();
    } catch (error) {
      errors.push(open.redactText(messageOf(error)));
      return [];
    }
  }

  return {
    async run() {
      for (const group of plan) await Promise.all(group.map(({ check, clause }) => judge(check, clause)));
    },
    settle() {
      const checks = [...plan.flat().map(({ check, clause }) => done.get(check.id) ?? cutShort(clause, check)), ...settleInvariants()];
      const judged = new Set(checks.map(({ clause }) => clause));
      const records = clauses.filter(({ id }) => judged.has(id)).map((clause) => clauseRecord(clause, checks));
      return { checks, clauses: records, errors: [...errors] };
    },
  };
}

function cutShort(clause: SessionClause, { id, title }: SessionCheck): CheckRecord {
  const base = { id, clause: clause.id, kind: 'check' as const, title, findings: [], observations: [], duration: 0 };
  return { ...base, verdict: 'inconclusive', note: 'the run ended before this check did' };
}

function clauseRecord(clause: SessionClause, checks: readonly CheckRecord[]): ClauseRecord {
  const verdicts = checks.filter((check) => check.clause === clause.id).map(({ verdict }) => verdict);
  const verdict = WORST_FIRST.find((candidate) => verdicts.includes(candidate)) ?? 'inconclusive';
  const { id, chapter, section, level, demands, hint } = clause;
  return { id, chapter, section, level, demands, hint, verdict, ...(clause.level === 'implied' ? { derivation: clause.derivation } : {}) };
}
