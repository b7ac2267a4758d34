import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

export type Ended = {
  readonly code: number | null;
  /** The signal that killed it: none, when it ended by itself. */
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly milliseconds: number;
};

export type Start = {
  /** Default: an empty folder of its own. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
};

const LONGEST = 55_000;

function emptyFolder(): string {
  return mkdtempSync(join(tmpdir(), 'petstore-conformance-test-'));
}

function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** A folder that is gone when the test is over; not for concurrent tests. */
export function temporaryFolder(): string {
  const folder = emptyFolder();
  onTestFinished(() => removeFolder(folder));
  return folder;
}

/** The command line as a process of its own, with nothing of the environment but what a program needs. */
export function startProgram(args: readonly string[], { cwd, env = {} }: Start = {}): { child: ChildProcess; ended: Promise<Ended> } {
  const begin = performance.now();
  const own = cwd ?? emptyFolder();
  const { PATH = '', HOME = '', SystemRoot = '' } = process.env;
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: own,
    env: { PATH, HOME, ...(SystemRoot === '' ? {} : { SystemRoot }), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LONGEST,
    killSignal: 'SIGKILL',
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (cwd === undefined) removeFolder(own);
      resolve({ code, signal, stdout, stderr, milliseconds: performance.now() - begin });
    });
  });
  return { child, ended };
}

/** Runs the command line to its end. */
export function runProgram(args: readonly string[], start: Start = {}): Promise<Ended> {
  return startProgram(args, start).ended;
}
