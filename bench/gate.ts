import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BOUNDS } from '../src/judge/run.ts';
import { CONSENTS } from '../src/plan/choose.ts';
import { isGroup } from '../src/plan/row.ts';
import { createAdaptiveConcurrency } from '../src/wire/concurrency.ts';
import { SUITE } from '../suites/plan/index.ts';
import { leave, readCommandLine, wholeNumber } from '../test/support/command-line.ts';
import type { Used } from './gate-gauge.ts';
import type { Recorded, Seen, ServiceOptions } from './gate-service.ts';
import { keepMeasurement, machine, ROOT, type Spread, spreadOf, spreadText, versionsOf } from './measure.ts';

/** What the processor does in a run. Time in which a thread waits does not count. */
const PARTS = ['start', 'vitest', 'wire', 'reading', 'judging', 'reports', 'garbage', 'other'] as const;
type Part = (typeof PARTS)[number];

type Profile = {
  readonly nodes: readonly { readonly id: number; readonly callFrame: { readonly functionName: string; readonly url: string } }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
};

/** The first match decides. */
const PLACES: readonly (readonly [Part, RegExp])[] = [
  ['vitest', /\/node_modules\/(?:vitest|@vitest|vite|rolldown|@rolldown|tinypool|tinyexec|chai|expect-type|pathe|birpc)\//],
  ['start', /^node:internal\/(?:modules|bootstrap|process|main|source_map|vm)|\/node_modules\/(?:commander|dotenv)\/|\/src\/cli\//],
  [
    'wire',
    /\/node_modules\/undici\/|\/src\/wire\/(?!json|redact)|^node:(?:net|http|_http|internal\/(?:stream|timers|async|event)|stream|dns|events)/,
  ],
  ['reading', /\/src\/(?:schema|wire\/json|session\/reading)|\/node_modules\/(?:ajv|fast-deep-equal)\//],
  ['reports', /\/src\/(?:report|diagnosis)\/|\/node_modules\/hono\//],
  ['judging', /\/(?:src|suites)\/|\/node_modules\/(?:fast-check|pure-rand)\//],
];

function partOf({ functionName, url }: Profile['nodes'][number]['callFrame']): Part | 'waiting' {
  if (functionName === '(idle)') return 'waiting';
  if (functionName === '(garbage collector)') return 'garbage';
  return PLACES.find(([, place]) => place.test(url))?.[0] ?? 'other';
}

/** Milliseconds that the threads of a run were busy: by part, and each thread as a whole, the busiest first. */
type Busy = { readonly byPart: Readonly<Record<Part, number>>; readonly byThread: readonly number[] };

/** What the profiles (`--cpu-prof`) in a folder say, one for each thread. */
function busyIn(folder: string): Busy {
  const threads: number[] = [];
  const busy: Record<Part, number> = { start: 0, vitest: 0, wire: 0, reading: 0, judging: 0, reports: 0, garbage: 0, other: 0 };
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.cpuprofile'))) {
    const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Profile;
    const parts = new Map(nodes.map(({ id, callFrame }) => [id, partOf(callFrame)]));
    let thread = 0;
    samples.forEach((id, index) => {
      const part = parts.get(id);
      if (part === undefined || part === 'waiting') return;
      const milliseconds = (timeDeltas[index] ?? 0) / 1_000;
      busy[part] += milliseconds;
      thread += milliseconds;
    });
    threads.push(Math.round(thread));
  }
  return { byPart: busy, byThread: threads.toSorted((a, b) => b - a) };
}

const USAGE = `Usage: npm run bench:gate -- [--rounds N] [--only NAME] [--out FOLDER]

What a run of the built gate costs. Each case runs against a new service in a process of its own; then the same requests go to another
one in a bare loop.

  --rounds N     how often a case is measured, long ones once (default: 3)
  --only NAME    measure the cases with this text in their names
  --out FOLDER   where the page and the figures are written (default: reports/measured)`;
const { values } = readCommandLine({
  usage: USAGE,
  options: { rounds: { type: 'string', default: '3' }, only: { type: 'string' }, out: { type: 'string' } },
});
const ROUNDS = wholeNumber(values.rounds, '--rounds');
const KEY = 'bench-key-Q4vT8nWz';
const MAIN = join(ROOT, 'dist', 'src', 'cli', 'main.js');
const GAUGE = new URL('gate-gauge.ts', import.meta.url).href;
const SEED = '20261121';
const CONCURRENCY = 8;
/** Limits of a run: a fixed time, and a multiple of the loop; and its pauses, in which nothing is in flight. */
const FIXED = 700;
const FACTOR = 2;

/** Milliseconds in which a run has nothing in flight: before a phase, and before the last request of a group. */
function pausesOf({ depth }: Pick<Case, 'depth'>): number {
  const choice = { ...BOUNDS[depth], seed: Number(SEED), isThorough: depth === 'thorough', consents: new Set(CONSENTS) };
  const { phases } = SUITE.planOf({ size: 7, known: 7, rarestStatus: 'sold' }, choice);
  return phases
    .filter(({ isInOrder, rows }) => isInOrder === true && rows.length > 0)
    .reduce((sum, { pause = 0, rows }) => rows.reduce((all, row) => all + (isGroup(row) ? (row.pause ?? 0) : 0), sum + pause), 0);
}

type Case = {
  readonly name: string;
  readonly depth: 'quick' | 'standard' | 'thorough';
  readonly service: Partial<Omit<ServiceOptions, 'apiKey'>>;
  /** Long ones are repeated less often. */
  readonly rounds?: number;
};

const CASES: readonly Case[] = [
  { name: 'quick', depth: 'quick', service: {} },
  { name: 'standard', depth: 'standard', service: {} },
  { name: 'thorough', depth: 'thorough', service: {}, rounds: 1 },
  { name: 'latency 50 ms', depth: 'standard', service: { latency: 50 } },
  { name: 'latency 400 ms', depth: 'standard', service: { latency: 400 }, rounds: 1 },
  { name: 'empty store', depth: 'standard', service: { seedAnimals: 0 } },
  { name: '100 animals', depth: 'standard', service: { seedAnimals: 100 } },
  { name: '5,000 animals', depth: 'standard', service: { seedAnimals: 5_000 } },
  { name: 'broken: no authentication', depth: 'standard', service: { faults: ['authentication-missing'] } },
  { name: 'broken: limit ignored', depth: 'standard', service: { faults: ['limit-ignored'] } },
  { name: 'broken: ids in doubles', depth: 'standard', service: { faults: ['ids-in-doubles'] } },
];

/** One run and the loop after it. Times are milliseconds, memory is megabytes. */
type Round = Used & {
  readonly exitCode: number | null;
  readonly firstRequest: number;
  readonly whole: number;
  readonly requests: number;
  readonly reportKilobytes: number;
  readonly loop: number;
};

async function startService(options: ServiceOptions): Promise<{ readonly child: ChildProcess; readonly baseUrl: string }> {
  const env = { ...process.env, SERVICE: JSON.stringify(options) };
  const child = fork(new URL('gate-service.ts', import.meta.url), { env, serialization: 'advanced' });
  const [{ baseUrl }] = (await once(child, 'message')) as [{ readonly baseUrl: string }];
  return { child, baseUrl };
}

/** Works with a service that is stopped afterwards. */
async function withService<Result>(
  { seedAnimals = 7, faults = [], latency = 0 }: Case['service'],
  work: (service: { readonly child: ChildProcess; readonly baseUrl: string }) => Promise<Result>,
): Promise<Result> {
  const service = await startService({ apiKey: KEY, seedAnimals, faults, latency });
  try {
    return await work(service);
  } finally {
    service.child.kill();
  }
}

async function seenBy(child: ChildProcess): Promise<Seen> {
  child.send('what have you seen?');
  const [seen] = (await once(child, 'message')) as [Seen];
  return seen;
}

/** Runs the command line in a separate folder; returns its exit code and its start and end by the wall clock. */
async function runGate(baseUrl: string, { depth, folder, flags = [] }: { depth: string; folder: string; flags?: readonly string[] }) {
  const start = performance.timeOrigin + performance.now();
  const args = [...flags, `--import=${GAUGE}`, MAIN, 'run', '--base-url', baseUrl, '--depth', depth, '--seed', SEED];
  const env = { PATH: process.env['PATH'], PETSTORE_API_KEY: KEY, PETSTORE_RUN_TAG: 'bench', GAUGE: join(folder, 'used.json') };
  const child = spawn(process.execPath, [...args, '--concurrency', String(CONCURRENCY)], { cwd: folder, env, stdio: 'ignore' });
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { exitCode, start, end: performance.timeOrigin + performance.now() };
}

async function bareLoop(requests: readonly Recorded[], { baseUrl, latency }: { baseUrl: string; latency: number }): Promise<number> {
  const file = join(FOLDER, 'requests.json');
  writeFileSync(file, JSON.stringify(requests));
  // The same concurrency as a run at that distance.
  const concurrency = createAdaptiveConcurrency(CONCURRENCY);
  concurrency.note(latency);
  const loop = new URL('gate-loop.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [loop, file, new URL(baseUrl).origin, String(concurrency.places())], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  await once(child, 'close');
  return Number(text);
}

const FOLDER = mkdtempSync(join(tmpdir(), 'petstore-conformance-bench-'));

async function measure({ depth, service }: Case): Promise<Round> {
  const folder = mkdtempSync(join(FOLDER, 'run-'));
  const { run, seen } = await withService(service, async ({ child, baseUrl }) => {
    const ended = await runGate(baseUrl, { depth, folder });
    return { run: ended, seen: await seenBy(child) };
  });
  const loop = await withService(service, ({ baseUrl }) => bareLoop(seen.requests, { baseUrl, latency: service.latency ?? 0 }));
  const used = JSON.parse(readFileSync(join(folder, 'used.json'), 'utf8')) as Used;
  return {
    ...used,
    exitCode: run.exitCode,
    firstRequest: seen.firstAt - run.start,
    whole: run.end - run.start,
    requests: seen.requests.length,
    reportKilobytes: statSync(join(folder, 'reports', 'report.json')).size / 1_024,
    loop,
  };
}

type Summary = { readonly name: string; readonly rounds: readonly Round[] } & Readonly<
  Record<'firstRequest' | 'whole' | 'loop' | 'cpuMilliseconds' | 'peakMegabytes' | 'requests', Spread> & { readonly ofLoop: Spread }
>;

function summarize(one: Case, rounds: readonly Round[]): Summary {
  const of = (pick: (round: Round) => number): Spread => spreadOf(rounds.map(pick));
  const fixed = FIXED + pausesOf(one);
  return {
    name: one.name,
    rounds,
    firstRequest: of((round) => round.firstRequest),
    whole: of((round) => round.whole),
    loop: of((round) => round.loop),
    // Within one round, so that other load slows both.
    ofLoop: of((round) => (round.whole - fixed) / round.loop),
    cpuMilliseconds: of((round) => round.cpuMilliseconds),
    peakMegabytes: of((round) => round.peakMegabytes),
    requests: of((round) => round.requests),
  };
}

/** What the processor does in a standard run. */
async function profile(): Promise<Busy> {
  const folder = mkdtempSync(join(FOLDER, 'profile-'));
  const profiles = join(folder, 'profiles');
  mkdirSync(profiles);
  const flags = ['--cpu-prof', `--cpu-prof-dir=${profiles}`];
  await withService({}, ({ baseUrl }) => runGate(baseUrl, { depth: 'standard', folder, flags }));
  return busyIn(profiles);
}

/** Writes the page and the figures. */
function keep(summaries: readonly Summary[], { byPart: busy, byThread }: Busy): readonly string[] {
  const seconds = (spread: Spread): string =>
    spreadText({ ...spread, median: spread.median / 1_000, least: spread.least / 1_000, most: spread.most / 1_000 }, 2);
  const all = PARTS.reduce((sum, part) => sum + busy[part], 0);
  return keepMeasurement(
    {
      name: 'gate',
      title: 'What a run costs',
      command: 'npm run bench:gate',
      about: [
        'Each case is a whole process of the built package against the reference server in a process of its own, on loopback. The bare loop sends the same requests in the same order with undici and nothing else, to another such server, so many at a time as the run does. Times on another machine differ; ratios within a row differ less.',
        `A standard run pauses for ${pausesOf({ depth: 'standard' }) / 1_000} s in all, to see what a service forgets when it is idle. A run may take ${FIXED / 1_000} s, its pauses, and ${FACTOR} times the bare loop: the column "of the loop" is what a run takes beyond ${FIXED / 1_000} s and its pauses, as a multiple of the loop.`,
      ],
      machine: WHERE,
      versions: versionsOf(['undici', 'vitest', 'vite', 'fast-check', 'ajv']),
      tables: [
        {
          title: 'Runs',
          columns: ['case', 'requests', 'first request, s', 'whole, s', 'bare loop, s', 'of the loop', 'CPU, s', 'peak, MB'],
          rows: summaries.map((one) => [
            one.name,
            spreadText(one.requests),
            seconds(one.firstRequest),
            seconds(one.whole),
            seconds(one.loop),
            spreadText(one.ofLoop, 1),
            seconds(one.cpuMilliseconds),
            spreadText(one.peakMegabytes),
          ]),
          notes: ['Median (least to most). Cases without a spread ran once.'],
        },
        {
          title: 'Where the time goes',
          columns: ['part', 'busy, ms', 'share'],
          rows: PARTS.map((part) => [part, Math.round(busy[part]), `${Math.round((busy[part] / Math.max(1, all)) * 100)}%`]),
          notes: [
            'A standard run under V8\'s sampling profiler, all threads together: milliseconds in which a thread was busy, by the module that was running. "start" is loading modules and the command line, "wire" undici and the sockets, "reading" JSON and schemas, "other" what V8 and Node do that no module is named for.',
          ],
        },
      ],
      figures: { fixed: FIXED, factor: FACTOR, summaries, busy, byThread },
    },
    values.out,
  );
}

const chosen = CASES.filter(({ name }) => values.only === undefined || name.includes(values.only));
if (chosen.length === 0) leave(`no case has "${values.only}" in its name; the cases are ${CASES.map(({ name }) => name).join('; ')}`);
const WHERE = machine();
try {
  const summaries: Summary[] = [];
  for (const one of chosen) {
    const rounds: Round[] = [];
    for (let round = 0; round < Math.min(one.rounds ?? Number.POSITIVE_INFINITY, ROUNDS); round += 1) rounds.push(await measure(one));
    const summary = summarize(one, rounds);
    summaries.push(summary);
    console.log(
      `${one.name}: ${spreadText(summary.requests)} requests, ${spreadText(summary.whole)} ms, loop ${spreadText(summary.loop)} ms, ${spreadText(summary.peakMegabytes)} MB`,
    );
  }
  for (const path of keep(summaries, await profile())) console.log(`wrote ${path}`);
} finally {
  rmSync(FOLDER, { recursive: true, force: true });
}
