// What the frozen measure asked of the other core, asked of the rows.

import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { holdouts } from '../../../corpora/holdouts/corpora.ts';
import { startHoldout } from '../../../corpora/holdouts/holdout.ts';
import { faults } from '../../../src/reference/faults/index.ts';
import { startReference } from '../../../src/reference/server.ts';
import { leave, readCommandLine, wholeNumber } from '../../support/command-line.ts';
import { drawSets } from '../combinations.ts';
import { READINGS, type StageName } from '../frozen/readings.ts';
import { type Line, readFrozen } from '../frozen/results.ts';
import { SEED } from '../frozen/stages.ts';
import { breakParts, defectCalled } from '../grid/defects.ts';
import { KEY, startParts } from '../judge-reference.ts';
import { isRight } from '../prove-holdouts.ts';
import { CONFORMING_TIMEOUT, FAULT_WINDOW, type RegistrySubject } from '../result.ts';
import { newStore } from '../used-store.ts';
import { faultySetting, judgeByRows, type RowsShown, registrySetting } from './judge-server.ts';

type Shown = Readonly<Record<string, unknown>>;

const nameIn = (task: string): string => task.slice(task.indexOf(' ') + 1);
const wordIn = (task: string): string => task.slice(0, task.indexOf(' '));
const SETS = 150;

function onRegistry(subject: RegistrySubject, changes: { readonly seed?: number } = {}): Promise<RowsShown> {
  const { start, session } = registrySetting(subject);
  return judgeByRows(start, { ...session, ...changes });
}

async function onDefect(name: string): Promise<Shown> {
  const { kind, condition, effect, seedAnimals } = defectCalled(name);
  const { parts, applied } = breakParts({ kind, condition, effect }, { clock: { now: () => Date.now() } });
  const shown = await judgeByRows(() => startParts(parts, { seedAnimals }), {
    timeout: CONFORMING_TIMEOUT,
    consistencyWindow: FAULT_WINDOW,
  });
  return { ...shown, applied: applied() };
}

async function onHoldout(name: string): Promise<Shown> {
  const holdout = holdouts.find((one) => one.name === name);
  if (holdout === undefined) throw new Error(`there is no hold-out ${name}`);
  const window = holdout.kind === 'fault' ? { consistencyWindow: FAULT_WINDOW } : {};
  const shown = await judgeByRows(() => startHoldout(holdout), { timeout: CONFORMING_TIMEOUT, ...window });
  return { kind: holdout.kind, right: isRight(holdout, shown), ...shown };
}

/** Of the faults of a set that show on the server with all of them, which are found: those that the core before was asked for. */
async function onSet(line: Line): Promise<Shown> {
  const [size, index] = line.task.split(' ').map(Number);
  const set = drawSets(
    faults.map(({ name }) => name),
    { size: size ?? 0, sets: SETS, seed: SEED },
  )[index ?? 0];
  const { start, session } = faultySetting(set ?? []);
  const shown = await judgeByRows(start, session);
  const asked = [...(line['found'] as readonly string[]), ...(line['missed'] as readonly string[])];
  const clauseOf = (fault: string): string => faults.find(({ name }) => name === fault)?.clause ?? '';
  const isFound = (fault: string): boolean => [...shown.red, ...shown.advised].includes(clauseOf(fault));
  const { excluded, consequences } = line;
  return { ...shown, found: asked.filter(isFound), missed: asked.filter((fault) => !isFound(fault)), excluded, consequences };
}

async function onStore(animals: number): Promise<Shown> {
  const store = newStore(animals);
  const runs: Shown[] = [];
  for (const runTag of ['first', 'again']) {
    const { requests, created, red } = await judgeByRows(() => startReference({ store, apiKey: KEY }), {
      timeout: CONFORMING_TIMEOUT,
      runTag,
    });
    runs.push({ requests, created, failed: red.length });
  }
  return { runs };
}

const STAGES: Readonly<Partial<Record<StageName, (line: Line) => Promise<Shown>>>> = {
  registry: ({ task }) => onRegistry({ kind: wordIn(task) === 'fault' ? 'fault' : 'variant', name: nameIn(task) }),
  variants: ({ task }) => onRegistry({ kind: 'variant', name: nameIn(task) }, { seed: SEED + Number(wordIn(task).split(':')[1]) }),
  holdouts: ({ task }) => onHoldout(nameIn(task)),
  combinations: onSet,
  grid: ({ task }) => onDefect(task),
  pairs: ({ task }) => onDefect(task),
  stores: ({ task }) => onStore(Number(task)),
};

const { values, words: names } = readCommandLine({
  usage: `Usage: node test/prove/rows/compare.ts [--of N] [--at-once N] [--out FOLDER] STAGE...

Judges what the frozen measure has judged by rows, and prints the figures of both. FOLDER gets a line for each task; one that is done is not
repeated. Stages: ${Object.keys(STAGES).join(', ')}.`,
  options: {
    of: { type: 'string', default: '1' },
    'at-once': { type: 'string', default: '2' },
    out: { type: 'string', default: 'reports/rows' },
  },
  words: Object.keys(STAGES).length,
});
const of = wholeNumber(values.of, '--of');
const atOnce = wholeNumber(values['at-once'], '--at-once');

function readLines(file: string): readonly Line[] {
  if (!existsSync(file)) return [];
  const texts = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return texts.map((text) => JSON.parse(text) as Line);
}

async function compare(name: StageName): Promise<void> {
  const judge = STAGES[name];
  const frozen = readFrozen(name);
  if (judge === undefined || frozen === undefined) leave(`there is nothing to compare with "${name}"; --help lists the stages`);
  const { figures, isGood } = READINGS[name];
  const file = join(values.out, `${name}.jsonl`);
  const lines = [...readLines(file)];
  const done = new Set(lines.map(({ task }) => task));
  const queue = frozen.lines.filter(({ broke, task }, index) => broke === undefined && index % of === 0 && !done.has(task));
  async function work(): Promise<void> {
    for (let line = queue.shift(); line !== undefined; line = queue.shift()) {
      const begin = performance.now();
      const { task } = line;
      const shown = await judge?.(line).catch((error: unknown): Shown => ({ broke: String(error) }));
      const now = { task, milliseconds: Math.round(performance.now() - begin), ...shown } as Line;
      lines.push(now);
      appendFileSync(file, `${JSON.stringify(now)}\n`);
      if (isGood?.(now) !== false && now.broke === undefined) continue;
      const red = [now['red'] ?? [], now['advised'] ?? []].flat().join(' ');
      const notes = name === 'variants' || name === 'holdouts' ? JSON.stringify(now['notes']) : '';
      console.log(`${isGood?.(line) === false ? 'both' : 'GAP '} ${name} ${task}: ${now.broke ?? red} ${notes}`);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work));
  const tasks = new Set(lines.map(({ task }) => task));
  const [before, after] = [figures(frozen.lines.filter(({ task }) => tasks.has(task))), figures(lines)];
  console.log(`${name}: ${lines.length} of ${frozen.lines.length} tasks`);
  for (const [figure, value] of Object.entries(before))
    console.log(`  ${figure.padEnd(44)} ${String(value).padStart(9)} ${String(after[figure] ?? '-').padStart(9)}`);
}

mkdirSync(values.out, { recursive: true });
for (const name of names) await compare(name as StageName);
