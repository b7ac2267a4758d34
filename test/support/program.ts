import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TestRunner } from 'vitest';

export const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

export type Ended = {
  readonly code: number | null;
  /** The signal that killed it; null if it ended by itself. */
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly milliseconds: number;
};

export type Start = {
  /** Default: a separate empty folder, deleted with the program. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Milliseconds after which it is killed. Default: the time left for the test. */
  readonly patience?: number;
  /** A program with arguments that runs the command line: a tracer, a limiter. */
  readonly under?: readonly string[];
  /** Whether its standard input stays open; by default it is empty. */
  readonly input?: boolean;
};

const OUTSIDE_A_TEST = 120_000;
/** Milliseconds before the runner gives up on a test in which the test can still report what it waits for. */
const BEFORE_THE_END = 2_000;

/** Milliseconds until the runner gives up on the test, by its timeout: nothing else depends on the speed of the machine. */
export function timeLeft(): number {
  const test = TestRunner.getCurrentTest();
  if (test?.result?.startTime === undefined) return OUTSIDE_A_TEST;
  return Math.max(0, test.result.startTime + test.timeout - Date.now() - BEFORE_THE_END);
}

/** The command line as a separate process, with only the necessary part of the environment. */
export function startProgram(
  args: readonly string[],
  { cwd, env = {}, patience = timeLeft(), under = [], input = false }: Start = {},
): { child: ChildProcess; ended: Promise<Ended> } {
  const begin = performance.now();
  const own = cwd ?? mkdtempSync(join(tmpdir(), 'petstore-conformance-test-'));
  const { PATH = '', HOME = '', SystemRoot = '' } = process.env;
  const [file = process.execPath, ...rest] = [...under, process.execPath, MAIN, ...args];
  const child = spawn(file, rest, {
    cwd: own,
    env: { PATH, HOME, ...(SystemRoot === '' ? {} : { SystemRoot }), ...env },
    stdio: [input ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    timeout: patience,
    killSignal: 'SIGKILL',
  });
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (cwd === undefined) rmSync(own, { recursive: true, force: true });
      resolve({ code, signal, stdout, stderr, milliseconds: performance.now() - begin });
    });
  });
  return { child, ended };
}

/** What a run prints on stderr apart from its progress, of which a slow run prints more than a quick one. */
export const withoutProgress = (stderr: string): string => stderr.replace(/^\d+ of \d+ checks judged, .*\n/gm, '');

/** Runs the command line to its end. */
export function runProgram(args: readonly string[], start: Start = {}): Promise<Ended> {
  return startProgram(args, start).ended;
}
