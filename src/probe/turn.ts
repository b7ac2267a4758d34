// One run of the probe as rows: eighteen requests, and then a turn of the endless plan. It only reads.

import type { ClauseId } from '../clause/clause.ts';
import { type RunInput, type RunResult, runSuite, type Sending } from '../judge/run.ts';
import type { JudgedCase } from '../oracle/blame.ts';
import type { Verdict } from '../oracle/verdicts.ts';
import { requestsOf } from '../plan/endless-plan.ts';
import { isGroup, type Row, vectorsOf } from '../plan/row.ts';
import type { Received } from '../session/history.ts';
import type { Sent, Vector } from '../session/vector.ts';
import { postponement } from '../wire/rate-limit.ts';
import type { FailingRow, PlannedTurn, TurnLimits, TurnPlan, TurnSent } from './turn-state.ts';

/** What a run sends after the requests of every run. */
export type AskedTurn = TurnLimits & { readonly planned: PlannedTurn };

export type ProbeRun = Pick<RunInput, 'clauses' | 'compose' | 'opening' | 'planOf' | 'only'> &
  Partial<Pick<RunInput, 'wording' | 'stop' | 'onReceived'>> & {
    readonly options: RunInput['options'];
    /** Milliseconds from the start of the run until it ends, whatever is left. */
    readonly deadline: number;
    /** Undefined: only the requests of every run. */
    readonly turn?: AskedTurn;
    readonly consentsOf: TurnPlan['consentsOf'];
    /** Whether a waiver covers what is broken, so that it is neither sent again nor remembered. */
    readonly isWaived?: (verdict: Verdict) => boolean;
  };

export type ProbeResult = RunResult & {
  /** Broken clauses that fail the run: by the requests of every run, or by a row that was sent again, in this run or in a later one. */
  readonly confirmed: ReadonlySet<ClauseId>;
  /** Broken clauses that were seen once: by a row that was not sent again, or was right then. */
  readonly seenOnce: ReadonlySet<ClauseId>;
  readonly sent: TurnSent;
  /** The number of the last request of every run; those of the turn have higher ones. */
  readonly closedBy: number;
  /** The deadline passed before the requests of every run had their responses. */
  readonly isLate: boolean;
};

/** The fraction of the deadline after which no row of a turn begins or ends: a slow service must not look late because of them. */
const SHARE_OF_TURN = 0.7;

/**
 * Judges a target once. Everything that is sent only reads, and has the API key in the Authorization header only. Rejects with an UnreachableError
 * if nothing was received, and with an Error if a row may not be sent.
 */
export async function judgeTurn({ turn, isWaived = () => false, consentsOf, ...run }: ProbeRun): Promise<ProbeResult> {
  const taking = turn === undefined ? undefined : new TurnTaking(turn, { isWaived, consentsOf, end: run.deadline * SHARE_OF_TURN });
  const width = Math.max(1, run.options.concurrency);
  let closedBy = Number.POSITIVE_INFINITY;
  const result = await runSuite({
    ...{ ...run, nearMisses: false, options: { ...run.options, readOnly: true, intrusive: false, maxCreates: 0 } },
    async more(sending) {
      if (sending.isOver()) return 0;
      closedBy = sending.requests();
      return (await taking?.take(sending, width)) ?? 0;
    },
  });
  const broken = result.mistake === undefined ? result.verdicts.filter(({ verdict }) => verdict === 'fail') : [];
  const outcome = taking?.outcomeOf(broken) ?? { confirmed: new Set(broken.map(({ clause }) => clause.id)), ...NOTHING_TAKEN };
  const conditions = result.conditions.filter(({ by }) => by === 'halving').map(({ clause, condition }) => ({ clause, condition }));
  return {
    ...{ ...result, confirmed: outcome.confirmed, seenOnce: outcome.seenOnce },
    sent: { ...outcome.sent, broken: outcome.confirmed, conditions },
    closedBy,
    isLate:
      closedBy === Number.POSITIVE_INFINITY && result.mistake === undefined && result.stopped !== undefined && run.stop?.aborted !== true,
  };
}

type TurnOutcome = Pick<ProbeResult, 'confirmed' | 'seenOnce'> & { readonly sent: Omit<TurnSent, 'broken' | 'conditions'> };

const NOTHING_TAKEN: Omit<TurnOutcome, 'confirmed'> = { seenOnce: new Set(), sent: { rows: 0, nearMisses: 0, failing: [], passed: [] } };

type SentRow = { readonly row: Row; readonly received: readonly (Received | undefined)[] };

/** The requests that a case rests on. */
const sentsOf = ({ exchange, others = [], breach }: JudgedCase): readonly Sent[] =>
  [exchange, ...others, ...(breach?.shown ?? [])].map(({ sent }) => sent);

/** Whether the service has responded to all of it, and does not ask to wait. */
const isAnswered = ({ received }: SentRow): boolean =>
  received.every((one) => one?.response !== undefined && postponement(one.response, 0) === undefined);

/** The same requests in later runs: animals by their ids, because others may take their places in the list. */
function withIdsOfAnimals({ row, received }: SentRow): Row {
  const vectors = vectorsOf(row).map((vector, place): Vector => {
    if (vector.op !== 'get' || typeof (vector.id ?? 0) !== 'number') return vector;
    const [, id] = /\/pets\/(-?\d+)(?:\?|$)/.exec(received[place]?.sent.target ?? '') ?? [];
    return id === undefined ? vector : { ...vector, id: `=${id}` };
  });
  const [first] = vectors;
  return isGroup(row) || first === undefined ? ({ ...row, rows: vectors } as Row) : first;
}

type Parts = Required<Pick<ProbeRun, 'isWaived' | 'consentsOf'>> & {
  /** Milliseconds since the start of the run. */
  readonly end: number;
};

class TurnTaking {
  private readonly turn: AskedTurn;
  private readonly parts: Parts;
  private readonly sent: SentRow[] = [];
  /** Rows that broke something, sent once more. */
  private readonly again = new Map<SentRow, SentRow>();
  private isOver = false;
  private begun = 0;
  private most = 0;

  constructor(turn: AskedTurn, parts: Parts) {
    this.turn = turn;
    this.parts = parts;
    for (const row of this.rows()) this.mustOnlyRead(row);
  }

  /** Sends the turn, as many rows at a time as that where the service is far away. Returns how many requests are left of the budget. */
  async take(sending: Sending, width: number): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<0>();
    const timer = setTimeout(() => resolve(0), Math.max(0, this.parts.end - sending.elapsed()));
    this.begun = sending.requests();
    this.most = this.begun + this.turn.budget;
    try {
      return await Promise.race([this.sendAll(sending, width), promise]);
    } finally {
      this.isOver = true;
      clearTimeout(timer);
    }
  }

  /** Which broken clauses fail the run, and what is known of the rows after it. */
  outcomeOf(broken: readonly Verdict[]): TurnOutcome {
    const { planned, now } = this.turn;
    const { isWaived } = this.parts;
    const [confirmed, seenOnce] = [new Set<ClauseId>(), new Set<ClauseId>()];
    const failing: FailingRow[] = [];
    for (const verdict of broken) {
      const clause = verdict.clause.id;
      const guilty = isWaived(verdict) ? [] : this.rowsThatBroke(verdict);
      const [first] = guilty;
      const wasKnown = guilty.some(({ row }) => planned.failing.some((one) => one.row === row && one.clause === clause));
      const repeated = guilty.find((one) => this.isRepeated(one, verdict));
      if (first === undefined || wasKnown || repeated !== undefined) confirmed.add(clause);
      else seenOnce.add(clause);
      const failed = repeated ?? (wasKnown || first === undefined || this.again.has(first) ? undefined : first);
      if (failed !== undefined) failing.push({ row: withIdsOfAnimals(failed), clause, confirmed: repeated !== undefined, at: now });
    }
    const known = this.sent.filter(isAnswered);
    const outcomes = planned.failing.flatMap((one) => {
      const own = known.find(({ row }) => row === one.row);
      const verdict = broken.find(({ clause }) => clause.id === one.clause);
      return own === undefined ? [] : [{ one, fails: verdict !== undefined && !isWaived(verdict) && this.rests(verdict, own) }];
    });
    const stillFailing = outcomes.flatMap(({ one, fails }) => (fails ? [{ ...one, confirmed: true, at: now }] : []));
    const passed = outcomes.flatMap(({ one, fails }) => (fails ? [] : [one]));
    return { confirmed, seenOnce, sent: { ...this.counts(), failing: [...stillFailing, ...failing], passed } };
  }

  private rows(): readonly Row[] {
    const { failing, nearMisses, rows } = this.turn.planned;
    return [...failing.map(({ row }) => row), ...nearMisses, ...rows];
  }

  private mustOnlyRead(row: Row): void {
    const { consentsOf } = this.parts;
    const isRead = (vector: Vector): boolean => consentsOf(vector).every((one) => one === 'near miss' && this.turn.nearMisses);
    if (!vectorsOf(row).every(isRead)) throw new Error('planning a run of the probe: a row does more than read');
  }

  private counts(): Pick<TurnSent, 'rows' | 'nearMisses'> {
    const done = new Set(this.sent.map(({ row }) => row));
    const countOf = (rows: readonly Row[]): number => {
      const missing = rows.findIndex((row) => !done.has(row));
      return missing < 0 ? rows.length : missing;
    };
    const { rows, nearMisses } = this.turn.planned;
    return { rows: countOf(rows), nearMisses: countOf(nearMisses) };
  }

  private async sendAll(sending: Sending, width: number): Promise<number> {
    const queue = [...this.rows()];
    const work = async (): Promise<void> => {
      for (let row = queue.shift(); row !== undefined; row = queue.shift()) {
        const sent = await this.send(row, sending);
        if (sent === undefined) return;
        this.sent.push(sent);
      }
    };
    await Promise.all(Array.from({ length: sending.isFar() ? width : 1 }, work));
    for (const suspect of this.suspects(sending)) {
      const sent = await this.send(withIdsOfAnimals(suspect), sending);
      if (sent !== undefined) this.again.set(suspect, sent);
    }
    return Math.max(0, this.left(sending));
  }

  private left(sending: Sending): number {
    return this.most - Math.max(sending.requests(), this.begun);
  }

  /** Undefined if the turn is over before, or the budget does not suffice. */
  private async send(row: Row, sending: Sending): Promise<SentRow | undefined> {
    const cost = requestsOf(row);
    if (this.isOver || sending.isOver() || cost > this.left(sending)) return undefined;
    this.begun = Math.max(this.begun, sending.requests()) + cost;
    const received = await sending.send(row);
    return this.isOver ? undefined : { row, received };
  }

  /** For each clause that only rows of the turn break, and that is not known to be broken, the shortest of them. */
  private suspects(sending: Sending): ReadonlySet<SentRow> {
    if (this.sent.length === 0) return new Set();
    const { failing } = this.turn.planned;
    const broken = sending.judge().filter((one) => one.verdict === 'fail' && !this.parts.isWaived(one));
    const isKnown = ({ clause }: Verdict): boolean => failing.some((one) => one.clause === clause.id);
    return new Set(broken.flatMap((verdict) => (isKnown(verdict) ? [] : this.rowsThatBroke(verdict).slice(0, 1))));
  }

  /** The rows of the turn that break a clause, the shortest first; none if requests of every run do. */
  private rowsThatBroke({ broken }: Verdict): readonly SentRow[] {
    const rowsOf = this.rowsBySent();
    const guilty = broken.map((one) => sentsOf(one).flatMap((sent) => rowsOf.get(sent) ?? []));
    if (guilty.some((rows) => rows.length === 0)) return [];
    return [...new Set(guilty.flat())].toSorted((one, other) => requestsOf(one.row) - requestsOf(other.row));
  }

  /** What was sent, by its bytes; what was sent again is the row itself. */
  private rowsBySent(): ReadonlyMap<Sent, SentRow> {
    const own = (row: SentRow, { received }: SentRow) => received.flatMap((one) => (one === undefined ? [] : [[one.sent, row] as const]));
    return new Map([...this.sent.flatMap((row) => own(row, row)), ...[...this.again].flatMap(([row, again]) => own(row, again))]);
  }

  private rests({ broken }: Verdict, { received }: SentRow): boolean {
    const sents = new Set(received.flatMap((one) => one?.sent ?? []));
    return broken.some((one) => sentsOf(one).some((sent) => sents.has(sent)));
  }

  /** Whether a row breaks the clause both times. */
  private isRepeated(row: SentRow, verdict: Verdict): boolean {
    const again = this.again.get(row);
    return again !== undefined && this.rests(verdict, row) && this.rests(verdict, again);
  }
}
