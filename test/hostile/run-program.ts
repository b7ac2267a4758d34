import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const SAMPLE_EVERY = 25;

export type Ended = {
  /** The exit code; undefined when a signal ended it. */
  readonly exit: number | undefined;
  readonly output: string;
  /** Contents of the report files, by name. */
  readonly reports: Readonly<Record<string, string>>;
  readonly milliseconds: number;
  /** Peak resident memory in MB; undefined where there is no /proc. */
  readonly peak: number | undefined;
};

export type ProgramOptions = {
  readonly args: readonly string[];
  readonly apiKey: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Milliseconds after which it is killed. */
  readonly patience?: number;
  /** A program and its arguments that runs ours: a tracer, a limiter. */
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

/** Runs the command line as a program of its own in an empty folder, which is removed afterwards; reports go to `reports` in it. */
export async function runProgram({ args, apiKey, environment = {}, patience = 120_000, under = [] }: ProgramOptions): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
  const begin = performance.now();
  const [program = process.execPath, ...rest] = [...under, process.execPath, MAIN, ...args];
  const child = spawn(program, rest, {
    cwd: folder,
    env: { PATH: process.env['PATH'], PETSTORE_API_KEY: apiKey, TMPDIR: folder, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let peak: number | undefined;
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  const sampler = setInterval(() => (peak = (child.pid === undefined ? undefined : peakOf(child.pid)) ?? peak), SAMPLE_EVERY);
  const killer = setTimeout(() => child.kill('SIGKILL'), patience);
  const exit = await new Promise<number | undefined>((resolve) => child.on('close', (code) => resolve(code ?? undefined)));
  clearInterval(sampler);
  clearTimeout(killer);
  const ended = { exit, output, reports: readReports(join(folder, 'reports')), milliseconds: performance.now() - begin, peak };
  rmSync(folder, { recursive: true, force: true });
  return ended;
}
