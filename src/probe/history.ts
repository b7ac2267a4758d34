import type { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../wire/wording.ts';
import { CHANGES_SCHEMA, type ChangesStore, ChangesTables } from './changes/changes-table.ts';
import { DatabaseFile, isDamage, prepared } from './data-folder.ts';
import { PROBE_VERDICTS, type ProbeVerdict, type Sample } from './sample.ts';
import { createTurnTable, TURN_STATES_SCHEMA, type TurnStore } from './turn-table.ts';

// Earlier versions kept runs for a month, sums for 400 days, incidents, and the turns of each check: they are dropped, and targets begin their turns anew.
export const HISTORY_SCHEMA = `
DROP TABLE IF EXISTS sample;
DROP TABLE IF EXISTS rollup;
DROP TABLE IF EXISTS rollup_day;
DROP TABLE IF EXISTS incident;
DROP TABLE IF EXISTS turn;
CREATE TABLE IF NOT EXISTS run (
  target TEXT NOT NULL, at INTEGER NOT NULL, duration REAL NOT NULL, verdict TEXT NOT NULL,
  reason TEXT, clause TEXT, note TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS run_of_target ON run (target, at, verdict);
CREATE INDEX IF NOT EXISTS run_at ON run (at);
CREATE TABLE IF NOT EXISTS failure (target TEXT PRIMARY KEY, at INTEGER NOT NULL, json TEXT NOT NULL) WITHOUT ROWID;
${TURN_STATES_SCHEMA}
${CHANGES_SCHEMA}`;

/** A stored run: only with its first failure. */
export type PastRun = Pick<Sample, 'at' | 'duration' | 'verdict' | 'note'> & {
  readonly reason?: string | undefined;
  readonly clause?: string | undefined;
};

/** The last run of a target that failed, with what shows the first of its failures: kept until another one fails. */
export type LastFailure = Pick<Sample, 'at' | 'verdict' | 'reason' | 'clause' | 'note' | 'failures' | 'shown'>;

export type HistoryOptions = {
  /** IN_MEMORY for none. */
  readonly file: string;
  readonly maxBytes: number;
  readonly now: () => number;
  /** For each failed write and each damaged file. */
  readonly onProblem: (problem: string) => void;
};

/** Milliseconds. */
const DAY = 86_400_000;
/** For what outlasts the runs. */
const DAYS_KEPT = 400;
const MOST_WAITING = 20_000;
const PRUNED_AT_ONCE = 20_000;

/** The start of the note of a run that repeats the one before it. */
export const CONFIRMATION = 'confirmation: ';

/** More than anybody repairs at once. */
const MOST_FAILURES = 10;

function write(live: DatabaseSync, sample: Sample): void {
  const { target, at, duration, verdict, reason, clause, note, confirms, maintenance, failures, shown } = sample;
  const ofRun = confirms === true ? `${CONFIRMATION}${note}` : note;
  const shownNote = maintenance === undefined ? ofRun : `in maintenance (${maintenance}): ${ofRun}`;
  const insert = prepared(live, 'INSERT INTO run (target, at, duration, verdict, reason, clause, note) VALUES (?, ?, ?, ?, ?, ?, ?)');
  insert.run(target, Math.round(at), duration, verdict, reason ?? null, clause ?? null, shownNote.slice(0, 500));
  if (verdict !== 'fail') return;
  const failure = { at, verdict, reason, clause, note, failures: failures.slice(0, MOST_FAILURES), shown };
  prepared(live, 'INSERT OR REPLACE INTO failure (target, at, json) VALUES (?, ?, ?)').run(target, Math.round(at), JSON.stringify(failure));
}

type Row = Readonly<Record<string, unknown>>;

function runOf(row: Row): PastRun {
  const textOf = (name: string): string | undefined => (row[name] === null ? undefined : String(row[name]));
  return {
    at: Number(row['at']),
    duration: Number(row['duration']),
    verdict: PROBE_VERDICTS.find((verdict) => verdict === row['verdict']) ?? 'unknown',
    reason: textOf('reason'),
    clause: textOf('clause'),
    note: String(row['note']),
  };
}

/** Undefined if it is not valid. */
function failureOf(json: unknown): LastFailure | undefined {
  try {
    const failure = JSON.parse(String(json)) as Partial<LastFailure> | null;
    const isSound = Number.isFinite(failure?.at) && typeof failure?.note === 'string' && Array.isArray(failure.failures);
    return isSound ? (failure as LastFailure) : undefined;
  } catch {
    return undefined;
  }
}

const sizeOf = (live: DatabaseSync): number =>
  Number(
    live
      .prepare('SELECT (page_count - freelist_count) * page_size AS size FROM pragma_page_count, pragma_freelist_count, pragma_page_size')
      .get()?.['size'] ?? 0,
  );

/** The history of all targets in one SQLite file. Losing it never stops a run: every operation is tried, and failures are reported. */
export class History implements ChangesStore, TurnStore {
  private readonly options: HistoryOptions;
  private readonly file: DatabaseFile;
  private readonly waiting: Sample[] = [];
  private readonly tables = new ChangesTables();
  private readonly turns = createTurnTable();
  private readonly rememberers: (() => void)[] = [];

  readonly keepTurnState: TurnStore['keepTurnState'] = (target, state) => this.turns.keepTurnState(target, state);
  readonly turnState: TurnStore['turnState'] = (target) => this.readWritten((live) => this.turns.turnState(live, target));
  readonly keepValue: ChangesStore['keepValue'] = (target, key, knownValue) => this.tables.keepValue(target, key, knownValue);
  readonly keepChange: ChangesStore['keepChange'] = (change) => this.tables.keepChange(change);
  readonly keepChangesAnew: ChangesStore['keepChangesAnew'] = (changes) => this.tables.keepChangesAnew(changes);
  readonly keepBehavior: ChangesStore['keepBehavior'] = (target, row) => this.tables.keepBehavior(target, row);
  readonly values: ChangesStore['values'] = (target) => this.readWritten((live) => this.tables.values(live, target));
  readonly changes: ChangesStore['changes'] = (most, target) => this.readWritten((live) => this.tables.changes(live, most, target));
  readonly behavior: ChangesStore['behavior'] = (target, at) => this.readWritten((live) => this.tables.behavior(live, target, at));

  constructor(options: HistoryOptions) {
    this.options = options;
    this.file = new DatabaseFile({ ...options, schema: HISTORY_SCHEMA, synchronous: 'NORMAL', onSetAside: () => this.setAside() });
    this.file.open();
  }

  /** Stores a sample; written together with others by `flush`. Never throws. */
  add(sample: Sample): void {
    this.waiting.push(sample);
    if (this.waiting.length > MOST_WAITING) this.waiting.shift();
  }

  /** Writes what was stored. Never throws: what can't be written waits, up to a limit. */
  flush(): void {
    const { tables, turns, waiting } = this;
    if (waiting.length === 0 && turns.isEmpty() && tables.isEmpty()) return;
    this.attempt('writing to', (live) => {
      live.exec('BEGIN');
      for (const sample of waiting) write(live, sample);
      turns.write(live);
      tables.write(live);
      live.exec('COMMIT');
      turns.written();
      tables.written();
      waiting.length = 0;
    });
  }

  /** Removes runs that are older than a day or exceed the size. Never throws. */
  prune(): void {
    this.attempt('pruning', (live) => {
      const now = this.options.now();
      live.prepare('DELETE FROM run WHERE at < ?').run(now - DAY);
      live.prepare('DELETE FROM failure WHERE at < ?').run(now - DAYS_KEPT * DAY);
      this.tables.prune(live, now - DAYS_KEPT * DAY);
      while (sizeOf(live) > this.options.maxBytes) {
        const { changes } = live.prepare('DELETE FROM run WHERE rowid IN (SELECT rowid FROM run ORDER BY at LIMIT ?)').run(PRUNED_AT_ONCE);
        if (Number(changes) === 0) break;
      }
      live.exec('PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE);');
    });
  }

  /** The last runs of a target, newest first; empty if they can't be read. */
  runs(target: string, most: number): readonly PastRun[] {
    return this.runsBy('SELECT * FROM run WHERE target = ? ORDER BY at DESC LIMIT ?', target, most);
  }

  failedRuns(target: string, most: number): readonly PastRun[] {
    return this.runsBy("SELECT * FROM run WHERE target = ? AND verdict = 'fail' ORDER BY at DESC LIMIT ?", target, most);
  }

  /** Wall clock of the first of the last runs in a row with this verdict, whatever was unknown between them; undefined if there is none. */
  since(target: string, verdict: ProbeVerdict): number | undefined {
    const text = `SELECT min(at) AS at FROM run WHERE target = ?1 AND at > coalesce(
      (SELECT max(at) FROM run WHERE target = ?1 AND verdict NOT IN (?2, 'unknown')), 0)`;
    const at = this.readWritten((live) => prepared(live, text).get(target, verdict)?.['at']);
    return typeof at === 'number' ? at : undefined;
  }

  lastFailure(target: string): LastFailure | undefined {
    return this.readWritten((live) => failureOf(prepared(live, 'SELECT json FROM failure WHERE target = ?').get(target)?.['json']));
  }

  isAvailable(): boolean {
    return this.file.isOpen();
  }

  /** Starts over if somebody deleted or replaced the file. Never throws. */
  lookAfter(): void {
    const lost = this.file.lookAfter('started over');
    if (lost === undefined) return;
    this.file.open();
    // Another file in its place has a content of its own.
    if (lost === 'deleted') this.setAside();
  }

  /**
   * Calls those that still have the content of a damaged or deleted file in memory, once it is set aside and before anything is written to
   * the new one.
   */
  onSetAside(keepAnew: () => void): void {
    this.rememberers.push(keepAnew);
  }

  close(): void {
    this.flush();
    this.file.close();
  }

  private setAside(): void {
    for (const keepAnew of this.rememberers) keepAnew();
  }

  private attempt<Value>(doing: string, work: (live: DatabaseSync) => Value): Value | undefined {
    const live = this.file.open();
    if (live === undefined) return undefined;
    try {
      return work(live);
    } catch (error) {
      if (live.isTransaction) live.exec('ROLLBACK');
      this.options.onProblem(`${doing} ${this.options.file} failed: ${messageOf(error)}`);
      if (isDamage(error)) this.file.giveUp();
      return undefined;
    }
  }

  /** Reads, including what waits to be written. */
  private readWritten<Value>(work: (live: DatabaseSync) => Value): Value | undefined {
    this.flush();
    return this.attempt('reading', work);
  }

  private runsBy(text: string, target: string, most: number): readonly PastRun[] {
    return this.readWritten((live) => prepared(live, text).all(target, most).map(runOf)) ?? [];
  }
}
