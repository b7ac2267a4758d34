import { renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFile, makeFolder } from '../data-folder.ts';
import { messageOf } from '../messages.ts';

/**
 * Milliseconds that a statement waits for another process that has locked the file, for example to copy it. The process is blocked during
 * that time: what could not be written waits in memory instead.
 */
const LOCKED_PATIENCE = 100;

export type DatabaseOptions = {
  readonly file: string;
  /** Statements that create the tables if they are missing. */
  readonly schema: string;
  /** FULL survives a power cut with every commit, NORMAL may lose the last ones but never the file. */
  readonly synchronous: 'FULL' | 'NORMAL';
  /** Reads what the owner needs at the start: a file in which this fails because of damage is set aside as well. */
  readonly check?: (database: DatabaseSync) => void;
  /** Wall clock, for the name of a file that is set aside. */
  readonly now: () => number;
  readonly onProblem: (problem: string) => void;
  /** A damaged file was set aside, and an empty one replaces it. */
  readonly onSetAside?: () => void;
};

/** Opens a sound database file, with its tables; throws for any other and leaves it unchanged. */
export function openSound({
  file,
  schema,
  synchronous,
  check: read,
}: Omit<DatabaseOptions, 'now' | 'onProblem' | 'onSetAside'>): DatabaseSync {
  makeFolder(dirname(file));
  makeFile(file);
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

/** Whether a file is not a database or is broken: waiting does not help. */
export function isDamage(error: unknown): boolean {
  return /malformed|not a database|corrupt|\*\*\*|wrong # of entries|database schema|no such column|missing from index/i.test(
    messageOf(error),
  );
}

/**
 * Opens a database file. A damaged one is set aside under a name with the date, and a new one is created; if it can't be opened for another
 * reason (a full disk, no permission), the result is undefined, and the caller tries again later. Never throws.
 */
export function openDatabase(options: DatabaseOptions): DatabaseSync | undefined {
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
      for (const side of ['-wal', '-shm']) rmSync(options.file + side, { force: true });
      const fresh = openSound(options);
      options.onSetAside?.();
      return fresh;
    } catch (second) {
      options.onProblem(`cannot begin ${options.file} anew: ${messageOf(second)}`);
      return undefined;
    }
  }
}
