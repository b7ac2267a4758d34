// `npm run prove:frozen`: measures all that a new core is compared by, freezes it, and compares.
import { enableCompileCache } from 'node:module';
import { availableParallelism } from 'node:os';
import { machine } from '../../../bench/measure.ts';
import { leave, readCommandLine, wholeNumber } from '../../support/command-line.ts';
import { createPool } from '../pool.ts';
import { numberOf } from '../spread.ts';
import { compareStages, figuresOf } from './compare.ts';
import { PROGRAMS } from './programs.ts';
import { READINGS, type StageName } from './readings.ts';
import { append, begin, coreHash, freeze, frozenHash, type Head, type Line, readRunning } from './results.ts';
import { SEED, type Shown, STAGES, type Stage } from './stages.ts';

const NAMES = Object.keys(READINGS) as readonly StageName[];
const ALL: Readonly<Record<StageName, Stage>> = { ...STAGES, ...PROGRAMS };
const MINUTE = 60_000;

const USAGE = `Usage: npm run prove:frozen -- [STAGE...] [options]

Measures what a new core is compared by (all stages without a name), in reports/frozen: a line for each task. A task that is done is not
repeated, so an interrupted measuring goes on where it was; results of another core are not added to.

${NAMES.map((name) => `  ${name.padEnd(13)} ${ALL[name].about}`).join('\n')}

  --of N         every Nth task only, the same ones each time
  --minutes N    after so many minutes in a stage, no further task begins (each stage has its own)
  --fresh        forget what the stages have shown before
  --list         the stages, and how much of each is done
  --compare      what is frozen against what is measured now
  --freeze       keep what is measured now in test/prove/frozen/data; prints the hash that frozen.test.ts holds`;

const { values, words } = readCommandLine({
  usage: USAGE,
  options: {
    of: { type: 'string' },
    minutes: { type: 'string' },
    fresh: { type: 'boolean' },
    list: { type: 'boolean' },
    compare: { type: 'boolean' },
    freeze: { type: 'boolean' },
  },
  words: NAMES.length,
});
const stages =
  words.length === 0
    ? NAMES
    : words.map((word) => NAMES.find((name) => name === word) ?? leave(`no stage is called "${word}"; --help lists them`));

/** Loading the suite takes as long as judging a server. */
enableCompileCache();

const isProgram = (stage: StageName): stage is keyof typeof PROGRAMS => stage in PROGRAMS;

/** The tasks of a stage of which every Nth is measured. */
async function tasksOf(stage: StageName): Promise<{ readonly all: number; readonly of: number; readonly tasks: readonly string[] }> {
  const { tasks, of: usual = 1 } = ALL[stage];
  const of = values.of === undefined ? usual : wholeNumber(values.of, '--of');
  const all = await tasks();
  return { all: all.length, of, tasks: all.filter((task) => of === 1 || numberOf(`${stage} ${task}`) % of === 0) };
}

function headOf(stage: StageName, core: string, { all, of }: { readonly all: number; readonly of: number }): Head {
  const { commit, load, cores } = machine();
  return { stage, core, commit, at: new Date().toISOString(), load, cores, node: process.versions.node, seed: SEED, tasks: all, of };
}

/** Measures tasks, several at a time, until the time is over; returns how many were left. */
async function measureAll(stage: StageName, tasks: readonly string[]): Promise<number> {
  const queue = [...tasks];
  const minutes = values.minutes === undefined ? ALL[stage].minutes : wholeNumber(values.minutes, '--minutes');
  const end = performance.now() + minutes * MINUTE;
  const pool = createPool(isProgram(stage) ? 1 : Number.POSITIVE_INFINITY);
  const measure = (task: string): Promise<Shown> =>
    isProgram(stage) ? PROGRAMS[stage].measure(task) : pool.ask({ kind: 'frozen', stage, task });
  async function work(): Promise<void> {
    for (let task = queue.shift(); task !== undefined; task = queue.shift()) {
      if (performance.now() > end) {
        queue.unshift(task);
        return;
      }
      const begun = performance.now();
      const shown = await measure(task).catch((error: unknown) => ({ broke: error instanceof Error ? error.message : String(error) }));
      const line: Line = { task, milliseconds: Math.round(performance.now() - begun), ...shown };
      append(stage, line);
      if (line.broke !== undefined) console.log(`BROKE ${stage} ${task}: ${line.broke.slice(0, 300)}`);
    }
  }
  try {
    // As many as the pool has places for.
    await Promise.all(Array.from({ length: isProgram(stage) ? 1 : 3 * availableParallelism() }, work));
  } finally {
    await pool.close();
  }
  return queue.length;
}

const isDone = ({ broke }: Line): boolean => broke === undefined;

async function measureStage(stage: StageName, core: string): Promise<boolean> {
  const chosen = await tasksOf(stage);
  const before = values.fresh === true ? undefined : readRunning(stage);
  if (before !== undefined && before.head.core !== core)
    return leave(`${stage} was measured of another core (commit ${before.head.commit}); --fresh measures it anew`);
  if (before === undefined) begin(headOf(stage, core, chosen));
  const done = new Set(before?.lines.filter(isDone).map(({ task }) => task));
  const missing = chosen.tasks.filter((task) => !done.has(task));
  const begun = performance.now();
  const left = missing.length === 0 ? 0 : await measureAll(stage, missing);
  const minutes = ((performance.now() - begun) / MINUTE).toFixed(1);
  const broken = readRunning(stage)?.lines.filter((line) => !isDone(line)).length ?? 0;
  const rest = [...(left === 0 ? [] : [`${left} left`]), ...(broken === 0 ? [] : [`${broken} broke`])];
  console.log(
    `${stage}: ${missing.length - left} of ${chosen.tasks.length} measured in ${minutes} min${rest.length === 0 ? '' : `, ${rest.join(', ')}: again with npm run prove:frozen -- ${stage}`}`,
  );
  for (const [name, figure] of Object.entries(figuresOf(stage, readRunning(stage)))) console.log(`  ${name}: ${figure}`);
  return left === 0 && broken === 0;
}

async function list(): Promise<void> {
  const core = coreHash();
  for (const stage of stages) {
    const { tasks, of } = await tasksOf(stage);
    const running = readRunning(stage);
    const done = new Set(running?.lines.filter(isDone).map(({ task }) => task));
    const whose =
      running === undefined ? '' : running.head.core === core ? ' of this core' : ` of the core at commit ${running.head.commit}`;
    console.log(
      `${stage.padEnd(13)} ${String(tasks.filter((task) => done.has(task)).length).padStart(5)} of ${String(tasks.length).padStart(5)} done${whose}${of === 1 ? '' : `, every ${of}th`}`,
    );
  }
}

function freezeAll(): void {
  const running = stages.flatMap((stage) => readRunning(stage) ?? []);
  const figures = running.map((one) => [
    one.head.stage,
    { ...one.head, measured: one.lines.length, figures: figuresOf(one.head.stage as StageName, one) },
  ]);
  freeze(running, Object.fromEntries(figures));
  console.log(`${running.length} of ${stages.length} stages are frozen; frozen.test.ts holds ${frozenHash()}`);
}

if (values.list === true) await list();
else if (values.compare === true) compareStages(stages);
else if (values.freeze === true) freezeAll();
else {
  const core = coreHash();
  let isWhole = true;
  for (const stage of stages) isWhole = (await measureStage(stage, core)) && isWhole;
  process.exitCode = isWhole ? 0 : 1;
}
