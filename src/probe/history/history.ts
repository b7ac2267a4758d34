import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { messageOf } from '../messages.ts';
import { PROBE_VERDICTS, type ProbeVerdict, type Sample } from '../sample.ts';
import { isDamage, openDatabase } from './database.ts';

export const HISTORY_SCHEMA = `
CREATE TABLE IF NOT EXISTS sample (
  target TEXT NOT NULL, at INTEGER NOT NULL, duration REAL NOT NULL, verdict TEXT NOT NULL,
  reason TEXT, clause TEXT, note TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS sample_target_at ON sample (target, at);
CREATE INDEX IF NOT EXISTS sample_at ON sample (at);
CREATE TABLE IF NOT EXISTS rollup (
  target TEXT NOT NULL, hour INTEGER NOT NULL, pass INTEGER NOT NULL DEFAULT 0, degraded INTEGER NOT NULL DEFAULT 0,
  fail INTEGER NOT NULL DEFAULT 0, unknown INTEGER NOT NULL DEFAULT 0, duration_sum REAL NOT NULL DEFAULT 0,
  duration_max REAL NOT NULL DEFAULT 0, PRIMARY KEY (target, hour)) WITHOUT ROWID;`;

export type Counts = Readonly<Record<ProbeVerdict, number>>;
/** Runs of a stretch of time that begins at `from`. */
export type Slice = { readonly from: number; readonly counts: Counts; readonly meanDuration: number; readonly maxDuration: number };

export type HistoryOptions = {
  readonly file: string;
  readonly rawDays: number;
  readonly rollupDays: number;
  readonly maxBytes: number;
  readonly now: () => number;
  /** Each failed writing, and each damaged file. */
  readonly onProblem: (problem: string) => void;
};

export type History = {
  /** Keeps a sample; written with others by `flush`. Never throws. */
  add(sample: Sample): void;
  /** Writes what was kept. Never throws: what can't be written waits, up to a bound. */
  flush(): void;
  /** Removes what is past its time or beyond the size. Never throws. */
  prune(): void;
  /** Slices of an hour or a day by target, oldest first; without those that have no run. */
  slices(range: { from: number; to: number; step: 'hour' | 'day' }): ReadonlyMap<string, readonly Slice[]>;
  readonly available: () => boolean;
  close(): void;
};

const HOUR = 3_600_000;
const DAY = 86_400_000;
const MOST_WAITING = 20_000;
const RETRY_AFTER = 10_000;
const PRUNED_AT_ONCE = 20_000;

type Statements = { readonly insert: StatementSync; readonly rollup: StatementSync };

function statementsOf(database: DatabaseSync): Statements {
  const counted = PROBE_VERDICTS.map((verdict) => `${verdict} = ${verdict} + excluded.${verdict}`).join(', ');
  return {
    insert: database.prepare('INSERT INTO sample (target, at, duration, verdict, reason, clause, note) VALUES (?, ?, ?, ?, ?, ?, ?)'),
    rollup: database.prepare(
      `INSERT INTO rollup (target, hour, pass, degraded, fail, unknown, duration_sum, duration_max) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (target, hour) DO UPDATE SET ${counted}, duration_sum = duration_sum + excluded.duration_sum, duration_max = max(duration_max, excluded.duration_max)`,
    ),
  };
}

function write(statements: Statements, sample: Sample): void {
  const { target, at, duration, verdict, reason, clause, note } = sample;
  const when = Math.round(at);
  statements.insert.run(target, when, duration, verdict, reason ?? null, clause ?? null, note.slice(0, 500));
  const one = PROBE_VERDICTS.map((name) => (name === verdict ? 1 : 0));
  statements.rollup.run(target, Math.floor(when / HOUR) * HOUR, ...one, duration, duration);
}

function sliceOf(row: Readonly<Record<string, unknown>>): Slice {
  const counts = {
    pass: Number(row['pass']),
    degraded: Number(row['degraded']),
    fail: Number(row['fail']),
    unknown: Number(row['unknown']),
  };
  const runs = counts.pass + counts.degraded + counts.fail + counts.unknown;
  return {
    from: Number(row['slice']),
    counts,
    meanDuration: Number(row['total']) / Math.max(1, runs),
    maxDuration: Number(row['longest']),
  };
}

/** The history of all targets in one SQLite file. Its loss never stops a run: everything here is tried, and reported when it fails. */
export function openHistory(options: HistoryOptions): History {
  const waiting: Sample[] = [];
  let database: DatabaseSync | undefined;
  let statements: Statements | undefined;
  let nextTry = Number.NEGATIVE_INFINITY;

  function open(): boolean {
    if (database !== undefined) return true;
    const now = performance.now();
    if (now < nextTry) return false;
    nextTry = now + RETRY_AFTER;
    database = openDatabase({ ...options, schema: HISTORY_SCHEMA, synchronous: 'NORMAL' });
    statements = database === undefined ? undefined : statementsOf(database);
    return database !== undefined;
  }

  function lose(error: unknown, doing: string): void {
    options.onProblem(`${doing} ${options.file} failed: ${messageOf(error)}`);
    if (!isDamage(error)) return;
    close();
    // Opening again sets the damaged file aside.
    nextTry = Number.NEGATIVE_INFINITY;
  }

  function attempt<Value>(doing: string, work: (database: DatabaseSync) => Value): Value | undefined {
    if (!open() || database === undefined) return undefined;
    try {
      return work(database);
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
    if (waiting.length === 0) return;
    attempt('writing to', (live) => {
      live.exec('BEGIN');
      for (const sample of waiting) if (statements !== undefined) write(statements, sample);
      live.exec('COMMIT');
      waiting.length = 0;
    });
  }

  open();
  return {
    add(sample) {
      waiting.push(sample);
      if (waiting.length > MOST_WAITING) waiting.shift();
    },
    flush,
    prune() {
      attempt('pruning', (live) => {
        const now = options.now();
        live.prepare('DELETE FROM sample WHERE at < ?').run(now - options.rawDays * DAY);
        live.prepare('DELETE FROM rollup WHERE hour < ?').run(now - options.rollupDays * DAY);
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
            .prepare('DELETE FROM sample WHERE rowid IN (SELECT rowid FROM sample ORDER BY at LIMIT ?)')
            .run(PRUNED_AT_ONCE);
          if (Number(changes) === 0) break;
        }
        live.exec('PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE);');
      });
    },
    slices({ from, to, step }) {
      const width = step === 'hour' ? HOUR : DAY;
      const rows = attempt('reading', (live) =>
        live
          .prepare(
            `SELECT target, hour / ${width} * ${width} AS slice, sum(pass) AS pass, sum(degraded) AS degraded, sum(fail) AS fail, sum(unknown) AS unknown,
             sum(duration_sum) AS total, max(duration_max) AS longest FROM rollup WHERE hour >= ? AND hour < ? GROUP BY target, slice ORDER BY target, slice`,
          )
          .all(Math.floor(from / width) * width, to),
      );
      const slices = new Map<string, Slice[]>();
      for (const row of rows ?? []) {
        const target = String(row['target']);
        const known = slices.get(target);
        if (known === undefined) slices.set(target, [sliceOf(row)]);
        else known.push(sliceOf(row));
      }
      return slices;
    },
    available: () => database !== undefined,
    close() {
      flush();
      close();
    },
  };
}
