import { writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { SHARE } from '../src/probe/rotation/rotation.ts';
import { type Turn, type Turning, turning } from '../src/probe/rotation/turns.ts';
import { createSmoke } from '../src/probe/smoke.ts';
import { faults } from '../src/reference/faults/index.ts';
import { startReference } from '../src/reference/server.ts';
import { variants } from '../src/reference/variants/index.ts';
import { clauses } from '../suites/index.ts';
import { probeClauses } from '../suites/probe.ts';
import { KEY } from '../test/prove/judge-reference.ts';
import { settingOf } from '../test/prove/result.ts';
import { oneOfEach } from '../test/prove/spread.ts';
import { wholeNumber } from '../test/support/whole-number.ts';
import { binding, failedByGate, firstFailingRun, type ScheduledRuns } from './scheduled-runs.ts';

/**
 * What a monitor finds in its first runs on a target: `npm run bench:rotation -- --help`. It is compared with a read-only run of the gate:
 * of the faults that this run finds, those that a scheduled run has reported by then.
 */
type Options = ScheduledRuns & { readonly every: number };
/** Milliseconds for all turns of a run, even if some requests get no response. */
const LONG = 60_000;
const UNBOUNDED = 100_000;
/** The default budget of a run, and the part of it for a turn of a table. */
const BUDGET = 20;
const PER_TURN = SHARE * BUDGET;
const FIRST_ROUND = new URL('../src/probe/rotation/first-round.ts', import.meta.url);
const HEAD = `import type { CheckId } from '../../clause/clause.ts';

/**
 * The kinds of requests that take turns, in the order of their first turns: those that find most per request come first. What each sends as a whole,
 * the rows of its table, and what a row sends by itself where that is more; what it takes on a target is measured there. A kind that stands here a
 * second time goes on there with the rest of its table, which finds something, too; other rests come behind all first turns. \`npm run bench:rotation -- --plan\` measures all of
 * it and writes this file.
 */
export const FIRST_ROUND: readonly (readonly [check: CheckId, requests: number, rows: number, alone?: number])[] = [
`;
/** More than a page, as in production stores. */
const ANIMALS = 30;

/** The checks of every run, once. */
const BASE_ONLY: Options = { runs: 1, budget: 0, every: 1, nearMisses: false };

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

/** The turns of one run in which each of these has a turn, with at most that many requests. */
async function take(names: readonly string[], kinds: readonly Turning[], perTurn: number): Promise<readonly Turn[]> {
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
  try {
    const smoke = createSmoke(target, {
      clauses: probeClauses,
      version: 'bench',
      rotation: { kinds, clauses, turns: new Map(), perTurn },
      ...(now === undefined ? {} : { now: () => now }),
    });
    return (await smoke.run()).sample.rotation;
  } finally {
    await reference.close();
  }
}

/**
 * The first turn of a kind, or the rest of its table: what it sends to a server without faults in a run that sends nothing else, and what
 * it finds.
 */
type Measured = {
  readonly kind: Turning;
  /** The row with which it begins. */
  readonly from: number;
  readonly requests: number;
  readonly finds: Set<string>;
};

/** Each kind alone, on a server without faults. */
async function measureKind(unmeasured: Turning): Promise<readonly Measured[]> {
  const sent = async (one: Turning, perTurn: number) => {
    const [turn] = await take([], [one], perTurn);
    const { requests = 1, rows = 1, next = 0 } = turn ?? {};
    return { requests: Math.max(1, requests), rows, next };
  };
  const { requests, rows } = await sent(unmeasured, UNBOUNDED);
  const row = await sent(unmeasured, 1);
  const kind = { ...unmeasured, requests, rows, alone: row.rows === 1 ? row.requests : requests / rows };
  const first = await sent(kind, PER_TURN);
  const measured = { kind, from: 0, requests: first.requests, finds: new Set<string>() };
  if (first.next === 0) return [measured];
  const rest = await sent({ ...kind, from: first.next }, UNBOUNDED);
  return [measured, { kind, from: first.next, requests: rest.requests, finds: new Set() }];
}

/**
 * First turns and rests in the order that finds the most with the fewest requests, each rest after its first turn. First turns that find
 * nothing new come last, the cheapest first; rests that find nothing new are left out. What near misses of the key find does not count as
 * found: few targets allow them.
 */
function inOrder(parts: readonly Measured[]): readonly Measured[] {
  const found = new Set<string>();
  const left = new Set(parts);
  const ordered: Measured[] = [];
  const worth = ({ finds, requests }: Measured): number => finds.difference(found).size / requests;
  const isNext = ({ kind, from }: Measured): boolean => from === 0 || ordered.some((part) => part.kind === kind);
  while (left.size > 0) {
    const best = [...left]
      .filter(isNext)
      .reduce((one, other) => ((worth(other) - worth(one) || one.requests - other.requests) > 0 ? other : one));
    left.delete(best);
    if (best.from > 0 && worth(best) === 0) continue;
    ordered.push(best);
    if (!best.kind.nearMiss) for (const fault of best.finds) found.add(fault);
  }
  return ordered;
}

/** A line of the order: the requests of a single row are listed if they are more than its share of the whole. */
function lineOf({ kind: { check, requests, rows, alone = 0 } }: Measured): string {
  const numbers = alone > Math.ceil(requests / rows) ? [requests, rows, alone] : [requests, rows];
  return `  ['${check.id}', ${numbers.join(', ')}],\n`;
}

/** Writes src/probe/rotation/first-round.ts. */
async function writeFirstRound({ every }: Options): Promise<void> {
  const measured: Measured[] = [];
  for (const kind of turning(clauses)) measured.push(...(await measureKind(kind)));
  const parts = [
    { perTurn: PER_TURN, some: measured.filter(({ from }) => from === 0) },
    { perTurn: UNBOUNDED, some: measured.filter(({ from }) => from > 0) },
  ];
  for (const { name } of oneOfEach(faults, every)) {
    const { server, session } = settingOf([name]);
    if ((await firstFailingRun(server, session.now, BASE_ONLY)) !== undefined) continue;
    for (const { perTurn, some } of parts) {
      const kinds = some.map(({ kind, from }) => ({ ...kind, from }));
      for (const { check, failure } of await take([name], kinds, perTurn))
        if (failure !== undefined && binding.has(failure.clause)) some.find(({ kind }) => kind.check.id === check)?.finds.add(name);
    }
  }
  writeFileSync(FIRST_ROUND, `${HEAD}${inOrder(measured).map(lineOf).join('')}];\n`);
}

const program = new Command('npm run bench:rotation --')
  .description('What a monitor finds in its first runs on a target, and whether it fails conforming servers.')
  .option('--runs <count>', 'scheduled runs on each server', wholeNumber, 10)
  .option('--budget <requests>', 'requests a run beyond those of every run', wholeNumber, BUDGET)
  .option('--every <count>', 'judge one of so many servers, by name', wholeNumber, 1)
  .option('--near-misses', 'send credentials that are nearly the key, too, as targets with nearMisses: true', false)
  .option('--variants', 'judge conforming servers instead of faults', false)
  .option('--plan', 'write the order of first turns that finds most with the fewest requests', false)
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .action((options: Options & { readonly variants: boolean; readonly plan: boolean }) => {
    if (options.plan) return writeFirstRound(options);
    return options.variants ? measureVariants(options) : measureFaults(options);
  });
await program.parseAsync();
