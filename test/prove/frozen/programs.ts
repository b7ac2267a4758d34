// Stages that run other programs of the project, one at a time: they measure times, or use the whole machine.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../bench/measure.ts';
import { tokensByRoom } from '../../../bench/price.ts';
import { attacks, complaints, runAgainst } from '../../hostile/attack-run.ts';
import type { Shown, Stage } from './stages.ts';

const FOLDER = join(ROOT, 'reports', 'frozen');
const MINUTE = 60_000;
const MOST_BYTES = 2 ** 28;

/** Runs a program to its end; throws if it takes longer, or ends otherwise than allowed. */
function run(program: string, args: readonly string[], { minutes, exits = [0] }: { minutes: number; exits?: readonly number[] }): void {
  const { status, error, stderr } = spawnSync(program, args, {
    ...{ cwd: ROOT, encoding: 'utf8', timeout: minutes * MINUTE, maxBuffer: MOST_BYTES },
  });
  if (error !== undefined) throw error;
  if (!exits.includes(status ?? -1)) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stderr.slice(-500)}`);
}

/** A bench of the built package; returns the figures that it has written. */
function bench(name: 'weather' | 'gate', args: readonly string[], minutes: number): Readonly<Record<string, unknown>> {
  const out = join(FOLDER, name);
  mkdirSync(out, { recursive: true });
  run('npm', ['run', '-s', 'build'], { minutes: 5 });
  run(process.execPath, [join(ROOT, 'bench', `${name}.ts`), ...args, '--out', out], { minutes });
  const { figures } = JSON.parse(readFileSync(join(out, `${name}.json`), 'utf8')) as { readonly figures: Record<string, unknown> };
  return figures;
}

/** On the busy machine, every sixteenth variant three times: all of them take an hour. */
const BUSY_EVERY = '16';

async function weather(part: string): Promise<Shown> {
  const { [part]: table } = bench('weather', ['--only', part, '--every', BUSY_EVERY], 30);
  const { columns, rows } = table as { readonly columns: readonly string[]; readonly rows: readonly unknown[] };
  return { columns, rows };
}

type Spread = { readonly median: number; readonly least: number; readonly most: number };

async function cost(name: string): Promise<Shown> {
  const { summaries, busy, byThread } = bench('gate', ['--only', name], 20);
  const [summary] = (summaries as readonly (Readonly<Record<string, Spread>> & { readonly name: string })[]).filter(
    (one) => (one.name as unknown) === name,
  );
  if (summary === undefined) throw new Error(`frozen: bench:gate has no case ${name}`);
  const { requests, firstRequest, whole, loop, cpuMilliseconds, peakMegabytes } = summary;
  const profiled = name === 'standard' ? { busy, byThread } : {};
  return { requests, firstRequest, whole, loop, cpuMilliseconds, peakMegabytes, ...profiled };
}

type Tests = {
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
};

async function tests(file: string): Promise<Shown> {
  if (!existsSync(join(ROOT, file))) return { gone: true };
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const out = join(FOLDER, 'tests.json');
  run(process.execPath, [vitest, 'run', '--project', 'thorough', file, '--reporter=json', `--outputFile=${out}`], {
    minutes: 15,
    exits: [0, 1],
  });
  const { testResults } = JSON.parse(readFileSync(out, 'utf8')) as Tests;
  const all = testResults.flatMap(({ assertionResults }) => assertionResults);
  // A file that does not load has no tests.
  const unloaded = testResults.flatMap(({ assertionResults: { length }, message }) => (length === 0 ? [message] : []));
  const titles = (status: string): readonly string[] => all.filter((one) => one.status === status).map(({ fullName }) => fullName);
  return { passed: titles('passed').length, failed: [...titles('failed'), ...unloaded] };
}

async function attacked(name: string): Promise<Shown> {
  const attack = attacks.find((one) => one.name === name);
  if (attack === undefined) throw new Error(`frozen: there is no attack ${name}`);
  const stood = await runAgainst(attack);
  return { exit: stood.exit, complaints: complaints(attack, stood), peak: Math.round(stood.peak ?? 0) };
}

/** Stages of which one task is measured at a time, in this process and its children. */
export const PROGRAMS = {
  hostile: {
    about: 'hostile servers',
    minutes: 30,
    tasks: () => attacks.map(({ name }) => name),
    measure: attacked,
  },
  weather: {
    about: 'limits, few threads, outages, a busy machine: bench:weather',
    minutes: 60,
    tasks: () => ['limits', 'threads', 'outages', 'busy'],
    measure: weather,
  },
  cost: {
    about: 'requests, CPU by thread, wall, memory, time to the first request: bench:gate',
    minutes: 30,
    tasks: () => [
      'quick',
      'standard',
      'thorough',
      'latency 50 ms',
      'latency 400 ms',
      'empty store',
      '100 animals',
      '5,000 animals',
      'broken: no authentication',
      'broken: limit ignored',
      'broken: ids in doubles',
    ],
    measure: cost,
  },
  tests: {
    about: 'thorough tests of hostile servers, used stores, replicas, services that change',
    minutes: 30,
    tasks: () => [
      'test/hostile/hostile.thorough.test.ts',
      'test/hostile/interruptions.thorough.test.ts',
      'test/hostile/probe.thorough.test.ts',
      'test/probe/replicas.thorough.test.ts',
      'test/prove/used-store.thorough.test.ts',
      'test/prove/recovery.thorough.test.ts',
      'test/green/green.thorough.test.ts',
      'test/green/outage.thorough.test.ts',
      'test/green/partly.thorough.test.ts',
      'test/green/probe.thorough.test.ts',
    ],
    measure: tests,
  },
  price: {
    about: 'lines and tokens of the product by room',
    minutes: 1,
    tasks: () => ['now'],
    measure: async () => tokensByRoom(),
  },
} as const satisfies Readonly<Record<string, Stage>>;
