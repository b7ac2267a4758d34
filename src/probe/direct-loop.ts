import type { CheckId } from '../clause/clause.ts';
import type { CheckRecord, ClauseRecord } from '../clause/run-record.ts';
import { clauseRecords } from '../judge/conclude.ts';
import { createInvariantJudge } from '../judge/invariant-judge.ts';
import { describeInternalError, InternalError, judgeCheck, type SessionCheck, type SessionClause } from '../judge/judge-check.ts';
import { planOf } from '../judge/run-direct.ts';
import { settleRecords } from '../judge/settle-records.ts';
import type { OpenSession } from '../session/open-session.ts';

export type Judged = {
  readonly checks: readonly CheckRecord[];
  readonly clauses: readonly ClauseRecord[];
  readonly errors: readonly string[];
};

/** Cheap reads only, whatever else the clauses hold. */
const SELECTION = { effects: ['read'], smoke: true } as const;

/** A run in the making: `settle` may be called at any time, also when the deadline cut the run short. */
export type DirectJudge = { run(): Promise<void>; settle(): Judged };

/**
 * The direct loop of src/judge, with what a daemon needs besides: it can be cut off at a deadline with the verdicts so far, and one
 * check that breaks in our own code does not take the others with it. Exchanges are judged from the making of the judge on.
 */
export function createDirectJudge(clauses: readonly SessionClause[], open: OpenSession, stop: AbortSignal): DirectJudge {
  const invariants = createInvariantJudge(open, clauses, { stop });
  const plan = planOf({ clauses, ...SELECTION });
  const done = new Map<CheckId, CheckRecord>();
  const errors: string[] = [];

  async function judge(check: SessionCheck, clause: SessionClause): Promise<void> {
    try {
      done.set(check.id, await judgeCheck(check, { clause, open, stop }));
    } catch (error) {
      errors.push(open.redactText(describeInternalError(error)));
    }
  }

  function settleInvariants(): CheckRecord[] {
    return invariants.settleEach().flatMap((one) => {
      if (!(one instanceof InternalError)) return [one];
      errors.push(open.redactText(describeInternalError(one)));
      return [];
    });
  }

  return {
    async run() {
      for (const group of plan) await Promise.all(group.map(({ check, clause }) => judge(check, clause)));
    },
    settle() {
      const judged = [...plan.flat().map(({ check, clause }) => done.get(check.id) ?? cutShort(clause, check)), ...settleInvariants()];
      const checks = settleRecords(judged, { recognized: open.session.knowledge.credible, lockedOut: open.conduct().lockedOut });
      return { checks, clauses: clauseRecords(clauses, checks), errors: [...errors] };
    },
  };
}

function cutShort(clause: SessionClause, { id, title }: SessionCheck): CheckRecord {
  const base = { id, clause: clause.id, kind: 'check' as const, title, findings: [], observations: [], duration: 0 };
  return { ...base, verdict: 'inconclusive', why: 'service', note: 'the run ended before this check did' };
}
