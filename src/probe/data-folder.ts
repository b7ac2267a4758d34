// The data folder and the database files in it: private, locked, and sound.

import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { messageOf } from '../wire/wording.ts';

/** Another process writes to the data folder: the two would send every alert twice. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';
  constructor(folder: string) {
    super(`the data folder ${folder} is in use by another monitor; stop that one, or give this one a data.folder of its own`);
  }
}

const OWN_FOLDER = 0o700;
const OWN_FILE = 0o600;
const OTHERS = 0o077;
const LOCK_FILE = 'monitor.lock';

/**
 * Creates a folder that only its owner can enter. One level only: a recursive mkdir never ends if the kernel returns ENOENT for an existing
 * parent (below /proc).
 */
function makeFolder(folder: string): void {
  if (!existsSync(folder)) mkdirSync(folder, { mode: OWN_FOLDER });
}

/** Creates a file that only its owner can read; SQLite gives its additional files the same mode. */
export function makeFile(file: string): void {
  // An existing file is not opened: closing it would release the locks of this process on it.
  if (!existsSync(file)) closeSync(openSync(file, 'a', OWN_FILE));
}

/** A warning if others can enter a folder; undefined if they can't, if it does not belong to this user, or if file modes mean nothing. */
export function exposedFolder(folder: string): string | undefined {
  const stat = statSync(folder, { throwIfNoEntry: false });
  if (process.platform === 'win32' || stat === undefined || stat.uid !== process.getuid?.() || (stat.mode & OTHERS) === 0) return undefined;
  return `other users can access ${folder}, which holds data from the services; "chmod 700 ${folder}" makes it private`;
}

/** What a name stands for: another file under the same name has another identity. Undefined if there is none, or if it can't be looked at. */
function identityOf(file: string): string | undefined {
  try {
    const { dev, ino } = statSync(file, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    return undefined;
  }
}

/** What keeps other monitors out of a data folder until it is released or the process ends, in any way: the kernel releases the lock. */
export type FolderLock = {
  /** Locks again where the file was deleted, replaced, or could not be locked; says if another process has come between. Never throws. */
  lookAfter(): void;
  release(): void;
};

/** Throws FolderInUseError if another process has the folder. One that can't be written to is reported as a problem, as for all files in it. */
export function lockFolder(folder: string, onProblem: (problem: string) => void): FolderLock {
  const file = join(folder, LOCK_FILE);
  let database: DatabaseSync | undefined;
  let identity: string | undefined;
  const release = (): void => {
    database?.close();
    database = undefined;
  };
  const lock = (): void => {
    try {
      makeFolder(folder);
      makeFile(file);
      // SQLite can lock a file on each platform; nothing is ever written to this one.
      database = new DatabaseSync(file, { timeout: 0 });
      database.exec('BEGIN EXCLUSIVE');
      identity = identityOf(file);
    } catch (error) {
      release();
      if (/database is locked/.test(messageOf(error))) throw new FolderInUseError(folder);
      onProblem(`cannot lock ${file}: ${messageOf(error)}`);
    }
  };
  lock();
  return {
    lookAfter() {
      if (database !== undefined && identityOf(file) === identity) return;
      release();
      try {
        lock();
      } catch (error) {
        onProblem(messageOf(error));
      }
    },
    release,
  };
}

/**
 * Milliseconds that a statement waits for another process that has locked the file, for example to copy it. The process is blocked during
 * that time: what could not be written waits in memory instead.
 */
const LOCKED_PATIENCE = 100;

type DatabaseOptions = {
  readonly file: string;
  readonly schema: string;
  /** FULL survives a power cut with every commit, NORMAL may lose the last ones but never the file. */
  readonly synchronous: 'FULL' | 'NORMAL';
  /** Reads what the owner needs at the start: a file in which this fails because of damage is set aside as well. */
  readonly check?: (database: DatabaseSync) => void;
  /** Wall clock, for the name of a file that is set aside. */
  readonly now: () => number;
  readonly onProblem: (problem: string) => void;
  readonly onSetAside?: () => void;
};

export const IN_MEMORY = ':memory:';

/** Opens a sound database file, with its tables; throws for any other and leaves it unchanged. */
export function openSound({
  file,
  schema,
  synchronous,
  check: read,
}: Omit<DatabaseOptions, 'now' | 'onProblem' | 'onSetAside'>): DatabaseSync {
  if (file !== IN_MEMORY) {
    makeFolder(dirname(file));
    makeFile(file);
  }
  const database = new DatabaseSync(file, { timeout: LOCKED_PATIENCE });
  try {
    database.exec(`PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous};`);
    const check = database.prepare('PRAGMA quick_check(1)').get();
    const said = check === undefined ? 'no answer' : String(Object.values(check)[0]);
    if (said !== 'ok') throw new Error(said);
    database.exec(schema);
    read?.(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

const statements = new WeakMap<DatabaseSync, Map<string, StatementSync>>();

/** One statement per database: a file that was set aside takes its statements with it. */
export function prepared(live: DatabaseSync, text: string): StatementSync {
  const known = statements.get(live) ?? new Map<string, StatementSync>();
  statements.set(live, known);
  const statement = known.get(text) ?? live.prepare(text);
  known.set(text, statement);
  return statement;
}

/** Removes the log of a database file that is no longer there: SQLite would apply it to another file of that name. */
function removeLog(file: string): void {
  for (const side of ['-wal', '-shm']) rmSync(file + side, { force: true });
}

/** Whether a file is not a database or is broken: waiting does not help. */
export function isDamage(error: unknown): boolean {
  return /malformed|not a database|corrupt|\*\*\*|wrong # of entries|database schema|no such column|missing from index/i.test(
    messageOf(error),
  );
}

/**
 * Opens a database file. A damaged one is set aside under a name with the date, and a new one is created; if it can't be opened for another
 * reason (a full disk, no permission), the result is undefined. Never throws.
 */
function openDatabase(options: DatabaseOptions): DatabaseSync | undefined {
  try {
    return openSound(options);
  } catch (error) {
    if (!isDamage(error)) {
      options.onProblem(`cannot open ${options.file}: ${messageOf(error)}`);
      return undefined;
    }
    const aside = `${options.file}.damaged-${new Date(options.now()).toISOString().replaceAll(':', '')}`;
    options.onProblem(`${options.file} is damaged (${messageOf(error)}): set aside as ${aside}, started over`);
    try {
      renameSync(options.file, aside);
      removeLog(options.file);
      const fresh = openSound(options);
      options.onSetAside?.();
      return fresh;
    } catch (second) {
      options.onProblem(`cannot begin ${options.file} anew: ${messageOf(second)}`);
      return undefined;
    }
  }
}

/** Milliseconds until a file that could not be opened is tried again. */
const RETRY_AFTER = 10_000;

/** A database file that is kept open, and that may be lost at any time: damaged, deleted, replaced, on a full disk. No method throws. */
export class DatabaseFile {
  private readonly options: DatabaseOptions;
  private live: DatabaseSync | undefined;
  private identity: string | undefined;
  private nextTry = Number.NEGATIVE_INFINITY;

  constructor(options: DatabaseOptions) {
    this.options = options;
  }

  isOpen(): boolean {
    return this.live !== undefined;
  }

  /** Opens it if it is not open; undefined if that failed, now or a moment ago. */
  open(): DatabaseSync | undefined {
    if (this.live !== undefined || performance.now() < this.nextTry) return this.live;
    this.nextTry = performance.now() + RETRY_AFTER;
    this.live = openDatabase(this.options);
    this.identity = identityOf(this.options.file);
    return this.live;
  }

  /** Gives up a damaged file: opening it, which may be at once, sets it aside. */
  giveUp(): void {
    this.close();
    this.nextTry = Number.NEGATIVE_INFINITY;
  }

  /**
   * Gives up a file that somebody deleted or replaced, and returns which: SQLite would go on with the one that nobody finds any more. `then` says what is
   * done about it.
   */
  lookAfter(then: string): 'deleted' | 'replaced' | undefined {
    const { file, onProblem } = this.options;
    if (this.live === undefined) return undefined;
    const found = identityOf(file);
    if (found === this.identity) return undefined;
    onProblem(`${file} was deleted or replaced while it was in use: ${then}`);
    this.giveUp();
    removeLog(file);
    return found === undefined ? 'deleted' : 'replaced';
  }

  close(): void {
    const { file, onProblem } = this.options;
    try {
      this.live?.close();
    } catch (error) {
      onProblem(`closing ${file} failed: ${messageOf(error)}`);
    }
    this.live = undefined;
  }
}
