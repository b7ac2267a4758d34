import { type Figures, READINGS, type StageName } from './readings.ts';
import { type Line, type Measured, readFrozen, readRunning } from './results.ts';

const MOST_NAMED = 40;
/** What differs between two measurings of the same core. */
const OF_THE_MOMENT = new Set(['milliseconds', 'requests', 'requestsUntilFound', 'applied', 'when', 'created', 'peak']);

const linesOf = (measured: Measured | undefined): readonly Line[] => measured?.lines.filter(({ broke }) => broke === undefined) ?? [];

/** The figures of a stage; none without results. */
export function figuresOf(stage: StageName, measured: Measured | undefined): Figures {
  const lines = linesOf(measured);
  return lines.length === 0 ? {} : READINGS[stage].figures(lines);
}

const textOf = (line: Line): string => JSON.stringify(Object.entries(line).filter(([member]) => !OF_THE_MOMENT.has(member)));

/** Tasks that both have, and of which they say something else: `lost` and `won` are as they should be in one of them only. */
export type Difference = { readonly lost: readonly string[]; readonly won: readonly string[]; readonly other: readonly string[] };

export function differenceOf(stage: StageName, frozen: readonly Line[], now: readonly Line[]): Difference {
  const { isGood } = READINGS[stage];
  const before = new Map(frozen.map((line) => [line.task, line]));
  const both = now.flatMap((after) => {
    const line = before.get(after.task);
    return line === undefined ? [] : [{ task: after.task, line, after }];
  });
  const goodIn = (line: Line): boolean => isGood?.(line) !== false;
  const tasks = (wanted: (one: (typeof both)[number]) => boolean): readonly string[] => both.filter(wanted).map(({ task }) => task);
  return {
    lost: tasks(({ line, after }) => goodIn(line) && !goodIn(after)),
    won: tasks(({ line, after }) => !goodIn(line) && goodIn(after)),
    other: tasks(({ line, after }) => goodIn(line) === goodIn(after) && textOf(line) !== textOf(after)),
  };
}

function showTasks(label: string, tasks: readonly string[]): void {
  if (tasks.length === 0) return;
  const more = tasks.length > MOST_NAMED ? ` and ${tasks.length - MOST_NAMED} more` : '';
  console.log(`  ${label}, ${tasks.length}: ${tasks.slice(0, MOST_NAMED).join('; ')}${more}`);
}

function compare(stage: StageName, frozen: Measured | undefined, now: Measured | undefined): void {
  const whose = (measured: Measured | undefined): string =>
    measured === undefined ? 'none' : `commit ${measured.head.commit}, ${measured.head.at.slice(0, 10)}, load ${measured.head.load}`;
  console.log(`\n${stage}: frozen ${whose(frozen)}; now ${whose(now)}`);
  const [before, after] = [figuresOf(stage, frozen), figuresOf(stage, now)];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const width = Math.max(0, ...names.map((name) => name.length));
  const cell = (figures: Figures, name: string): string => String(figures[name] ?? '-').padStart(10);
  for (const name of names) console.log(`  ${name.padEnd(width)} ${cell(before, name)} ${cell(after, name)}`);
  if (frozen === undefined || now === undefined) return;
  const { lost, won, other } = differenceOf(stage, linesOf(frozen), linesOf(now));
  showTasks('lost', lost);
  showTasks('won', won);
  showTasks('with another result', other);
}

/** Prints the frozen figures next to those measured now, and the tasks that differ. */
export function compareStages(stages: readonly StageName[]): void {
  for (const stage of stages) compare(stage, readFrozen(stage), readRunning(stage));
}
