// What the lines of a stage come to: figures, and for single tasks whether they are as they should be.

import { faults } from '../../../src/reference/faults/index.ts';
import { percentile } from '../tables.ts';
import type { PROGRAMS } from './programs.ts';
import type { Line } from './results.ts';
import type { STAGES } from './stages.ts';

export type StageName = keyof typeof STAGES | keyof typeof PROGRAMS;
export type Figures = Readonly<Record<string, number>>;

type Reading = {
  /** Whether the task is as it should be: its fault is found, its variant green. Undefined where that is no question. */
  readonly isGood?: (line: Line) => boolean | undefined;
  readonly figures: (lines: readonly Line[]) => Figures;
};

const CLAUSES = new Map<string, string>(faults.map(({ name, clause }) => [name, clause]));

const first = (task: string): string => task.split(' ')[0] ?? '';
const nameIn = (task: string): string => task.slice(task.indexOf(' ') + 1);
const clauseIn = (task: string): string => CLAUSES.get(nameIn(task)) ?? '';

/** A member of a line that is a list of texts; empty without it. */
function texts(line: Line, member: string): readonly string[] {
  const value = line[member];
  return Array.isArray(value) ? value.map(String) : [];
}

const number = (line: Line, member: string): number => Number(line[member] ?? 0);
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
const rounded = (value: number): number => Math.round(1_000 * value) / 1_000;
const median = (lines: readonly Line[], member: string): number =>
  percentile(
    lines.map((line) => number(line, member)),
    0.5,
  );

const redOf = (line: Line): readonly string[] => [...texts(line, 'red'), ...texts(line, 'advised')];
const isGreen = (line: Line): boolean => texts(line, 'red').length === 0;
const isFound = (line: Line): boolean => texts(line, 'red').length > 0;

/** How many of the lines are good, and of how many, by a word. */
function counted(lines: readonly Line[], wordOf: (line: Line) => string, isGood: (line: Line) => boolean | undefined): Figures {
  const byWord = Map.groupBy(lines, wordOf);
  return Object.fromEntries(
    [...byWord].flatMap(([word, all]) => [
      [word, all.filter(isGood).length],
      [`${word}, of`, all.length],
    ]),
  );
}

const isNamed = (line: Line): boolean => [...redOf(line), ...texts(line, 'alone')].includes(clauseIn(line.task));
const isVariant = ({ task }: Line): boolean => first(task) === 'variant';

const registry: Reading = {
  isGood: (line) => (isVariant(line) ? isGreen(line) && number(line, 'exitCode') === 0 : isNamed(line)),
  figures: (lines) => {
    const broken = lines.filter((line) => !isVariant(line));
    const conforming = lines.filter(isVariant);
    const others = sum(broken.map((line) => texts(line, 'red').filter((clause) => clause !== clauseIn(line.task)).length));
    return {
      'faults named': broken.filter(isNamed).length,
      'faults named, of': broken.length,
      'faults named by the clause alone only': broken.filter((line) => isNamed(line) && !redOf(line).includes(clauseIn(line.task))).length,
      'other red clauses a fault': rounded(others / Math.max(1, broken.length)),
      'undecided parts a fault, mean': rounded(sum(broken.map((line) => number(line, 'undecided'))) / Math.max(1, broken.length)),
      'reports that say when, of faults': broken.filter((line) => line['when'] !== '').length,
      'variants green': conforming.filter(isGreen).length,
      'variants green, of': conforming.length,
      'requests to a variant, median': median(conforming, 'requests'),
      'animals in a variant, median': median(conforming, 'created'),
    };
  },
};

const drawn: Reading = {
  isGood: isFound,
  figures: (lines) => {
    const told = Map.groupBy(lines.filter(isFound), (line) => String(line['telling']));
    return {
      ...counted(lines, () => 'found', isFound),
      ...counted(lines, ({ task }) => `found, ${task.split(':')[0]}`, isFound),
      ...Object.fromEntries([...told].map(([telling, { length }]) => [`reports ${telling}`, length])),
    };
  },
};

const chosen: Reading = {
  isGood: (line) => (line['run'] === undefined ? redOf(line).includes(clauseIn(line.task)) : number(line, 'run') > 0),
  figures: (lines) => {
    // With few creations, any binding clause finds the fault as well.
    const isSeen = (line: Line): boolean => (line['run'] === undefined ? isFound(line) : number(line, 'run') > 0);
    return {
      ...counted(lines, ({ task }) => `found, ${first(task)}`, isSeen),
      ...counted(
        lines.filter((line) => line['run'] === undefined),
        ({ task }) => `named, ${first(task)}`,
        (line) => chosen.isGood?.(line),
      ),
    };
  },
};

/** The cells of a table from its first result on, as numbers: red clauses are counted. The cells before them name the row. */
function cells({ task, columns, rows }: Line): Figures {
  const names = columns as readonly string[];
  const from = names.findIndex((name) => name === 'exit' || name === 'runs');
  return Object.fromEntries(
    (rows as readonly (readonly (string | number)[])[]).flatMap((row) =>
      row.slice(from).map((value, index) => {
        const count = value === 'none' ? 0 : String(value).split(', ').length;
        return [`${[task, ...row.slice(0, from)].join(', ')}: ${names[from + index]}`, typeof value === 'number' ? value : count];
      }),
    ),
  );
}

const SPREADS = ['requests', 'firstRequest', 'whole', 'loop', 'cpuMilliseconds', 'peakMegabytes'] as const;

function costs(line: Line): Figures {
  const medianOf = (member: string): number => rounded((line[member] as { readonly median: number }).median);
  const byThread = (line['byThread'] as readonly number[] | undefined) ?? [];
  return Object.fromEntries([
    ...SPREADS.map((member) => [`${line.task}: ${member}`, medianOf(member)] as const),
    ...byThread.map((busy, index) => [`${line.task}: busy ms of thread ${index + 1}`, busy] as const),
  ]);
}

export const READINGS: Readonly<Record<StageName, Reading>> = {
  registry,
  behavior: { figures: (lines) => ({ variants: lines.length }) },
  holdouts: {
    isGood: (line) => line['right'] === true,
    figures: (lines) =>
      counted(
        lines,
        (line) => (line['kind'] === 'fault' ? 'faults found' : 'variants green'),
        (line) => line['right'] === true,
      ),
  },
  combinations: {
    isGood: (line) => texts(line, 'missed').length === 0,
    figures: (lines) => {
      const bySize = Map.groupBy(lines, ({ task }) => first(task));
      const found = (all: readonly Line[]): number => sum(all.map((line) => texts(line, 'found').length));
      const missed = (all: readonly Line[]): number => sum(all.map((line) => texts(line, 'missed').length));
      const red = sum(lines.map((line) => number(line, 'red')));
      return {
        ...Object.fromEntries(
          [...bySize].map(([size, all]) => [
            `recall of ${size}, percent`,
            rounded((100 * found(all)) / Math.max(1, found(all) + missed(all))),
          ]),
        ),
        'consequences, percent': rounded((100 * sum(lines.map((line) => texts(line, 'consequences').length))) / Math.max(1, red)),
      };
    },
  },
  grid: drawn,
  pairs: drawn,
  variants: { isGood: isGreen, figures: (lines) => counted(lines, ({ task }) => `green, ${first(task)}`, isGreen) },
  only: {
    isGood: (line) => (first(line.task) === 'fault' ? line['red'] === true : undefined),
    figures: (lines) => {
      const clauses = lines.filter(({ task }) => first(task) === 'clause');
      return {
        'requests of a clause, median': median(clauses, 'requests'),
        'requests of all clauses': sum(clauses.map((line) => number(line, 'requests'))),
        'animals of all clauses': sum(clauses.map((line) => number(line, 'created'))),
        ...counted(
          lines.filter(({ task }) => first(task) === 'fault'),
          () => 'faults found alone',
          (line) => line['red'] === true,
        ),
      };
    },
  },
  choices: chosen,
  turns: chosen,
  hostile: {
    isGood: (line) => texts(line, 'complaints').length === 0,
    figures: (lines) =>
      counted(
        lines,
        () => 'withstood',
        (line) => READINGS.hostile.isGood?.(line),
      ),
  },
  unusual: {
    isGood: (line) => line['right'] === true || (line['passed'] === 0 && number(line, 'failed') > 0),
    figures: (lines) =>
      counted(
        lines,
        ({ task }) => first(task),
        (line) => READINGS.unusual.isGood?.(line),
      ),
  },
  stores: {
    figures: (lines) =>
      Object.fromEntries(
        lines.flatMap(({ task, runs }) =>
          (runs as readonly Readonly<Record<string, number>>[]).flatMap(({ requests = 0, created = 0 }, index) => [
            [`${task} animals, run ${index + 1}: requests`, requests],
            [`${task} animals, run ${index + 1}: creations`, created],
          ]),
        ),
      ),
  },
  'third-party': { figures: (lines) => ({ servers: lines.length, 'red clauses': sum(lines.map((line) => texts(line, 'red').length)) }) },
  weather: { figures: (lines) => Object.assign({}, ...lines.map(cells)) as Figures },
  cost: { figures: (lines) => Object.assign({}, ...lines.map(costs)) as Figures },
  tests: {
    isGood: (line) => texts(line, 'failed').length === 0,
    figures: (lines) => ({
      passed: sum(lines.map((line) => number(line, 'passed'))),
      failed: sum(lines.map((line) => texts(line, 'failed').length)),
    }),
  },
  price: {
    figures: ([line]) =>
      line === undefined
        ? {}
        : Object.fromEntries(
            Object.entries(line).flatMap(([room, price]) =>
              typeof price === 'object' && price !== null && 'tokens' in price && 'lines' in price
                ? [
                    [`${room}: tokens`, Number(price.tokens)],
                    [`${room}: lines`, Number(price.lines)],
                  ]
                : [],
            ),
          ),
  },
};
