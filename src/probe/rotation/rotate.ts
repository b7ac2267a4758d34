import type { CheckRecord } from '../../clause/run-record.ts';
import { describeInternalError } from '../../judge/judge-check.ts';
import { createJudging, settleIn } from '../../judge/judging.ts';
import type { SessionClause } from '../../oracle/rule.ts';
import type { OpenSession } from '../../session/open-session.ts';
import { failureOf } from '../failure.ts';
import type { SampleFailure } from '../sample.ts';
import type { Slice } from './slice.ts';
import { dueSlices, failingChecks, NEVER, type RotationLimits, requestsOf, type Turn, type Turns } from './turn.ts';

export type RotationOptions = RotationLimits & {
  readonly slices: readonly Slice[];
  /** Whose invariants judge what a slice sends. */
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
 * Judges the slices whose turn it is, one after the other, until the requests of this run are used up or it is stopped. One that fails is
 * asked again at once where the budget allows, else first in the next run. What is cut short has had no turn.
 */
export async function rotate(open: OpenSession, stop: AbortSignal, options: RotationOptions): Promise<Rotated> {
  const { clauses, turns: before, now } = options;
  const end = open.requests() + options.budget;
  const errors: string[] = [];
  const done = new Map<string, Turn>();
  const judged = new Map<string, readonly CheckRecord[]>();
  open.limitRequests(options.budget);

  async function judge({ clause, check, portion }: Slice): Promise<readonly CheckRecord[]> {
    open.takePortion(portion);
    const judging = createJudging(open, { clauses, plan: [[{ clause, check }]], stop });
    await judging.run();
    judging.close();
    const { records, errors: broke } = judging.judged();
    if (broke[0] !== undefined) throw broke[0];
    return settleIn(open, records);
  }

  /** What binds comes before what is advised. */
  function failureIn(records: readonly CheckRecord[]): SampleFailure | undefined {
    const failures = records.flatMap((record) => {
      const level = clauses.find(({ id }) => id === record.clause)?.level;
      return record.verdict === 'fail' && level !== undefined && level !== 'open' && !options.waived(record)
        ? [failureOf(record, level)]
        : [];
    });
    return failures.find(({ level }) => level !== 'advised') ?? failures[0];
  }

  async function take(one: Slice): Promise<void> {
    const { key, check } = one;
    const begin = open.requests();
    const records = await judge(one);
    const failure = failureIn(records);
    const verdict = failure === undefined ? (records[0]?.verdict ?? 'inconclusive') : 'fail';
    const cut = open.requests() >= end && failure === undefined && verdict === 'inconclusive';
    if (stop.aborted || cut) {
      done.set(key, cut ? outgrown(one, open.requests() - begin + 1) : { ...kept(one), at: now });
      return;
    }
    judged.set(
      key,
      records.filter(({ id, verdict: said }) => id === check.id || said === 'fail'),
    );
    const known = done.get(key) ?? before.get(key);
    const passedAt = verdict === 'pass' ? now : known?.passedAt;
    const requests = open.requests() - begin;
    const observations = records[0]?.observations ?? [];
    done.set(key, {
      ...named(one),
      at: now,
      verdict,
      requests,
      ...(passedAt === undefined ? {} : { passedAt }),
      ...(failure === undefined ? {} : { failure }),
      ...(observations.length === 0 ? {} : { observations }),
      confirmed: failure !== undefined && known?.failure !== undefined,
    });
    if (failure !== undefined && known?.failure === undefined && end - open.requests() >= requests) await take(one);
  }

  /** What was known, with a new date: others come before it the next time, or it would hold them up forever. */
  function kept(one: Slice): Turn {
    const { observations: _seen, ...known } = before.get(one.key) ?? {
      ...named(one),
      at: now,
      verdict: 'inconclusive' as const,
      requests: one.requests,
      confirmed: false,
    };
    return known;
  }

  /**
   * It takes more requests than was thought: it keeps its place, so that it is begun with more of a budget the next time. Where a whole one is
   * too little, it waits. What it found can't stand forever.
   */
  function outgrown(one: Slice, requests: number): Turn {
    const { failure: _failure, ...known } = kept(one);
    const at = requests > options.budget ? now : (before.get(one.key)?.at ?? NEVER);
    return { ...known, at, verdict: 'inconclusive', requests, confirmed: false };
  }

  for (const one of dueSlices(options.slices, before, options)) {
    if (stop.aborted || open.requests() >= end) break;
    if (Math.min(requestsOf(one, before), options.budget) > end - open.requests()) continue;
    if (!before.get(one.key)?.failure && failingChecks(done.values()).has(one.check.id)) continue;
    try {
      await take(one);
    } catch (error) {
      errors.push(open.redactText(describeInternalError(error)));
    }
  }
  return { turns: [...done.values()], records: [...judged.values()].flat(), errors };
}

function named({ check, portion }: Slice): Pick<Turn, 'check' | 'portion'> {
  return portion.of === 1 ? { check: check.id } : { check: check.id, portion };
}
