import type { Verdict } from '../../clause/outcome.ts';
import type { PartRecord } from '../../clause/part-record.ts';
import { describeInternalError } from '../../judge/check.ts';
import { clauseRecords } from '../../judge/clause-verdicts.ts';
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
  readonly waive: (records: readonly PartRecord[]) => readonly PartRecord[];
  /** What is newer than this version of the suite only warns. */
  readonly asOf?: string | undefined;
  /** Wall clock, milliseconds. */
  readonly now: number;
};

export type Rotated = {
  readonly turns: readonly Turn[];
  /** The verdicts of these turns, with the invariants that failed during them. */
  readonly records: readonly PartRecord[];
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
  const { turns: before, perTurn = options.budget } = options;
  const errors: string[] = [];
  const round = new Round(open, stop, options);
  for (const one of dueKinds(options.kinds, before, options)) {
    const left = round.left();
    if (stop.aborted || left <= 0) break;
    const last = before.get(one.check.id);
    const failed = last?.failure === undefined ? undefined : last;
    if (Math.min(failed?.requests ?? requestsOfRow(one, before), options.budget) > left) continue;
    // What failed passes only if all of the same rows pass.
    const most = failed?.rows ?? rowsOfTurn(one, before, { perTurn, left });
    try {
      await round.take(one, most);
    } catch (error) {
      errors.push(open.redactText(describeInternalError(error)));
    }
  }
  return { ...round.taken(), errors };
}

/** The turns of one run. */
class Round {
  private readonly open: OpenSession;
  private readonly stop: AbortSignal;
  private readonly options: RotationOptions;
  private readonly end: number;
  private readonly done = new Map<string, Turn>();
  private readonly judged = new Map<string, readonly PartRecord[]>();

  constructor(open: OpenSession, stop: AbortSignal, options: RotationOptions) {
    this.open = open;
    this.stop = stop;
    this.options = options;
    this.end = open.requests() + options.budget;
    open.limitRequests(options.budget);
  }

  /** Requests that the run may still send. */
  left(): number {
    return this.end - this.open.requests();
  }

  taken(): Omit<Rotated, 'errors'> {
    return { turns: [...this.done.values()], records: [...this.judged.values()].flat() };
  }

  async take(one: Turning, most: number): Promise<void> {
    const { now } = this.options;
    const { id } = one.check;
    const key = `${id} ${this.firstRow(one)}`;
    const begin = this.open.requests();
    const records = await this.judge(one, { from: this.firstRow(one), most });
    const requests = this.open.requests() - begin;
    const failure = this.failureIn(records);
    const verdict = failure === undefined ? (records[0]?.verdict ?? 'inconclusive') : 'fail';
    const rows = this.rowsOf(one, most);
    const last = this.lastOf(one);
    if (requests === 0 && verdict === 'inconclusive') {
      // A failure that was just found, and is sent only once per session, stays until the next run repeats it.
      if (this.done.get(key)?.failure !== undefined) return;
      // Other kinds have sent the same requests in this run: it precedes them in the next one.
      this.done.set(key, { ...this.kept(one), at: now, due: last?.due ?? NEVER });
      return;
    }
    const cut = this.left() <= 0 && failure === undefined && verdict === 'inconclusive';
    if (this.stop.aborted || cut) {
      const turn = cut ? this.outgrown(one, { requests: requests + 1, rows: rows.sent }) : { ...this.kept(one), at: now, due: now };
      this.done.set(key, turn);
      return;
    }
    this.judged.set(
      key,
      records.filter((record) => record.id === id || record.verdict === 'fail'),
    );
    const known = this.done.get(key) ?? last;
    const observations = records[0]?.observations ?? [];
    this.done.set(key, {
      ...{ check: id, at: now, verdict, requests, rows: rows.sent },
      ...progressOf(last ?? {}, { verdict, rows, now }),
      ...(failure === undefined ? {} : { failure }),
      ...(observations.length === 0 ? {} : { observations }),
      confirmed: failure !== undefined && known?.failure !== undefined,
    });
    if (failure !== undefined && known?.failure === undefined && this.left() >= requests) await this.take(one, most);
  }

  private lastOf({ check }: Turning): Turn | undefined {
    return this.options.turns.get(check.id);
  }

  /** Where its last turn ended. A run that begins in the middle of a table may also reach its beginning. */
  private firstRow(one: Turning): number {
    return this.lastOf(one)?.next ?? one.from ?? 0;
  }

  private async judge({ clause, check }: Turning, portion: Portion): Promise<readonly PartRecord[]> {
    const { clauses, asOf } = this.options;
    this.open.takePortion(portion);
    const judging = createJudging(this.open, { clauses, plan: [[{ clause, check }]], stop: this.stop, asOf });
    await judging.run();
    judging.close();
    const { records, errors: broke } = judging.judged();
    if (broke[0] !== undefined) throw broke[0];
    return settleIn(this.open, records);
  }

  /** Binding clauses come before advised ones. */
  private failureIn(records: readonly PartRecord[]): SampleFailure | undefined {
    const { waive, clauses } = this.options;
    const broken = clauseRecords(clauses, waive(records), { readOnly: true }).filter(
      ({ verdict, level }) => verdict === 'fail' && level !== 'open',
    );
    const failures = broken.map(failureOf);
    return failures.find(({ level, newer }) => level !== 'advised' && newer !== true) ?? failures[0];
  }

  /** What was sent of a kind's table, and where it continues: after the last row, at the first. */
  private rowsOf(one: Turning, most: number): Rows {
    const of = this.open.longestTable();
    if (of === 0) return { sent: 1, from: 0, next: 0 };
    const from = this.firstRow(one) % of;
    const upTo = Math.min(of, from + most);
    return { sent: upTo - from, from, next: upTo === of ? 0 : upTo };
  }

  /** The known turn with a new date: other kinds come first the next time, or this one would block them permanently. */
  private kept(one: Turning): Turn {
    const { requests, rows, check } = one;
    const { observations: _seen, ...known } = this.lastOf(one) ?? {
      ...{ check: check.id, at: this.options.now, verdict: 'inconclusive' as const, requests, rows, confirmed: false },
    };
    return known;
  }

  /**
   * It needs more requests than assumed: it keeps its place, so that the next time it begins with more of the budget, or with fewer rows.
   * If a whole budget is not enough for one row, it waits. Its failure can't stay permanently.
   */
  private outgrown(one: Turning, took: { readonly requests: number; readonly rows: number }): Turn {
    const { budget, now } = this.options;
    const { failure: _failure, ...known } = this.kept(one);
    const { at = NEVER, due = at } = took.requests > budget * took.rows ? { at: now } : (this.lastOf(one) ?? {});
    return { ...known, ...took, at, due, verdict: 'inconclusive', confirmed: false };
  }
}

type Taken = { readonly verdict: Verdict; readonly rows: Rows; readonly now: number };

/** The progress of the rounds through a table. Failing rows are sent again until they pass. */
function progressOf(known: Partial<Turn>, { verdict, rows: { from, next }, now }: Taken): Partial<Turn> {
  const { begun: last = NEVER, due = NEVER, passedAt } = known;
  if (verdict === 'fail') return { next: from, begun: known.begun, due, since: known.since, passedAt };
  const [begun, since] = from === 0 ? [now, now] : [last, known.since];
  const sound = verdict === 'pass' || verdict === 'not-applicable' ? since : undefined;
  if (next > 0) return { next, begun, since: sound, passedAt, due: from === 0 ? last : due };
  return { next, begun, since: sound, passedAt: verdict === 'pass' ? (sound ?? passedAt) : passedAt, due: begun };
}
