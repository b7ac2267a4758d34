import type { Verdict } from '../../clause/outcome.ts';
import type { CheckRecord } from '../../clause/run-record.ts';
import { describeInternalError } from '../../judge/check.ts';
import { createJudging, settleIn } from '../../judge/judging.ts';
import type { SessionClause } from '../../oracle/world.ts';
import type { OpenSession } from '../../session/open-session.ts';
import type { Portion } from '../../session/run-size.ts';
import { failureOf, type SampleFailure } from '../failure.ts';
import { dueKinds, NEVER, type RotationLimits, requestsOfRow, rowsOfTurn, type Turn, type Turning, type Turns } from './turns.ts';

export type RotationOptions = RotationLimits & {
  readonly kinds: readonly Turning[];
  /** The maximum number of requests of a turn of a table, so that a run includes more than one; the whole budget by default. */
  readonly perTurn?: number;
  readonly clauses: readonly SessionClause[];
  readonly turns: Turns;
  /** The records without the failures that are known. */
  readonly waive: (records: readonly CheckRecord[]) => readonly CheckRecord[];
  /** What is newer than this version of the suite only warns. */
  readonly asOf?: string | undefined;
  /** Wall clock, milliseconds. */
  readonly now: number;
};

export type Rotated = {
  readonly turns: readonly Turn[];
  /** The verdicts of these turns, with the invariants that failed during them. */
  readonly records: readonly CheckRecord[];
  readonly errors: readonly string[];
};

/** The rows of a table that were sent: from which row, how many, and with which the next turn begins. */
type Rows = { readonly from: number; readonly sent: number; readonly next: number };

/**
 * Sends the due kinds, one after the other, until the requests of this run are used up or it is stopped: as many rows of a table as that
 * allows, starting where its last turn ended. A failing one is sent again immediately if the budget allows, or else first in the next run.
 * An incomplete turn does not count.
 */
export async function rotate(open: OpenSession, stop: AbortSignal, options: RotationOptions): Promise<Rotated> {
  const { clauses, turns: before, now, perTurn = options.budget } = options;
  const end = open.requests() + options.budget;
  const errors: string[] = [];
  const done = new Map<string, Turn>();
  const judged = new Map<string, readonly CheckRecord[]>();
  open.limitRequests(options.budget);

  const left = (): number => end - open.requests();
  const fromOf = ({ check, from = 0 }: Turning): number => before.get(check.id)?.next ?? from;
  /** A run that begins in the middle of a table may also reach its beginning. */
  const keyOf = (one: Turning): string => `${one.check.id} ${fromOf(one)}`;

  async function judge({ clause, check }: Turning, portion: Portion): Promise<readonly CheckRecord[]> {
    open.takePortion(portion);
    const judging = createJudging(open, { clauses, plan: [[{ clause, check }]], stop, asOf: options.asOf });
    await judging.run();
    judging.close();
    const { records, errors: broke } = judging.judged();
    if (broke[0] !== undefined) throw broke[0];
    return settleIn(open, records);
  }

  /** Binding clauses come before advised ones. */
  function failureIn(records: readonly CheckRecord[]): SampleFailure | undefined {
    const failures = options.waive(records).flatMap((record) => {
      const level = clauses.find(({ id }) => id === record.clause)?.level;
      return record.verdict === 'fail' && level !== undefined && level !== 'open' ? [failureOf(record, level)] : [];
    });
    return failures.find(({ level, newer }) => level !== 'advised' && newer !== true) ?? failures[0];
  }

  async function take(one: Turning, most: number): Promise<void> {
    const { id } = one.check;
    const key = keyOf(one);
    const begin = open.requests();
    const records = await judge(one, { from: fromOf(one), most });
    const requests = open.requests() - begin;
    const failure = failureIn(records);
    const verdict = failure === undefined ? (records[0]?.verdict ?? 'inconclusive') : 'fail';
    const rows = rowsOf(one, most);
    if (requests === 0 && verdict === 'inconclusive') {
      // A failure that was just found, and is sent only once per session, stays until the next run repeats it.
      if (done.get(key)?.failure !== undefined) return;
      // Other kinds have sent the same requests in this run: it precedes them in the next one.
      done.set(key, { ...kept(one), at: now, due: before.get(id)?.due ?? NEVER });
      return;
    }
    const cut = left() <= 0 && failure === undefined && verdict === 'inconclusive';
    if (stop.aborted || cut) {
      done.set(key, cut ? outgrown(one, { requests: requests + 1, rows: rows.sent }) : { ...kept(one), at: now, due: now });
      return;
    }
    judged.set(
      key,
      records.filter((record) => record.id === id || record.verdict === 'fail'),
    );
    const known = done.get(key) ?? before.get(id);
    const observations = records[0]?.observations ?? [];
    done.set(key, {
      ...{ check: id, at: now, verdict, requests, rows: rows.sent },
      ...progressOf(before.get(id) ?? {}, { verdict, rows }),
      ...(failure === undefined ? {} : { failure }),
      ...(observations.length === 0 ? {} : { observations }),
      confirmed: failure !== undefined && known?.failure !== undefined,
    });
    if (failure !== undefined && known?.failure === undefined && left() >= requests) await take(one, most);
  }

  /** What was sent of a kind's table, and where it continues: after the last row, at the first. */
  function rowsOf(one: Turning, most: number): Rows {
    const of = open.longestTable();
    if (of === 0) return { sent: 1, from: 0, next: 0 };
    const from = fromOf(one) % of;
    const upTo = Math.min(of, from + most);
    return { sent: upTo - from, from, next: upTo === of ? 0 : upTo };
  }

  /** The progress of the rounds through a table. Failing rows are sent again until they pass. */
  function progressOf(known: Partial<Turn>, { verdict, rows: { from, next } }: { verdict: Verdict; rows: Rows }): Partial<Turn> {
    const { begun: last = NEVER, due = NEVER, passedAt } = known;
    if (verdict === 'fail') return { next: from, begun: known.begun, due, since: known.since, passedAt };
    const [begun, since] = from === 0 ? [now, now] : [last, known.since];
    const sound = verdict === 'pass' || verdict === 'not-applicable' ? since : undefined;
    if (next > 0) return { next, begun, since: sound, passedAt, due: from === 0 ? last : due };
    return { next, begun, since: sound, passedAt: verdict === 'pass' ? (sound ?? passedAt) : passedAt, due: begun };
  }

  /** The known turn with a new date: other kinds come first the next time, or this one would block them permanently. */
  function kept({ check, requests, rows }: Turning): Turn {
    const { observations: _seen, ...known } = before.get(check.id) ?? {
      ...{ check: check.id, at: now, verdict: 'inconclusive' as const, requests, rows, confirmed: false },
    };
    return known;
  }

  /**
   * It needs more requests than assumed: it keeps its place, so that the next time it begins with more of the budget, or with fewer rows.
   * If a whole budget is not enough for one row, it waits. Its failure can't stay permanently.
   */
  function outgrown(one: Turning, took: { readonly requests: number; readonly rows: number }): Turn {
    const { failure: _failure, ...known } = kept(one);
    if (took.requests > options.budget * took.rows)
      return { ...known, ...took, at: now, due: now, verdict: 'inconclusive', confirmed: false };
    const { at = NEVER, due = at } = before.get(one.check.id) ?? {};
    return { ...known, ...took, at, due, verdict: 'inconclusive', confirmed: false };
  }

  for (const one of dueKinds(options.kinds, before, options)) {
    if (stop.aborted || left() <= 0) break;
    const last = before.get(one.check.id);
    const failed = last?.failure === undefined ? undefined : last;
    const ofRow = requestsOfRow(one, before);
    if (Math.min(failed?.requests ?? ofRow, options.budget) > left()) continue;
    // What failed passes only if all of the same rows pass.
    const most = failed?.rows ?? rowsOfTurn(one, before, { perTurn, left: left() });
    try {
      await take(one, most);
    } catch (error) {
      errors.push(open.redactText(describeInternalError(error)));
    }
  }
  return { turns: [...done.values()], records: [...judged.values()].flat(), errors };
}
