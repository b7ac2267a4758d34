// What tests run: programs, in folders of their own, and what that costs.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished, TestRunner } from 'vitest';

/** A separate folder that is deleted when the test is over; not for concurrent tests. */
export function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-conformance-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Processor time of the work in milliseconds: unlike wall clock time, other load adds nothing to it. */
export function processorTime(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

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
export const withoutProgress = (stderr: string): string => stderr.replace(/^\d+ of \d+ requests, \d+ clauses? failed; .*\n/gm, '');

/** Runs the command line to its end. */
export function runProgram(args: readonly string[], start: Start = {}): Promise<Ended> {
  return startProgram(args, start).ended;
}

const SAMPLE_EVERY = 25;

export type JudgedProgram = {
  /** The exit code; undefined if a signal ended it. */
  readonly exit: number | undefined;
  readonly output: string;
  /** Contents of the report files, by name. */
  readonly reports: Readonly<Record<string, string>>;
  readonly milliseconds: number;
  /** Peak resident memory in MB; undefined without /proc. */
  readonly peak: number | undefined;
};

export type ProgramOptions = {
  readonly args: readonly string[];
  readonly apiKey: string;
  /** A program with arguments that runs the command line: a tracer, a limiter. */
  readonly under?: readonly string[];
};

function peakOf(pid: number): number | undefined {
  try {
    const kilobytes = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}

function readReports(folder: string): Record<string, string> {
  try {
    return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  } catch {
    return {};
  }
}

/** Runs the command line to its end in an empty folder, which gets its reports and any temporary files, and measures its memory. */
export async function runJudged({ args, apiKey, under = [] }: ProgramOptions): Promise<JudgedProgram> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-conformance-test-'));
  try {
    const env = { PETSTORE_API_KEY: apiKey, TMPDIR: folder };
    const { child, ended } = startProgram(args, { cwd: folder, env, under });
    let peak: number | undefined;
    const sampler = setInterval(() => (peak = (child.pid === undefined ? undefined : peakOf(child.pid)) ?? peak), SAMPLE_EVERY);
    const { code, stdout, stderr, milliseconds } = await ended.finally(() => clearInterval(sampler));
    return { exit: code ?? undefined, output: stdout + stderr, reports: readReports(join(folder, 'reports')), milliseconds, peak };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
