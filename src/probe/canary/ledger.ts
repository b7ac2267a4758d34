import { existsSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { asStatus, type NewPetInput } from '../../schema/pet.ts';
import { messageOf } from '../../wire/wording.ts';
import type { Clock } from '../clock.ts';
import { isDamage, makeFile, openSound } from '../data-folder.ts';
import { type CanaryLimits, startOfDay } from './limits.ts';

const ALL_STATES = "'intent', 'created', 'refused', 'ambiguous'";
const SCHEMA = `
CREATE TABLE IF NOT EXISTS creation (
  number INTEGER PRIMARY KEY AUTOINCREMENT, target TEXT NOT NULL, base_url TEXT NOT NULL, at INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN (${ALL_STATES})), id TEXT,
  name TEXT NOT NULL, category_id TEXT NOT NULL, status TEXT);
CREATE TABLE IF NOT EXISTS quota (number INTEGER PRIMARY KEY, target TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS quota_by_target ON quota (target);
CREATE INDEX IF NOT EXISTS creation_by_target ON creation (target, state, at);`;

/**
 * The result of a creation: an animal with an id; a complete rejection, by a quota or for another reason; or it is unknown whether there is
 * an animal. All of them count: a faulty service may have stored what it rejected.
 */
export type Settlement = { readonly state: 'created'; readonly id: bigint } | { readonly state: 'refused' | 'quota' | 'ambiguous' };

/** An animal that is about to be created. */
export type CreationIntent = { readonly target: string; readonly baseUrl: string; readonly sent: NewPetInput };

/** An animal that was created. */
export type LedgerAnimal = { readonly id: bigint; readonly sent: NewPetInput /** Wall clock, milliseconds. */; readonly at: number };

/** The sums of one target. */
export type Books = {
  readonly created: number;
  readonly refused: number;
  /** How many of the rejected ones a quota of the service rejected. */
  readonly quota: number;
  /** It is unknown whether they exist; includes those in flight. */
  readonly ambiguous: number;
  /** How many of all these were sent today, in UTC. */
  readonly today: number;
  /** Wall clock, milliseconds; undefined if nothing was ever sent. */
  readonly lastAt: number | undefined;
};

export type Reservation = { readonly ok: true; readonly number: number } | { readonly ok: false; readonly reason: string };

/** The durable record of the animals that the probe has created. Without a ledger, nothing is written. */
export type CreationLedger = {
  /** Records a creation before it is sent; it is on disk when this returns. Not ok: it must not be sent. Never throws. */
  reserve(intent: CreationIntent, budget: CanaryLimits): Reservation;
  /** Records its result. What can't be written now is written later, and counts as ambiguous until then. Never throws. */
  settle(number: number, settlement: Settlement): void;
  /** The latest animal created at this address; undefined if there is none or the ledger can't be read. */
  lastAnimal(target: string, baseUrl: string): LedgerAnimal | undefined;
  /** Undefined if the ledger can't be read. */
  books(target: string): Books | undefined;
  /**
   * Assigns animals created at the address of one of these targets to it, if they were created under a name that none of them has: renaming
   * a target does not renew its budget. `names` are those of all targets. Never throws.
   */
  adopt(targets: readonly Pick<CreationIntent, 'target' | 'baseUrl'>[], names: readonly string[]): void;
  /** False after a failed write until the next successful one. */
  readonly available: () => boolean;
  close(): void;
};

export type CreationLedgerOptions = {
  readonly file: string;
  readonly clock: Clock;
  readonly onProblem: (problem: string) => void;
  /** Called for a creation of an earlier process that was never settled, with its target: it counts as ambiguous from now on. */
  readonly onAbandoned: (target: string) => void;
};

const RETRY_AFTER = 10_000;
const NO_LEDGER = 'the ledger of created animals cannot be written, so nothing is created';

type Row = Readonly<Record<string, unknown>>;

function animalOf(row: Row): LedgerAnimal {
  const status = asStatus(row['status']);
  const sent = { name: String(row['name']), categoryId: BigInt(String(row['category_id'])), ...(status === undefined ? {} : { status }) };
  return { id: BigInt(String(row['id'])), sent, at: Number(row['at']) };
}

function booksOf(database: DatabaseSync, target: string, wall: number): Books {
  // All queries use only the index: a ledger may have a hundred thousand rows.
  const rows: readonly Row[] = database
    .prepare('SELECT state, count(*) AS count, max(at) AS last FROM creation WHERE target = ? GROUP BY state')
    .all(target);
  const { today } = database
    .prepare(`SELECT count(*) AS today FROM creation WHERE target = ? AND state IN (${ALL_STATES}) AND at >= ?`)
    // Entries made while the clock was ahead count for today: setting a clock back does not repeat a day's budget.
    .get(target, startOfDay(wall)) ?? { today: 0 };
  const { quota } = database.prepare('SELECT count(*) AS quota FROM quota WHERE target = ?').get(target) ?? { quota: 0 };
  const counted = (...states: readonly string[]): number =>
    rows.filter(({ state }) => states.includes(String(state))).reduce((sum, { count }) => sum + Number(count), 0);
  return {
    created: counted('created'),
    refused: counted('refused'),
    quota: Number(quota),
    ambiguous: counted('intent', 'ambiguous'),
    today: Number(today),
    lastAt: rows.length === 0 ? undefined : Math.max(...rows.map(({ last }) => Number(last))),
  };
}

/** The number that counts against the lifetime budget. */
export function spentOf({ created, refused, ambiguous }: Books): number {
  return created + refused + ambiguous;
}

/** Why the budget has no room, or undefined. */
function exhausted(books: Books, { perDay, lifetime }: CanaryLimits): string | undefined {
  if (spentOf(books) >= lifetime) return `the write budget of ${lifetime} animals in all is spent`;
  if (books.today >= perDay) return `the write budget of ${perDay} animals a day is spent for today`;
  return undefined;
}

/** Opens the ledger. A damaged file is left unchanged and is not written to: a new one would not know what was spent. */
export function openCreationLedger({ file, clock, onProblem, onAbandoned }: CreationLedgerOptions): CreationLedger {
  /** Created at the first creation: if the ledger is missing while this file exists, it was lost. */
  const begun = `${file}.begun`;
  const unsettled = new Map<number, Settlement>();
  /** Sums that are still current: every run and every page needs them. */
  const sums = new Map<string, { readonly day: number; readonly books: Books }>();
  let database: DatabaseSync | undefined;
  let inode: number | undefined;
  let lost = false;
  let healthy = true;
  let nextTry = Number.NEGATIVE_INFINITY;

  /** Marks intents of a process that no longer runs: their results are unknown. */
  function abandon(live: DatabaseSync): void {
    const rows = live.prepare("UPDATE creation SET state = 'ambiguous' WHERE state = 'intent' RETURNING target").all();
    for (const row of rows) onAbandoned(String(row['target']));
  }

  function open(): DatabaseSync | undefined {
    if (database !== undefined || lost || clock.monotonic() < nextTry) return database;
    nextTry = clock.monotonic() + RETRY_AFTER;
    proveNotLost();
    const live = openSound({ file, schema: SCHEMA, synchronous: 'FULL' });
    // Later openings follow an error of this process, which settles its creations itself.
    if (inode === undefined) abandon(live);
    // An older version may have created it.
    if (live.prepare('SELECT 1 FROM creation LIMIT 1').get() !== undefined) makeFile(begun);
    inode = statSync(file).ino;
    database = live;
    healthy = true;
    return database;
  }

  function fail(error: unknown): void {
    healthy = false;
    onProblem(`the ledger of created animals ${file} failed: ${messageOf(error)}`);
    if (!isDamage(error)) return;
    closeFile();
  }

  function closeFile(): void {
    try {
      database?.close();
    } catch (error) {
      onProblem(`closing ${file} failed: ${messageOf(error)}`);
    }
    database = undefined;
  }

  /** A new file would not know what was spent. */
  function proveNotLost(): void {
    if (existsSync(file) || !existsSync(begun)) return;
    lost = true;
    throw new Error(
      `it is missing, although animals were created: put it back, or remove ${begun} to begin with full budgets; nothing is created until the next start`,
    );
  }

  /** A file that was removed or replaced still accepts writes, which nobody will ever read. */
  function proveInPlace(): void {
    const there = statSync(file, { throwIfNoEntry: false });
    if (there?.ino === inode) return;
    lost = true;
    closeFile();
    throw new Error('it was removed or replaced while the monitor was running; nothing is created until the next start');
  }

  function attempt<Value>(work: (live: DatabaseSync) => Value): Value | undefined {
    try {
      const live = open();
      if (live === undefined) return undefined;
      for (const [number, settlement] of unsettled) write(live, number, settlement);
      return work(live);
    } catch (error) {
      if (database?.isTransaction === true) database.exec('ROLLBACK');
      fail(error);
      return undefined;
    }
  }

  function write(live: DatabaseSync, number: number, settlement: Settlement): void {
    const id = settlement.state === 'created' ? String(settlement.id) : null;
    // A separate table: files of older versions restrict the states in the other one.
    if (settlement.state === 'quota')
      live.prepare('INSERT OR IGNORE INTO quota (number, target) SELECT number, target FROM creation WHERE number = ?').run(number);
    const state = settlement.state === 'quota' ? 'refused' : settlement.state;
    live.prepare('UPDATE creation SET state = ?, id = ? WHERE number = ?').run(state, id, number);
    unsettled.delete(number);
    sums.clear();
  }

  function booksNow(target: string): Books | undefined {
    return attempt((live) => {
      const day = startOfDay(clock.wall());
      const known = sums.get(target);
      if (known?.day === day) return known.books;
      const books = booksOf(live, target, clock.wall());
      sums.set(target, { day, books });
      return books;
    });
  }

  function enter(live: DatabaseSync, { target, baseUrl, sent }: CreationIntent, budget: CanaryLimits): Reservation {
    proveInPlace();
    makeFile(begun);
    sums.clear();
    const at = Math.round(clock.wall());
    // Counted and recorded under one lock, so that two monitors with the same folder do not exceed the budget together.
    live.exec('BEGIN IMMEDIATE');
    const reason = exhausted(booksOf(live, target, at), budget);
    if (reason !== undefined) {
      live.exec('ROLLBACK');
      return { ok: false, reason };
    }
    const { lastInsertRowid } = live
      .prepare("INSERT INTO creation (target, base_url, at, state, name, category_id, status) VALUES (?, ?, ?, 'intent', ?, ?, ?)")
      .run(target, baseUrl, at, sent.name, String(sent.categoryId), sent.status ?? null);
    live.exec('COMMIT');
    healthy = true;
    return { ok: true, number: Number(lastInsertRowid) };
  }

  function adoptNow(live: DatabaseSync, targets: Parameters<CreationLedger['adopt']>[0], names: readonly string[]): void {
    const known = new Set(names);
    const rows = live.prepare('SELECT DISTINCT target, base_url FROM creation').all();
    for (const row of rows) {
      const heir = targets.find(({ baseUrl }) => baseUrl === row['base_url']);
      const former = String(row['target']);
      if (heir === undefined || known.has(former)) continue;
      for (const table of ['creation', 'quota']) live.prepare(`UPDATE ${table} SET target = ? WHERE target = ?`).run(heir.target, former);
    }
    sums.clear();
  }

  attempt(() => undefined);
  return {
    adopt: (targets, names) => attempt((live) => adoptNow(live, targets, names)),
    reserve: (intent, budget) => attempt((live) => enter(live, intent, budget)) ?? { ok: false, reason: NO_LEDGER },
    settle(number, settlement) {
      unsettled.set(number, settlement);
      attempt(() => undefined);
    },
    lastAnimal: (target, baseUrl) =>
      attempt((live) => {
        const row = live
          .prepare("SELECT * FROM creation WHERE target = ? AND base_url = ? AND state = 'created' ORDER BY at DESC, number DESC LIMIT 1")
          .get(target, baseUrl);
        return row === undefined ? undefined : animalOf(row);
      }),
    books: booksNow,
    available: () => healthy && database !== undefined,
    close() {
      attempt(() => undefined);
      closeFile();
      lost = true;
    },
  };
}
