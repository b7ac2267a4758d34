import { Command, InvalidArgumentError } from 'commander';
import type { CheckId } from '../src/clause/clause.ts';
import { createSmoke } from '../src/probe/create-smoke.ts';
import { NO_HISTORY } from '../src/probe/history/no-history.ts';
import { createRotation } from '../src/probe/rotation/rotation.ts';
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
type Options = { readonly runs: number; readonly budget: number; readonly every: number };
const LONG = 120_000;
const UNBOUNDED = 100_000;

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

/** The first run, counted from 1, that fails a binding check; undefined where none of them does. */
async function firstFailingRun(server: Server, now: Date | undefined, { runs, budget }: Options): Promise<number | undefined> {
  const reference = await startReference({ ...server, apiKey: KEY });
  const rotation = createRotation({ clauses, history: NO_HISTORY, wall: () => Date.now() });
  const target = { name: 'bench', baseUrl: reference.baseUrl, apiKey: () => KEY, rotation: { budget, nearMisses: false } };
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
      if (sample.failures.some(({ clause }) => binding.has(clause))) return run;
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

type Taken = {
  readonly fault: string;
  readonly turns: readonly { readonly check: CheckId; readonly requests: number; readonly failed: boolean }[];
};

/** Each rotating check on a server that the checks of every run find nothing wrong with: what it sends there, and whether it fails. */
async function takeAll(name: string): Promise<Taken | undefined> {
  const { server, session } = settingOf([name]);
  if ((await firstFailingRun(server, session.now, { runs: 1, budget: 0, every: 1 })) !== undefined) return undefined;
  const reference = await startReference({ ...server, apiKey: KEY });
  const rotation = createRotation({ clauses, history: NO_HISTORY, wall: () => Date.now() });
  const target = {
    name: 'bench',
    baseUrl: reference.baseUrl,
    apiKey: () => KEY,
    deadline: LONG,
    interval: 2 * LONG,
    rotation: { budget: UNBOUNDED, nearMisses: true },
  };
  const now = session.now;
  try {
    const judge = createSmoke(target, {
      clauses: probeClauses,
      version: 'bench',
      rotation: rotation.of(target),
      ...(now === undefined ? {} : { now: () => now }),
    });
    const { sample } = await judge.run();
    return {
      fault: name,
      turns: sample.rotation.map(({ check, requests, failure }) => ({
        check,
        requests,
        failed: failure !== undefined && binding.has(failure.clause),
      })),
    };
  } finally {
    await reference.close();
  }
}

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

/** The checks in the order that finds most with the fewest requests, as src/probe/rotation/plan.ts has them. */
async function printPlan({ every }: Options): Promise<void> {
  const sent = new Map<CheckId, number[]>();
  const finds = new Map<CheckId, Set<string>>();
  for (const { name } of oneOfEach(faults, every)) {
    for (const { check, requests, failed } of (await takeAll(name))?.turns ?? []) {
      sent.set(check, [...(sent.get(check) ?? []), requests]);
      const found = finds.get(check) ?? new Set();
      if (failed) found.add(name);
      finds.set(check, found);
    }
  }
  const found = new Set<string>();
  const left = new Map([...sent].map(([check, requests]) => [check, Math.max(1, median(requests))]));
  let total = 0;
  while (left.size > 0) {
    const worth = ([check, cost]: readonly [CheckId, number]): number =>
      [...(finds.get(check) ?? [])].filter((fault) => !found.has(fault)).length / cost;
    const [check, cost] = [...left].reduce((best, one) =>
      worth(one) > worth(best) || (worth(one) === worth(best) && one[1] < best[1]) ? one : best,
    );
    left.delete(check);
    for (const fault of finds.get(check) ?? []) found.add(fault);
    total += cost;
    console.log(`  '${check}': ${cost}, // ${found.size} faults within ${total} requests`);
  }
}

const program = new Command('npm run bench:rotation --')
  .description('What a monitor finds in its first runs on a target, and whether it fails conforming servers.')
  .option('--runs <count>', 'scheduled runs on each server', wholeNumber, 10)
  .option('--budget <requests>', 'requests a run beyond those of every run', wholeNumber, 20)
  .option('--every <count>', 'judge one of so many servers, by name', wholeNumber, 1)
  .option('--variants', 'judge conforming servers instead of faults', false)
  .option('--plan', 'print the order of checks that finds most with the fewest requests', false)
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .action((options: Options & { readonly variants: boolean; readonly plan: boolean }) => {
    if (options.plan) return printPlan(options);
    return options.variants ? measureVariants(options) : measureFaults(options);
  });
await program.parseAsync();
