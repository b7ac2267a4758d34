import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { messageOf } from './messages.ts';

/** Another process writes to the data folder: the two would send every alert twice and share the write budgets. */
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
export function makeFolder(folder: string): void {
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

/**
 * Keeps other monitors out of a data folder until the result is called or the process ends, in any way: the kernel releases the lock.
 * Throws FolderInUseError if another process has it. A folder that can't be written to is reported as a problem, as for all files in it.
 */
export function lockFolder(folder: string, onProblem: (problem: string) => void): () => void {
  const file = join(folder, LOCK_FILE);
  let database: DatabaseSync | undefined;
  try {
    makeFolder(folder);
    makeFile(file);
    // SQLite can lock a file on each platform; nothing is ever written to this one.
    database = new DatabaseSync(file, { timeout: 0 });
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    database = undefined;
    if (/database is locked/.test(messageOf(error))) throw new FolderInUseError(folder);
    onProblem(`cannot lock ${file}: ${messageOf(error)}`);
  }
  return () => database?.close();
}
