import { execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { variants } from '../proof/variants/index.ts';
import type { RunRecord } from '../src/clause/run-record.ts';
import { leave, readCommandLine, wholeNumber } from '../test/support/command-line.ts';
import { keepMeasurement, machine, RESULTS, ROOT, type Table, versionsOf } from './measure.ts';
import { LIMITS, OUTAGES, type Weather } from './weather-kinds.ts';

const PARTS = ['limits', 'threads', 'outages', 'busy'] as const;
type Part = (typeof PARTS)[number];
const USAGE = `Usage: npm run bench:weather -- [--only PART] [--every N] [--out FOLDER]

What a run of the built gate makes of a service that limits requests, has few threads, or fails for some seconds, and of a busy machine.

  --only PART    ${PARTS.join(', ')}: nothing else is measured; the page keeps its other tables
  --every N      on the busy machine, every Nth variant (default: 1)
  --out FOLDER   where the page and the figures are written (default: reports/measured)`;
const { values } = readCommandLine({
  usage: USAGE,
  options: { only: { type: 'string' }, every: { type: 'string', default: '1' }, out: { type: 'string' } },
});
const only =
  values.only === undefined ? undefined : (PARTS.find((part) => part === values.only) ?? leave(`--only takes ${PARTS.join(', ')}`));
const every = wholeNumber(values.every, '--every');
const OUT = values.out ?? RESULTS;
const KEY = 'bench-key-R7wYzk2M';
const MAIN = join(ROOT, 'dist', 'src', 'cli', 'main.js');
const SEED = '20261121';
const FOLDER = mkdtempSync(join(tmpdir(), 'petstore-conformance-bench-'));

/** The result of a run. */
type Ended = {
  readonly exitCode: number;
  readonly seconds: number;
  readonly requests: number;
  readonly situations: number;
  readonly red: readonly string[];
  readonly headline: string;
};

/** Runs the command line against a service in such weather, in processes of their own. */
async function runIn(weather: Weather, options: readonly string[] = []): Promise<Ended> {
  const service = fork(new URL('weather-service.ts', import.meta.url), { env: { ...process.env, KEY, WEATHER: JSON.stringify(weather) } });
  const cwd = mkdtempSync(join(FOLDER, 'run-'));
  try {
    const [{ baseUrl }] = (await once(service, 'message')) as [{ readonly baseUrl: string }];
    const begin = performance.now();
    const env = { PATH: process.env['PATH'], PETSTORE_API_KEY: KEY };
    const child = spawn(process.execPath, [MAIN, 'run', '--base-url', baseUrl, '--seed', SEED, ...options], { cwd, env, stdio: 'ignore' });
    const [exitCode] = (await once(child, 'close')) as [number | null];
    const seconds = Math.round((performance.now() - begin) / 100) / 10;
    const report = join(cwd, 'reports', 'report.json');
    if (!existsSync(report)) throw new Error(`the run in ${JSON.stringify(weather)} ended with ${exitCode} and no report`);
    const { clauses, judged, operations, conclusion } = JSON.parse(readFileSync(report, 'utf8')) as RunRecord;
    const binding = clauses.filter(({ level, verdict }) => verdict === 'fail' && (level === 'required' || level === 'implied'));
    return {
      exitCode: exitCode ?? -1,
      seconds,
      requests: operations.reduce((sum, one) => sum + one.requests, 0),
      situations: judged.musts.judged,
      red: binding.map(({ id }) => id),
      headline: conclusion.headline,
    };
  } finally {
    service.kill();
  }
}

const redOf = ({ red }: Pick<Ended, 'red'>): string => (red.length === 0 ? 'none' : red.join(', '));

/** Requests per second. Runs at the small ones wait nearly all the time, so all of these are measured at once. */
const FAST = [100, 50] as const;
const SLOW = [20, 10, 5] as const;
/** Seconds that are too few for the smallest rates. */
const DEADLINE = 120;

type Limited = { readonly counts: (typeof LIMITS)[number]; readonly rate: number; readonly deadline?: number };

async function measureLimit({ counts, rate, deadline }: Limited): Promise<(string | number)[]> {
  const ended = await runIn({ kind: 'limit', counts, rate }, deadline === undefined ? [] : ['--deadline', String(deadline)]);
  console.log(JSON.stringify({ counts, rate, deadline, ...ended }));
  return [counts, rate, deadline ?? 'none', ended.exitCode, ended.seconds, ended.requests, ended.situations, redOf(ended)];
}

async function measureLimits(): Promise<Table> {
  const rows: (string | number)[][] = [];
  for (const rate of FAST) rows.push(...(await Promise.all(LIMITS.map((counts) => measureLimit({ counts, rate })))));
  const slow = [
    ...SLOW.flatMap((rate) => LIMITS.map((counts): Limited => ({ counts, rate }))),
    ...SLOW.slice(1).flatMap((rate) => LIMITS.map((counts): Limited => ({ counts, rate, deadline: DEADLINE }))),
  ];
  rows.push(...(await Promise.all(slow.map(measureLimit))));
  return {
    title: 'Limits',
    columns: ['counts', 'requests a second', '--deadline', 'exit', 'seconds', 'requests', 'checks judged', 'red clauses'],
    rows,
    notes: [
      `Beyond its limit the service returns 429 with \`Retry-After: 1\`. Without a deadline of its own, the run has as long as the limit takes; with ${DEADLINE} s it plans less.`,
    ],
  };
}

const THREADS = [64, 16, 8, 4] as const;

async function measureThreads(): Promise<Table> {
  const fair = await runIn({ kind: 'fair' });
  const rows: (string | number)[][] = [['no limit', fair.exitCode, fair.seconds, fair.requests, redOf(fair)]];
  for (const threads of THREADS) {
    const ended = await runIn({ kind: 'threads', threads });
    console.log(JSON.stringify({ threads, ...ended }));
    rows.push([threads, ended.exitCode, ended.seconds, ended.requests, redOf(ended)]);
  }
  return {
    title: 'Few threads',
    columns: ['threads', 'exit', 'seconds', 'requests', 'red clauses'],
    rows,
    notes: ['The service has a thread for each connection; while all are taken, further connections wait.'],
  };
}

/** Seconds after the first request: in the middle of the run. */
const OUTAGE = { from: 3, until: 8 } as const;

async function measureOutages(): Promise<Table> {
  const rows: (string | number)[][] = [];
  for (const what of OUTAGES) {
    const ended = await runIn({ kind: 'outage', what, ...OUTAGE });
    console.log(JSON.stringify({ what, ...ended }));
    rows.push([what, ended.exitCode, ended.seconds, ended.situations, redOf(ended)]);
  }
  return {
    title: 'Outages',
    columns: ['what happens', 'exit', 'seconds', 'checks judged', 'red clauses'],
    rows,
    notes: [
      `From second ${OUTAGE.from} to second ${OUTAGE.until} of a run. In the rolling deployment, more and more requests meet a new version on the same store, which conforms too and differs in messages, white space, and headers.`,
    ],
  };
}

const BUSY_LOOPS = 4;
const RUNS_AT_ONCE = 3;

async function measureBusy(): Promise<Table> {
  const names = variants.map(({ name }) => name).filter((_name, index) => index % every === 0);
  const onOneCore = ['-c', '0', process.execPath];
  const loops = Array.from({ length: BUSY_LOOPS }, () => spawn('taskset', [...onOneCore, '-e', 'for (;;);'], { stdio: 'ignore' }));
  const judged: { readonly name: string; readonly red: readonly string[]; readonly seconds: number }[] = [];
  try {
    const workers = Array.from({ length: RUNS_AT_ONCE }, async (_unused, worker) => {
      const file = new URL('weather-variants.ts', import.meta.url).pathname;
      // Each begins elsewhere, so that not the same three are judged at once.
      const from = Math.floor((names.length * worker) / RUNS_AT_ONCE);
      const child = spawn('taskset', [...onOneCore, file, ...names.slice(from), ...names.slice(0, from)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      for await (const line of createInterface({ input: child.stdout })) {
        judged.push(JSON.parse(line));
        console.log(line);
      }
    });
    await Promise.all(workers);
  } finally {
    for (const loop of loops) loop.kill('SIGKILL');
  }
  if (judged.length !== names.length * RUNS_AT_ONCE) throw new Error(`${judged.length} of ${names.length * RUNS_AT_ONCE} runs ended`);
  const red = judged.filter((one) => one.red.length > 0);
  const seconds = judged.map((one) => one.seconds).toSorted((a, b) => a - b);
  return {
    title: 'A busy machine',
    columns: ['variants', 'runs', 'wrongly failed', 'seconds a run, median', 'longest'],
    rows: [[names.length, judged.length, red.length, seconds[Math.floor(seconds.length / 2)] ?? 0, seconds.at(-1) ?? 0]],
    notes: [
      `Conforming variants of the reference server, ${RUNS_AT_ONCE} judged at a time beside ${BUSY_LOOPS} busy loops, all on one core; the server shares the process of the run.`,
      ...red.map((one) => `${one.name}: ${redOf(one)}.`),
    ],
  };
}

/** The tables of the page so far. */
function earlierTables(): Partial<Record<Part, Table>> {
  const file = join(OUT, 'weather.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { figures: Partial<Record<Part, Table>> }).figures : {};
}

const MEASURES = { limits: measureLimits, threads: measureThreads, outages: measureOutages, busy: measureBusy } as const;
const where = machine();
try {
  execFileSync('taskset', ['--version'], { stdio: 'ignore' });
  const measured = new Map<Part, Table>();
  for (const part of PARTS.filter((one) => only === undefined || one === only)) measured.set(part, await MEASURES[part]());
  const tables = { ...earlierTables(), ...Object.fromEntries(measured) };
  const written = keepMeasurement(
    {
      name: 'weather',
      title: 'Limits, few threads, outages, a busy machine',
      command: 'npm run bench:weather',
      about: [
        'Each run is a whole process of the built package against the reference server in a process of its own, behind what is named. The service conforms in all of them, so that a clause is red only for what happens to the service.',
      ],
      machine: where,
      versions: versionsOf(['undici', 'vitest']),
      tables: PARTS.flatMap((part) => tables[part] ?? []),
      figures: tables,
    },
    OUT,
  );
  console.log(written.join('\n'));
} finally {
  rmSync(FOLDER, { recursive: true, force: true });
}
