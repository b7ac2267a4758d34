import type { CheckId } from '../../clause/clause.ts';
import type { CheckRecord } from '../../clause/run-record.ts';
import { createInvariantJudge } from '../../judge/invariant-judge.ts';
import { describeInternalError, judgeCheck, type SessionClause } from '../../judge/judge-check.ts';
import { settleRecords } from '../../judge/settle-records.ts';
import type { OpenSession } from '../../session/open-session.ts';
import { failureOf } from '../failure.ts';
import type { SampleFailure } from '../sample.ts';
import type { RotatingCheck } from './plan.ts';
import { dueChecks, NEVER, nextPart, type RotationLimits, requestsOf, type Turn, type Turns } from './turn.ts';

export type RotationOptions = RotationLimits & {
  readonly checks: readonly RotatingCheck[];
  /** Whose invariants judge what a check sends. */
  readonly clauses: readonly SessionClause[];
  readonly turns: Turns;
  /** Ids of clauses and checks whose failures are known. */
  readonly waived: (record: CheckRecord) => boolean;
  /** Wall clock, milliseconds. */
  readonly now: number;
};

export type Rotated = {
  readonly turns: readonly Turn[];
  /** The verdicts of these turns, with the invariants that failed during them. */
  readonly records: readonly CheckRecord[];
  /** Exceptions of our own code. */
  readonly errors: readonly string[];
};

/**
 * Judges the checks whose turn it is, one after the other, until the requests of this run are used up or it is stopped. A check that fails is
 * asked again at once where the budget allows, else first in the next run. What is cut short has had no turn.
 */
export async function rotate(open: OpenSession, stop: AbortSignal, options: RotationOptions): Promise<Rotated> {
  const { clauses, turns: before, now } = options;
  const end = open.requests() + options.budget;
  const errors: string[] = [];
  const done = new Map<CheckId, Turn>();
  const judged = new Map<CheckId, readonly CheckRecord[]>();
  open.limitRequests(options.budget);

  async function judge(one: RotatingCheck): Promise<readonly CheckRecord[]> {
    const { clause, check } = one;
    open.takePortion(nextPart(one, before, options.budget));
    const turn = new AbortController();
    const invariants = createInvariantJudge(open, clauses, { stop: turn.signal });
    try {
      const record = await judgeCheck(check, { clause, open, stop });
      return settleRecords([record, ...invariants.settle()], {
        recognized: open.session.knowledge.credible,
        lockedOut: open.conduct().lockedOut,
      });
    } finally {
      turn.abort();
    }
  }

  function failureIn(records: readonly CheckRecord[]): SampleFailure | undefined {
    const [failure] = records.flatMap((record) => {
      const level = clauses.find(({ id }) => id === record.clause)?.level;
      return record.verdict === 'fail' && level !== undefined && level !== 'open' && !options.waived(record)
        ? [failureOf(record, level)]
        : [];
    });
    return failure;
  }

  async function take(one: RotatingCheck): Promise<void> {
    const begin = open.requests();
    const records = await judge(one);
    const failure = failureIn(records);
    const verdict = failure === undefined ? (records[0]?.verdict ?? 'inconclusive') : 'fail';
    const cut = open.requests() >= end && failure === undefined && verdict === 'inconclusive';
    if (stop.aborted || cut) {
      done.set(one.check.id, cut ? outgrown(one, open.requests() - begin + 1) : { ...kept(one), at: now });
      return;
    }
    judged.set(
      one.check.id,
      records.filter(({ id, verdict: said }) => id === one.check.id || said === 'fail'),
    );
    const known = done.get(one.check.id) ?? before.get(one.check.id);
    const { part, of } = nextPart(one, before, options.budget);
    // The check has passed when all of its parts have, the last one now.
    const passedAt = verdict === 'pass' && part === of - 1 ? now : known?.passedAt;
    const requests = open.requests() - begin;
    const observations = records[0]?.observations ?? [];
    done.set(one.check.id, {
      check: one.check.id,
      at: now,
      verdict,
      requests,
      ...(passedAt === undefined ? {} : { passedAt }),
      ...(failure === undefined ? {} : { failure }),
      ...(observations.length === 0 ? {} : { observations }),
      confirmed: failure !== undefined && known?.failure !== undefined,
      ...(of === 1 ? {} : { part }),
    });
    if (failure !== undefined && known?.failure === undefined && end - open.requests() >= requests) await take(one);
  }

  /** What was known, with a new date: others come before it the next time, or it would hold them up forever. */
  function kept(one: RotatingCheck): Turn {
    const { id } = one.check;
    const { observations: _seen, ...known } = before.get(id) ?? {
      check: id,
      at: now,
      verdict: 'inconclusive' as const,
      requests: one.requests,
      confirmed: false,
    };
    return known;
  }

  /**
   * It takes more requests than was thought: it keeps its place, so that it is begun with more of a budget the next time, until a whole one is
   * too little. What it found can't stand forever.
   */
  function outgrown(one: RotatingCheck, requests: number): Turn {
    const { failure: _failure, ...known } = kept(one);
    return { ...known, at: before.get(one.check.id)?.at ?? NEVER, verdict: 'inconclusive', requests, confirmed: false };
  }

  for (const one of dueChecks(options.checks, before, options)) {
    if (stop.aborted || open.requests() >= end) break;
    if (requestsOf(one, before, options.budget) > end - open.requests()) continue;
    try {
      await take(one);
    } catch (error) {
      errors.push(open.redactText(describeInternalError(error)));
    }
  }
  return { turns: [...done.values()], records: [...judged.values()].flat(), errors };
}
