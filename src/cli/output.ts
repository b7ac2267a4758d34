import { EXIT_CODES } from '../clause/run-record.ts';
import { inertMarks, inertText } from '../report/inert.ts';

/** The output of a command; the only module that uses the console. A closed stdout (`| head`) ends output, not the run. */
let closed = false;
/** Why printed text was lost, unless the reader closed the pipe. */
let lost: string | undefined;

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  closed = true;
  if (error.code === 'EPIPE' || lost !== undefined) return;
  lost = error.message;
  printError(`error: the output could not be written: ${lost}`);
  // For commands that end by themselves; `exit` checks it too.
  process.exitCode ??= EXIT_CODES.unjudged;
});
// There is nowhere left to report it.
process.stderr.on('error', () => undefined);

function write(text: string): void {
  if (!closed) process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

/** Prints a report or a sentence, with text that a CI system would read as a command made inert. */
export function print(text: string): void {
  write(inertText(text));
}

/** Prints our own commands for a CI system. */
export function printCommands(text: string): void {
  if (text !== '') write(inertMarks(text));
}

export function printError(text: string): void {
  process.stderr.write(`${inertText(text)}\n`);
}

/**
 * Ends the process once everything is printed. A stuck judging thread, or an open socket, does not delay it. Never exits with 0 if the
 * output was lost: the file that should contain it would be empty.
 */
export async function exit(code: number): Promise<never> {
  if (!closed) await new Promise<void>((resolve) => process.stdout.write('', () => resolve()));
  process.exit(lost !== undefined && code === EXIT_CODES.conformant ? EXIT_CODES.unjudged : code);
}

/** Colors on a terminal; NO_COLOR and FORCE_COLOR take precedence (no-color.org, force-color.org). */
export function wantsColor(environment: Readonly<Record<string, string | undefined>>): boolean {
  if (environment['NO_COLOR']) return false;
  if (environment['FORCE_COLOR'] !== undefined) return environment['FORCE_COLOR'] !== '0';
  return process.stdout.isTTY === true;
}

const NARROWEST = 32;
const WIDEST = 120;
const WITHOUT_TERMINAL = 100;

/** Columns of a list: those of the terminal; elsewhere a row is one line, for programs that read lines. */
export function listWidth(): number {
  return process.stdout.columns === undefined ? Number.POSITIVE_INFINITY : Math.max(NARROWEST, process.stdout.columns);
}

/** Columns of the terminal, within limits. */
export function terminalWidth(): number {
  return Math.max(NARROWEST, Math.min(process.stdout.columns ?? WITHOUT_TERMINAL, WIDEST));
}
