import { randomUUID } from 'node:crypto';
import { mkdirSync, statSync } from 'node:fs';
import { appendFile, chmod, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '../wire/wording.ts';

/** A report to write: rendered when it is its turn, so that one that throws does not keep the others from being written. */
export type PlannedReport = {
  /** Its name for `--reporter`. */
  readonly reporter: string;
  /** Relative to the directory. */
  readonly file: string;
  readonly render: () => string;
};

export class ReportError extends Error {
  override readonly name = 'ReportError';
  readonly reporter: string;
  readonly path: string;
  constructor(message: string, options: { reporter: string; path: string; cause: unknown }) {
    super(message, { cause: options.cause });
    this.reporter = options.reporter;
    this.path = options.path;
  }
}

export type WrittenReports = {
  readonly written: readonly { readonly reporter: string; readonly path: string }[];
  /** Not empty: the caller must not exit 0. */
  readonly failed: readonly ReportError[];
};

/** Writes the reports into a directory, which is created if missing. Never throws: errors are in `failed`. */
export async function writeReports(reports: readonly PlannedReport[], directory: string): Promise<WrittenReports> {
  const results = await Promise.all(reports.map((report) => writeOne(report, directory)));
  return {
    written: results.filter((result) => !(result instanceof ReportError)),
    failed: results.filter((result) => result instanceof ReportError),
  };
}

async function writeOne(
  { reporter, file, render }: PlannedReport,
  directory: string,
): Promise<ReportError | { reporter: string; path: string }> {
  const path = join(directory, file);
  let text: string;
  try {
    text = render();
  } catch (cause) {
    return new ReportError(`reporter "${reporter}" could not render ${path}: ${reasonOf(cause)}`, { reporter, path, cause });
  }
  try {
    await writeAtomically(path, text);
    return { reporter, path };
  } catch (cause) {
    return new ReportError(`could not write ${path}: ${reasonOf(cause)}`, { reporter, path, cause });
  }
}

/** Creates a folder and its parents. Throws the error of the file system. */
export function makeFolder(path: string): void {
  // One at a time: with `recursive`, Node tries endlessly if the file system says that an existing folder is missing (/proc).
  try {
    mkdirSync(path);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST' && statSync(path).isDirectory()) return;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    makeFolder(dirname(path));
    mkdirSync(path);
  }
}

/**
 * Writes a file so that a reader, or a crash, sees either the old text or the complete new one. Rejects with the error of the file system.
 *
 * @param mode who may read it, whatever the umask says
 */
export async function writeAtomically(path: string, text: string, { mode }: { readonly mode?: number } = {}): Promise<void> {
  const directory = dirname(path);
  makeFolder(directory);
  // A unique name, so that two concurrent runs never write to the same file.
  const temporary = join(directory, `.petstore-conformance-${randomUUID()}.tmp`);
  try {
    // Not with a file handle and its sync(): the file system that Yarn puts in front of Node's has none.
    await writeFile(temporary, text, { encoding: 'utf8', flag: 'wx', flush: true });
    if (mode !== undefined) await chmod(temporary, mode);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Appends a summary to the file that a CI system names. Returns what went wrong, or undefined. */
export async function appendSummary(path: string, text: string): Promise<ReportError | undefined> {
  try {
    await appendFile(path, text, 'utf8');
    return undefined;
  } catch (cause) {
    return new ReportError(`could not append the summary to ${path}: ${reasonOf(cause)}`, { reporter: 'markdown', path, cause });
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied; choose another directory with --reports',
  EPERM: 'operation not permitted; choose another directory with --reports',
  EROFS: 'the file system is read-only; choose another directory with --reports',
  ENOSPC: 'no space left on the device',
  ENOTDIR: 'a part of the path is a file, not a directory',
  EEXIST: 'a file is where the directory should be',
  EISDIR: 'a directory is where the file should be',
};

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const code = codeOf(cause) ?? '';
  const reason = REASONS[code];
  return reason === undefined ? cause.message : `${reason} (${code})`;
}
