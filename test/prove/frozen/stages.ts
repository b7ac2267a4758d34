// What the measure consists of: stages, each of tasks that do not depend on each other, with one line of results each.

import { hash } from 'node:crypto';
import { firstFailingRun } from '../../../bench/scheduled-runs.ts';
import { holdouts } from '../../../corpora/holdouts/corpora.ts';
import { expectationOf, servers } from '../../../corpora/third-party/expectations.ts';
import { faults } from '../../../src/reference/faults/index.ts';
import { variants } from '../../../src/reference/variants/index.ts';
import { behaviorOf } from '../../../src/report/behavior.ts';
import type { Depth, SessionOptions } from '../../../src/session/session.ts';
import { clauses } from '../../../suites/index.ts';
import { judgeNonsense, NONSENSE } from '../../hostile/nonsense.ts';
import { drawSets, judgeCombination, type Known } from '../combinations.ts';
import { readGolden } from '../golden-file.ts';
import { judgeDefect } from '../grid/defects.ts';
import { tellingOf } from '../grid/figures.ts';
import { firstCounted } from '../grid/prove-grid.ts';
import { judgeReference, recordOfRun } from '../judge-reference.ts';
import { createPool } from '../pool.ts';
import { isRight } from '../prove-holdouts.ts';
import { readHistory } from '../recorded/history-file.ts';
import { judgeReadRun, recordSubject } from '../recorded/judge-recorded.ts';
import { judgeOnly, judgeSubject, type RecordedSubject, resultOf, settingOf } from '../result.ts';
import { isJudgedRightly, judgeUsedStore, newStore, storingFaults } from '../used-store.ts';

/** What a task has shown: names of clauses, figures, texts. */
export type Shown = Readonly<Record<string, unknown>>;

export type Stage = {
  readonly about: string;
  /** Minutes after which no further task begins. */
  readonly minutes: number;
  /** Every so manieth task is measured, chosen by its name; all without it. */
  readonly of?: number;
  /** Names of tasks; the first word says what is done, if there are several things. */
  readonly tasks: () => readonly string[] | Promise<readonly string[]>;
  readonly measure: (task: string) => Promise<Shown>;
};

/** Whatever is drawn is drawn by it, and standard runs have their usual seed. */
export const SEED = 20_261_128;
/** Histories of the registry and of hold-outs: of no use in git, for their size. */
export const HISTORIES = 'reports/histories';
const SETS = 150;
const SIZES = [2, 4, 8] as const;
const DEFECTS = 200;
const FAULTS = faults.map(({ name }) => name);
const VARIANTS = variants.map(({ name }) => name);

/** `what name with spaces` */
function wordsOf(task: string): readonly [what: string, name: string] {
  const at = task.indexOf(' ');
  return [task.slice(0, at), task.slice(at + 1)];
}

function subjectOf(task: string): RecordedSubject {
  const [kind, name] = wordsOf(task);
  if (kind === 'fault' || kind === 'variant' || kind === 'holdout') return { kind, name };
  throw new Error(`frozen: ${task} names no server`);
}

async function record(task: string): Promise<Shown> {
  const { red, advised, failAlone, when, exitCode, requests, created, requestsUntilFound, parts } = await recordSubject(
    HISTORIES,
    subjectOf(task),
  );
  const undecided = Object.values(parts).filter(({ verdict }) => verdict === 'inconclusive').length;
  const alone = [...new Set(failAlone.map((id) => id.split('/')[0]))];
  return { red, advised, alone, when, exitCode, requests, created, requestsUntilFound, undecided };
}

async function recordHoldout(task: string): Promise<Shown> {
  const { red, advised, requests } = await recordSubject(HISTORIES, subjectOf(task));
  const holdout = holdouts.find(({ name }) => task === `holdout ${name}`);
  if (holdout === undefined) throw new Error(`frozen: there is no ${task}`);
  return { kind: holdout.kind, right: isRight(holdout, { red, advised }), red, advised, requests };
}

/** The content of `behavior.json` for a recorded variant, without times. */
async function behavior(task: string): Promise<Shown> {
  const [whole] = readHistory(HISTORIES, subjectOf(task)).runs;
  if (whole === undefined) throw new Error(`frozen: no run of ${task} was recorded`);
  const { run: _run, ...told } = behaviorOf(recordOfRun(judgeReadRun(whole, clauses)));
  return { hash: hash('sha256', JSON.stringify(told)), behavior: told };
}

/** What each fault breaks alone: the stage of the registry has it anew. */
function knownAlone(names: readonly string[]): ReadonlyMap<string, Known> {
  const { broken } = readGolden();
  const clauseOf = new Map<string, string>(faults.map(({ name, clause }) => [name, clause]));
  return new Map(names.map((name) => [name, { clause: clauseOf.get(name) ?? '', broken: broken.get(name) ?? [] }]));
}

async function combination(task: string): Promise<Shown> {
  const [size, index] = wordsOf(task).map(Number);
  const set = drawSets(FAULTS, { size: size ?? 0, sets: SETS, seed: SEED })[index ?? 0] ?? [];
  const { found, missed, excluded, consequences, red } = await judgeCombination(createPool(1), set, knownAlone(set));
  return { found, missed: missed.map(({ fault }) => fault), excluded, consequences, red };
}

async function defect(name: string): Promise<Shown> {
  const { red, when, applied, requests } = await judgeDefect(name);
  return { red, when, telling: red.length === 0 ? 'missed' : tellingOf(name, Object.values(when)), applied, requests };
}

async function variantAt(task: string): Promise<Shown> {
  const [depth, name] = wordsOf(task);
  const [at, seed] = depth.split(':');
  const { red, exitCode, requests, created } = await judgeSubject(
    { kind: 'variant', name },
    { depth: at as Depth, seed: SEED + Number(seed) },
  );
  return { red, exitCode, requests, created };
}

async function only(task: string): Promise<Shown> {
  const [what, name] = wordsOf(task);
  if (what === 'clause') {
    const { requests, created } = await judgeOnly(name, []);
    return { requests, created };
  }
  const clause = faults.find((fault) => fault.name === name)?.clause ?? '';
  const { red } = await judgeOnly(clause, [name]);
  return { clause, red };
}

const CHOICES: Readonly<Record<string, Partial<SessionOptions>>> = {
  'read-only': { readOnly: true, intrusive: false },
  'max-creates-20': { maxCreates: 20 },
};
/** Runs of the probe: one, and those of a day, which end once all kinds have had their turns. */
const DAY = { runs: 288, budget: 20, nearMisses: true };
const ONCE = { runs: 1, budget: 0, nearMisses: false };

/** The first scheduled run that fails; 0 if none does. */
async function scheduled(name: string, runs: typeof DAY): Promise<Shown> {
  const { server, session } = settingOf([name]);
  return { run: (await firstFailingRun(server, session.now, runs)) ?? 0 };
}

async function choice(task: string): Promise<Shown> {
  const [what, name] = wordsOf(task);
  const { server, session } = settingOf([name]);
  const changes = CHOICES[what];
  if (changes === undefined) return scheduled(name, ONCE);
  const run = await judgeReference(server, { session: { ...session, ...changes }, explained: false });
  const { red, advised } = resultOf({ kind: 'fault', name }, run);
  return { red, advised, requests: run.requests, created: run.created };
}

async function unusual(task: string): Promise<Shown> {
  const [what, name] = wordsOf(task);
  if (what === 'used') {
    const used = await judgeUsedStore(name);
    return { right: isJudgedRightly(used), invalid: used.invalid, torn: used.torn, exitCode: used.repaired.exitCode };
  }
  const handler = NONSENSE.find(([title]) => title === name)?.[1];
  if (handler === undefined) throw new Error(`frozen: there is no nonsense ${name}`);
  const records = await judgeNonsense(handler);
  const count = (wanted: readonly string[]): number => records.filter(({ verdict }) => wanted.includes(verdict)).length;
  return { passed: count(['pass', 'observed']), failed: count(['fail']) };
}

/** Requests and animals, on stores of several sizes, and a second time on what the first run has left. */
async function counted(task: string): Promise<Shown> {
  const store = newStore(Number(task));
  const runs: Shown[] = [];
  for (const runTag of ['first', 'again']) {
    const { requests, created, records } = await judgeReference({ store }, { session: { timeout: 10_000, runTag }, explained: false });
    runs.push({ requests, created, failed: records.filter(({ verdict }) => verdict === 'fail').length });
  }
  return { runs };
}

const named = (what: string, names: readonly string[]): readonly string[] => names.map((name) => `${what} ${name}`);
const DEPTHS = ['quick:0', 'standard:1', 'standard:2', 'thorough:0'];

/** Stages whose tasks are measured several at a time. `programs.ts` has those that need the machine for themselves. */
export const STAGES = {
  registry: {
    about: 'red clauses of every fault and variant; their histories are recorded',
    minutes: 90,
    tasks: () => [...named('variant', VARIANTS), ...named('fault', FAULTS)],
    measure: record,
  },
  behavior: {
    about: 'behavior.json of every variant, from its history',
    minutes: 20,
    tasks: () => named('variant', VARIANTS),
    measure: behavior,
  },
  holdouts: {
    about: 'hold-outs; their histories are recorded',
    minutes: 150,
    tasks: () =>
      named(
        'holdout',
        holdouts.map(({ name }) => name),
      ),
    measure: recordHoldout,
  },
  combinations: {
    about: `servers with 2, 4, and 8 faults, ${SETS} of each`,
    minutes: 90,
    tasks: () => SIZES.flatMap((size) => Array.from({ length: SETS }, (_unused, index) => `${size} ${index}`)),
    measure: combination,
  },
  grid: {
    about: `${DEFECTS} defects of the grid`,
    minutes: 40,
    tasks: () => firstCounted({ seed: SEED, count: DEFECTS, pairs: false }),
    measure: defect,
  },
  pairs: {
    about: `${DEFECTS} defects that take two conditions at once`,
    minutes: 40,
    tasks: () => firstCounted({ seed: SEED, count: DEFECTS, pairs: true }),
    measure: defect,
  },
  variants: {
    about: 'variants at each depth, under other seeds',
    minutes: 90,
    tasks: () => DEPTHS.flatMap((depth) => named(depth, VARIANTS)),
    measure: variantAt,
  },
  only: {
    about: 'each clause under --only: requests and animals, and the faults that it finds alone',
    minutes: 60,
    tasks: () => [
      ...named(
        'clause',
        clauses.filter(({ level }) => level !== 'open').map(({ id }) => id),
      ),
      ...named('fault', FAULTS),
    ],
    measure: only,
  },
  choices: {
    about: 'faults found with --read-only, with --max-creates 20, and by a smoke run',
    minutes: 60,
    tasks: () => [...Object.keys(CHOICES), 'smoke'].flatMap((what) => named(what, FAULTS)),
    measure: choice,
  },
  turns: {
    about: 'faults found by a day of turns',
    minutes: 60,
    of: 4,
    tasks: () => named('turns', FAULTS),
    measure: (task) => scheduled(wordsOf(task)[1], DAY),
  },
  unusual: {
    about: 'nonsense, and stores that a faulty build has used',
    minutes: 60,
    tasks: () => [
      ...named(
        'nonsense',
        NONSENSE.map(([title]) => title),
      ),
      ...named('used', storingFaults),
    ],
    measure: unusual,
  },
  stores: {
    about: 'requests and animals on stores of several sizes, and a second time',
    minutes: 10,
    tasks: () => ['0', '7', '150'],
    measure: counted,
  },
  'third-party': {
    about: 'what the committed files say of third-party servers: none is installed',
    minutes: 1,
    tasks: () => servers,
    measure: async (server) => {
      const { red, causes, lines } = expectationOf(server);
      return { red, causes, lines };
    },
  },
} as const satisfies Readonly<Record<string, Stage>>;
