import { Command, InvalidArgumentError } from 'commander';
import type { CheckId } from '../src/clause/clause.ts';
import { createSmoke } from '../src/probe/create-smoke.ts';
import { NO_HISTORY } from '../src/probe/history/no-history.ts';
import { isNearMiss, rotatingChecks, SLICE } from '../src/probe/rotation/plan.ts';
import { createRotation } from '../src/probe/rotation/rotation.ts';
import { type Slice, sliceOf } from '../src/probe/rotation/slice.ts';
import { keyOf, type Turn } from '../src/probe/rotation/turn.ts';
import { faults } from '../src/reference/faults/index.ts';
import { type ReferenceOptions, startReference } from '../src/reference/server.ts';
import { variants } from '../src/reference/variants/index.ts';
import { clauses } from '../suites/index.ts';
import { probeClauses } from '../suites/probe.ts';
import { judgeReference, KEY } from '../test/prove/judge-reference.ts';
import { settingOf } from '../test/prove/result.ts';
import { oneOfEach } from '../test/prove/spread.ts';

/**
 * What a monitor finds in its first runs on a target: `npm run bench:rotation -- --help`.
 * The measure is a run of the gate that only reads: of the faults that it finds, those that a scheduled run has reported by then.
 */
type Options = { readonly runs: number; readonly budget: number; readonly every: number; readonly nearMisses: boolean };
/** Milliseconds for all slices of a round, also where some requests get no response. */
const LONG = 10_000;
const UNBOUNDED = 100_000;
/** More than a page, as the stores of production have. */
const ANIMALS = 30;

/** The checks of every run, once. */
const BASE_ONLY: Options = { runs: 1, budget: 0, every: 1, nearMisses: false };

type Server = Omit<ReferenceOptions, 'apiKey'>;

const binding = new Set<string>(clauses.filter(({ level }) => level === 'required' || level === 'implied').map(({ id }) => id));
const isBinding = (check: string): boolean => binding.has(check.split('/')[0] ?? '');

function wholeNumber(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('It must be a whole number of at least 1.');
  return Number(text);
}

/** The binding checks that a reading run of the gate fails. */
async function failedByGate({ server, session }: ReturnType<typeof settingOf>): Promise<readonly CheckId[]> {
  const { records } = await judgeReference(server, { session: { ...session, readOnly: true, intrusive: false } });
  return records.filter(({ verdict, id }) => verdict === 'fail' && isBinding(id)).map(({ id }) => id);
}

/** The first run, counted from 1, that fails; undefined where none of them does. */
async function firstFailingRun(server: Server, now: Date | undefined, { runs, budget, nearMisses }: Options): Promise<number | undefined> {
  const reference = await startReference({ ...server, apiKey: KEY });
  const rotation = createRotation({ clauses, history: NO_HISTORY, wall: () => Date.now() });
  const target = { name: 'bench', baseUrl: reference.baseUrl, apiKey: () => KEY, rotation: { budget, nearMisses } };
  try {
    for (let run = 1; run <= runs; run += 1) {
      const judge = createSmoke(target, {
        clauses: probeClauses,
        version: 'bench',
        rotation: rotation.of(target),
        ...(now === undefined ? {} : { now: () => now }),
      });
      const { sample } = await judge.run();
      rotation.keep(sample);
      // Where a response never comes there is no clause that fails, but the run does.
      if (sample.verdict === 'fail' || sample.failures.some(({ clause }) => binding.has(clause))) return run;
    }
    return undefined;
  } finally {
    await reference.close();
  }
}

async function measureFaults(options: Options): Promise<void> {
  const firstRuns: (number | undefined)[] = [];
  for (const { name } of oneOfEach(faults, options.every)) {
    const setting = settingOf([name]);
    const failed = await failedByGate(setting);
    if (failed.length === 0) continue;
    const run = await firstFailingRun(setting.server, setting.session.now, options);
    firstRuns.push(run);
    console.log(
      `${run === undefined ? 'missed' : `run ${run}`.padEnd(6)}  ${name}${run === undefined ? `: ${failed.slice(0, 3).join(', ')}` : ''}`,
    );
  }
  const within = (runs: number): number => firstRuns.filter((run) => run !== undefined && run <= runs).length;
  console.log(`\nOf ${firstRuns.length} faults that reading alone shows, a monitor with a budget of ${options.budget} requests reports`);
  for (const runs of [1, 2, 5, options.runs]) console.log(`  ${within(runs)} within ${runs} runs`);
}

async function measureVariants(options: Options): Promise<void> {
  let failed = 0;
  const judged = oneOfEach(variants, options.every);
  for (const { name, now } of judged) {
    const run = await firstFailingRun({ variants: [name] }, now?.(), options);
    if (run === undefined) continue;
    failed += 1;
    console.log(`failed  ${name}: run ${run}`);
  }
  console.log(`Of ${judged.length} conforming servers, ${failed} were failed in ${options.runs} runs each.`);
}

/** The turns of one run with these slices, whatever budget they take. */
async function take(names: readonly string[], slices: readonly Slice[]): Promise<readonly Turn[]> {
  const { server, session } = settingOf(names);
  const { now } = session;
  const reference = await startReference({ ...(names.length === 0 ? { seedAnimals: ANIMALS } : server), apiKey: KEY });
  const target = {
    name: 'bench',
    baseUrl: reference.baseUrl,
    apiKey: () => KEY,
    deadline: LONG,
    interval: 2 * LONG,
    rotation: { budget: UNBOUNDED, nearMisses: true },
  };
  const rotation = { slices, clauses, turns: new Map() };
  try {
    const smoke = createSmoke(target, {
      clauses: probeClauses,
      version: 'bench',
      rotation,
      ...(now === undefined ? {} : { now: () => now }),
    });
    return (await smoke.run()).sample.rotation;
  } finally {
    await reference.close();
  }
}

/** The keys of those slices that fail something binding. */
async function failing(names: readonly string[], slices: readonly Slice[]): Promise<readonly string[]> {
  const turns = await take(names, slices);
  return turns.filter(({ failure }) => failure !== undefined && binding.has(failure.clause)).map(keyOf);
}

/** A check in equal slices, each with what it sends alone in a run on a server without faults. */
async function sliced(one: Pick<Slice, 'clause' | 'check'>, of: number): Promise<readonly Slice[]> {
  const slices: Slice[] = [];
  for (let part = 0; part < of; part += 1) {
    const slice = sliceOf(one, { portion: { part, of }, requests: 1, nearMiss: isNearMiss(one.check.id) });
    const [taken] = await take([], [slice]);
    slices.push({ ...slice, requests: Math.max(1, taken?.requests ?? 1) });
  }
  return slices;
}

/** A check in as many slices as its requests need; as one where a part of it takes as many requests as the whole. */
async function cut(one: Pick<Slice, 'clause' | 'check'>): Promise<readonly Slice[]> {
  const whole = await sliced(one, 1);
  const requests = whole[0]?.requests ?? 0;
  if (one.clause.level === 'open' || requests <= SLICE) return whole;
  const halves = await sliced(one, 2);
  return halves.some((half) => half.requests < requests) ? sliced(one, Math.ceil(requests / SLICE)) : whole;
}

/** What is known of a check while the plan is made: of each of its slices, what it sends and finds, and how many of them have their place. */
type Planned = {
  readonly id: CheckId;
  readonly slices: readonly { readonly requests: number; readonly finds: ReadonlySet<string> }[];
  placed: number;
};

/** The most that the next slices of a check find per request, beyond what is found already. */
function worth({ slices, placed }: Planned, found: ReadonlySet<string>): number {
  const next = slices.slice(placed);
  const fresh = new Set<string>();
  let requests = 0;
  return Math.max(
    ...next.map((slice) => {
      requests += slice.requests;
      for (const fault of slice.finds) if (!found.has(fault)) fresh.add(fault);
      return fresh.size / requests;
    }),
  );
}

/** The slices in the order that finds most with the fewest requests; once all is found, from the beginning. */
function* placesOf(checks: readonly Planned[]): Generator<{ readonly id: CheckId; readonly requests: number; readonly found: number }> {
  const found = new Set<string>();
  const next = ({ slices, placed }: Planned) => slices[placed];
  for (;;) {
    const left = checks.filter((one) => next(one) !== undefined);
    const [first] = left;
    if (first === undefined) return;
    if (found.size > 0 && left.every((one) => worth(one, found) === 0)) {
      found.clear();
      continue;
    }
    const cost = (one: Planned): number => next(one)?.requests ?? 0;
    const best = left.reduce((one, other) => {
      const gain = worth(other, found) - worth(one, found) || one.placed - other.placed || cost(one) - cost(other);
      return gain > 0 ? other : one;
    }, first);
    const { requests = 0, finds = [] } = next(best) ?? {};
    best.placed += 1;
    for (const fault of finds) found.add(fault);
    yield { id: best.id, requests, found: found.size };
  }
}

/** The plan of src/probe/rotation/plan.ts. */
async function printPlan({ every }: Options): Promise<void> {
  const slices: Slice[] = [];
  for (const one of rotatingChecks(clauses)) slices.push(...(await cut(one)));
  const finds = new Map<string, Set<string>>();
  for (const { name } of oneOfEach(faults, every)) {
    const { server, session } = settingOf([name]);
    if ((await firstFailingRun(server, session.now, BASE_ONLY)) !== undefined) continue;
    // The slices of a check in runs of their own: of one that fails, the others would wait.
    const rounds = Math.max(...slices.map(({ portion }) => portion.part)) + 1;
    const begin = performance.now();
    // What waits for responses that never come is left to the other measures.
    for (let part = 0; part < rounds && performance.now() - begin < LONG; part += 1) {
      const round = slices.filter(({ portion }) => portion.part === part);
      for (const key of await failing([name], round)) finds.set(key, (finds.get(key) ?? new Set()).add(name));
    }
  }
  const checks = Map.groupBy(slices, ({ check }) => check.id);
  const planned = [...checks].map(([id, own]) => ({
    id,
    placed: 0,
    slices: own.map(({ key, requests }) => ({ requests, finds: finds.get(key) ?? new Set<string>() })),
  }));
  let total = 0;
  let line: { readonly id: CheckId; readonly requests: number[]; found: number } | undefined;
  const print = (): void => {
    if (line !== undefined) console.log(`  ['${line.id}', ${line.requests.join(', ')}], // ${line.found} faults within ${total} requests`);
  };
  for (const { id, requests, found } of placesOf(planned)) {
    if (line?.id !== id) {
      print();
      line = { id, requests: [], found };
    }
    line.requests.push(requests);
    line.found = found;
    total += requests;
  }
  print();
}

const program = new Command('npm run bench:rotation --')
  .description('What a monitor finds in its first runs on a target, and whether it fails conforming servers.')
  .option('--runs <count>', 'scheduled runs on each server', wholeNumber, 10)
  .option('--budget <requests>', 'requests a run beyond those of every run', wholeNumber, 20)
  .option('--every <count>', 'judge one of so many servers, by name', wholeNumber, 1)
  .option('--near-misses', 'send credentials that are nearly the key, too, as targets with nearMisses: true', false)
  .option('--variants', 'judge conforming servers instead of faults', false)
  .option('--plan', 'print the order of checks that finds most with the fewest requests', false)
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .action((options: Options & { readonly variants: boolean; readonly plan: boolean }) => {
    if (options.plan) return printPlan(options);
    return options.variants ? measureVariants(options) : measureFaults(options);
  });
await program.parseAsync();
