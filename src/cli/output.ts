import { EXIT_CODES } from '../clause/run-record.ts';
import { inertMarks, inertText } from '../report/inert.ts';

/** Where a command writes; the only place that knows the console. A closed stdout (`| head`) ends output, not the run. */
let closed = false;
/** Why what was printed did not get out, unless nobody wanted it. */
let lost: string | undefined;

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  closed = true;
  if (error.code === 'EPIPE' || lost !== undefined) return;
  lost = error.message;
  printError(`error: the output could not be written: ${lost}`);
  // For commands that end by themselves; `exit` is told of it too.
  process.exitCode ??= EXIT_CODES.unjudged;
});
// There is nowhere left to complain.
process.stderr.on('error', () => undefined);

function write(text: string): void {
  if (!closed) process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

/** Prints a report or a sentence; what a CI system would take for a command is none. */
export function print(text: string): void {
  write(inertText(text));
}

/** Prints commands of our own for a CI system. */
export function printCommands(text: string): void {
  if (text !== '') write(inertMarks(text));
}

export function printError(text: string): void {
  process.stderr.write(`${inertText(text)}\n`);
}

/**
 * Ends the process once what was printed is out. A judging thread that is stuck, or an open socket, does not keep it. Not with 0 when the
 * output is lost: a file that was to hold it would be empty.
 */
export async function exit(code: number): Promise<never> {
  if (!closed) await new Promise<void>((resolve) => process.stdout.write('', () => resolve()));
  process.exit(lost !== undefined && code === EXIT_CODES.conformant ? EXIT_CODES.unjudged : code);
}

/** Colour on a terminal; NO_COLOR and FORCE_COLOR decide first (no-color.org, force-color.org). */
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

/** Columns of the terminal, within reason. */
export function terminalWidth(): number {
  return Math.max(NARROWEST, Math.min(process.stdout.columns ?? WITHOUT_TERMINAL, WIDEST));
}
