/** Where a command writes; the only place that knows the console. A closed stdout (`| head`) ends output, not the run. */
let closed = false;
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    closed ||= stream === process.stdout;
  });
}

export function print(text: string): void {
  if (!closed) process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

export function printError(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Ends the process once what was printed is out. A judging thread that is stuck, or an open socket, does not keep it. */
export async function exit(code: number): Promise<never> {
  const flushed = closed ? Promise.resolve() : new Promise<void>((resolve) => process.stdout.write('', () => resolve()));
  await flushed;
  process.exit(code);
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

/** Columns of the terminal, within reason. */
export function terminalWidth(): number {
  return Math.max(NARROWEST, Math.min(process.stdout.columns ?? WITHOUT_TERMINAL, WIDEST));
}
