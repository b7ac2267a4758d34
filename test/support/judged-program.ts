import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProgram } from './program.ts';

const SAMPLE_EVERY = 25;

export type Ended = {
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
export async function runJudged({ args, apiKey, under = [] }: ProgramOptions): Promise<Ended> {
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
