/** Where a command writes; the only place that knows the console. A closed stdout (`| head`) ends output, not the run. */
let closed = false;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  closed = true;
});

export function print(text: string): void {
  if (!closed) process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

export function printError(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Colour on a terminal; NO_COLOR and FORCE_COLOR decide first (no-color.org, force-color.org). */
export function wantsColor(environment: Readonly<Record<string, string | undefined>>): boolean {
  if (environment['NO_COLOR']) return false;
  if (environment['FORCE_COLOR'] !== undefined) return environment['FORCE_COLOR'] !== '0';
  return process.stdout.isTTY === true;
}

export function terminalWidth(): number {
  return Math.max(40, Math.min(process.stdout.columns ?? 100, 120));
}
