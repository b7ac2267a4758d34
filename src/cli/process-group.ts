// A command of the user's, in a process group of its own, so that nothing it starts outlives the run.

import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { oneLine } from '../report/text.ts';
import type { Redactor } from '../wire/redact.ts';
import { messageOf } from '../wire/wording.ts';

/** Milliseconds that a group has to end after SIGTERM, and then after SIGKILL: where nobody reaps its processes, it seems to live on. */
const GRACE = { SIGTERM: 5_000, SIGKILL: 1_000 } as const;
const LOOKS = 20;
/** Characters and lines of the output that are kept. */
const KEPT = 16_384;
const LINES = 12;
const LONGEST_LINE = 300;

/** A shell that runs a command, and all processes that it starts. */
export type ProcessGroup = {
  /** How the command ended, as in "exited with code 1"; resolved once it has. */
  readonly ended: Promise<GroupEnd>;
  /** The last lines of what it wrote, as reports may show them. */
  lastLines(redact: Redactor): readonly string[];
  /** Ends all of its processes: SIGTERM, and SIGKILL for what is left after a while. Resolves once they are gone. */
  end(): Promise<void>;
};

export type GroupEnd = { readonly succeeded: boolean; readonly how: string };

function send(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch {
    return false;
  }
}

async function endGroup(group: number): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    send(group, signal);
    for (const begin = performance.now(); performance.now() - begin < GRACE[signal]; await pause(LOOKS)) if (!send(group, 0)) return;
  }
}

/**
 * Starts a command by the shell, with the environment of this process, and `input` as its standard input. Whatever ends this process ends the
 * group, too.
 */
export function startGroup(command: string, { input = '' }: { readonly input?: string } = {}): ProcessGroup {
  const child = spawn(command, { shell: true, detached: true, stdio: 'pipe' });
  const { pid } = child;
  const kill = (): void => void (pid !== undefined && send(pid, 'SIGKILL'));
  process.on('exit', kill);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-KEPT);
    });
  // A command that reads nothing may have ended before all of it was written.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const { promise: ended, resolve } = Promise.withResolvers<GroupEnd>();
  const closed = Promise.withResolvers<void>();
  child.once('error', (error) => resolve({ succeeded: false, how: `could not be started: ${messageOf(error)}` }));
  child.once('exit', (code, signal) =>
    resolve({ succeeded: code === 0, how: signal === null ? `exited with code ${code}` : `was ended by ${signal}` }),
  );
  child.once('close', () => closed.resolve());
  return {
    ended,
    lastLines: (redact) =>
      redact(stripVTControlCharacters(output))
        .split(/\r?\n/)
        .map((line) => oneLine(line, LONGEST_LINE))
        .filter((line) => line !== '')
        .slice(-LINES),
    async end() {
      if (pid === undefined) return;
      await endGroup(pid);
      process.off('exit', kill);
      // What it wrote last may not have been read yet.
      await Promise.race([closed.promise, pause(GRACE.SIGKILL, undefined, { ref: false })]);
    },
  };
}
