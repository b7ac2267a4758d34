import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { messageOf } from '../wire/wording.ts';
import { CHANGES_SCHEMA, type ChangesStore, ChangesTables } from './changes/changes-table.ts';
import { identityOf, isDamage, openDatabase, removeLog } from './data-folder.ts';
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

export type History = ChangesStore &
  TurnStore & {
    /** Stores a sample; written together with others by `flush`. Never throws. */
    add(sample: Sample): void;
    /** Writes what was stored. Never throws: what can't be written waits, up to a limit. */
    flush(): void;
    /** Removes runs that are older than a day or exceed the size. Never throws. */
    prune(): void;
    /** The last runs of a target, newest first; empty if they can't be read. */
    runs(target: string, most: number): readonly PastRun[];
    /** Those that failed. */
    failedRuns(target: string, most: number): readonly PastRun[];
    /** Wall clock of the first of the last runs in a row with this verdict, whatever was unknown between them; undefined if there is none. */
    since(target: string, verdict: ProbeVerdict): number | undefined;
    lastFailure(target: string): LastFailure | undefined;
    readonly available: () => boolean;
    /** Starts over if somebody deleted or replaced the file: SQLite would go on with the one that nobody finds any more. Never throws. */
    lookAfter(): void;
    /**
     * Calls those that still have the content of a damaged or deleted file in memory, once it is set aside and before anything is written to
     * the new one.
     */
    onSetAside(keepAnew: () => void): void;
    close(): void;
  };

/** Milliseconds. */
const DAY = 86_400_000;
/** For what outlasts the runs. */
const DAYS_KEPT = 400;
const MOST_WAITING = 20_000;
const RETRY_AFTER = 10_000;
const PRUNED_AT_ONCE = 20_000;

type Statements = {
  readonly insert: StatementSync;
  readonly keepFailure: StatementSync;
  readonly lastFailure: StatementSync;
  readonly lastRuns: StatementSync;
  readonly failedRuns: StatementSync;
  readonly since: StatementSync;
};

function statementsOf(database: DatabaseSync): Statements {
  return {
    insert: database.prepare('INSERT INTO run (target, at, duration, verdict, reason, clause, note) VALUES (?, ?, ?, ?, ?, ?, ?)'),
    keepFailure: database.prepare('INSERT OR REPLACE INTO failure (target, at, json) VALUES (?, ?, ?)'),
    lastFailure: database.prepare('SELECT json FROM failure WHERE target = ?'),
    lastRuns: database.prepare('SELECT * FROM run WHERE target = ? ORDER BY at DESC LIMIT ?'),
    failedRuns: database.prepare("SELECT * FROM run WHERE target = ? AND verdict = 'fail' ORDER BY at DESC LIMIT ?"),
    since: database.prepare(
      `SELECT min(at) AS at FROM run WHERE target = ?1 AND at > coalesce(
         (SELECT max(at) FROM run WHERE target = ?1 AND verdict NOT IN (?2, 'unknown')), 0)`,
    ),
  };
}

/** The start of the note of a run that repeats the one before it. */
export const CONFIRMATION = 'confirmation: ';

/** More than anybody repairs at once. */
const MOST_FAILURES = 10;

function write({ insert, keepFailure }: Statements, sample: Sample): void {
  const { target, at, duration, verdict, reason, clause, note, confirms, maintenance, failures, shown } = sample;
  const ofRun = confirms === true ? `${CONFIRMATION}${note}` : note;
  const shownNote = maintenance === undefined ? ofRun : `in maintenance (${maintenance}): ${ofRun}`;
  insert.run(target, Math.round(at), duration, verdict, reason ?? null, clause ?? null, shownNote.slice(0, 500));
  if (verdict !== 'fail') return;
  const failure = { at, verdict, reason, clause, note, failures: failures.slice(0, MOST_FAILURES), shown };
  keepFailure.run(target, Math.round(at), JSON.stringify(failure));
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

/** The history of all targets in one SQLite file. Losing it never stops a run: every operation is tried, and failures are reported. */
export function openHistory(options: HistoryOptions): History {
  const waiting: Sample[] = [];
  const tables = new ChangesTables();
  const turns = createTurnTable();
  let database: DatabaseSync | undefined;
  let statements: Statements | undefined;
  let identity: string | undefined;
  let nextTry = Number.NEGATIVE_INFINITY;
  const rememberers: (() => void)[] = [];

  function onSetAside(): void {
    for (const keepAnew of rememberers) keepAnew();
  }

  function open(): boolean {
    if (database !== undefined) return true;
    const now = performance.now();
    if (now < nextTry) return false;
    nextTry = now + RETRY_AFTER;
    database = openDatabase({ ...options, schema: HISTORY_SCHEMA, synchronous: 'NORMAL', onSetAside });
    statements = database === undefined ? undefined : statementsOf(database);
    identity = identityOf(options.file);
    return database !== undefined;
  }

  function lose(error: unknown, doing: string): void {
    options.onProblem(`${doing} ${options.file} failed: ${messageOf(error)}`);
    if (!isDamage(error)) return;
    close();
    // Reopening sets the damaged file aside.
    nextTry = Number.NEGATIVE_INFINITY;
  }

  function attempt<Value>(doing: string, work: (database: DatabaseSync, statements: Statements) => Value): Value | undefined {
    if (!open() || database === undefined || statements === undefined) return undefined;
    try {
      return work(database, statements);
    } catch (error) {
      if (database?.isTransaction === true) database.exec('ROLLBACK');
      lose(error, doing);
      return undefined;
    }
  }

  function close(): void {
    try {
      database?.close();
    } catch (error) {
      options.onProblem(`closing ${options.file} failed: ${messageOf(error)}`);
    }
    database = undefined;
    statements = undefined;
  }

  function flush(): void {
    if (waiting.length === 0 && turns.isEmpty() && tables.isEmpty()) return;
    attempt('writing to', (live, prepared) => {
      live.exec('BEGIN');
      for (const sample of waiting) write(prepared, sample);
      turns.write(live);
      tables.write(live);
      live.exec('COMMIT');
      turns.written();
      tables.written();
      waiting.length = 0;
    });
  }

  /** Reads, including what waits to be written. */
  function readWritten<Value>(work: (live: DatabaseSync, statements: Statements) => Value): Value | undefined {
    flush();
    return attempt('reading', work);
  }

  open();
  return {
    add(sample) {
      waiting.push(sample);
      if (waiting.length > MOST_WAITING) waiting.shift();
    },
    keepTurnState: turns.keepTurnState,
    turnState: (target) => readWritten((live) => turns.turnState(live, target)),
    keepFact: (target, key, fact) => tables.keepFact(target, key, fact),
    keepChange: (change) => tables.keepChange(change),
    keepChangesAnew: (changes) => tables.keepChangesAnew(changes),
    keepBehavior: (target, row) => tables.keepBehavior(target, row),
    facts: (target) => readWritten((live) => tables.facts(live, target)),
    changes: (most, target) => readWritten((live) => tables.changes(live, most, target)),
    behavior: (target, at) => readWritten((live) => tables.behavior(live, target, at)),
    flush,
    prune() {
      attempt('pruning', (live) => {
        const now = options.now();
        live.prepare('DELETE FROM run WHERE at < ?').run(now - DAY);
        live.prepare('DELETE FROM failure WHERE at < ?').run(now - DAYS_KEPT * DAY);
        tables.prune(live, now - DAYS_KEPT * DAY);
        const size = (): number =>
          Number(
            live
              .prepare(
                'SELECT (page_count - freelist_count) * page_size AS size FROM pragma_page_count, pragma_freelist_count, pragma_page_size',
              )
              .get()?.['size'] ?? 0,
          );
        while (size() > options.maxBytes) {
          const { changes } = live
            .prepare('DELETE FROM run WHERE rowid IN (SELECT rowid FROM run ORDER BY at LIMIT ?)')
            .run(PRUNED_AT_ONCE);
          if (Number(changes) === 0) break;
        }
        live.exec('PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE);');
      });
    },
    runs: (target, most) => readWritten((_live, { lastRuns }) => lastRuns.all(target, most).map(runOf)) ?? [],
    failedRuns: (target, most) => readWritten((_live, { failedRuns }) => failedRuns.all(target, most).map(runOf)) ?? [],
    since: (target, verdict) => {
      const at = readWritten((_live, { since }) => since.get(target, verdict)?.['at']);
      return typeof at === 'number' ? at : undefined;
    },
    lastFailure: (target) => readWritten((_live, { lastFailure }) => failureOf(lastFailure.get(target)?.['json'])),
    available: () => database !== undefined,
    lookAfter() {
      const found = identityOf(options.file);
      if (database === undefined || found === identity) return;
      options.onProblem(`${options.file} was deleted or replaced while it was in use: started over`);
      close();
      removeLog(options.file);
      nextTry = Number.NEGATIVE_INFINITY;
      open();
      // Another file in its place has a content of its own.
      if (found === undefined) onSetAside();
    },
    onSetAside: (keepAnew) => rememberers.push(keepAnew),
    close() {
      flush();
      close();
    },
  };
}
