// `npm run prove:rows -- compare STAGE...`: what the frozen measure asked of the core before, asked of the rows.

import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { holdouts } from '../../../corpora/holdouts/corpora.ts';
import { startHoldout } from '../../../corpora/holdouts/holdout.ts';
import { faults } from '../../../src/reference/faults/index.ts';
import { startReference } from '../../../src/reference/server.ts';
import { variants } from '../../../src/reference/variants/index.ts';
import type { SessionOptions } from '../../../src/session/session.ts';
import { drawSets } from '../combinations.ts';
import { READINGS, type StageName } from '../frozen/readings.ts';
import { type Line, readFrozen } from '../frozen/results.ts';
import { SEED } from '../frozen/stages.ts';
import { breakParts, defectCalled } from '../grid/defects.ts';
import { KEY, startParts } from '../judge-reference.ts';
import { isRight } from '../prove-holdouts.ts';
import { CONFORMING_TIMEOUT, FAULT_WINDOW, settingOf } from '../result.ts';
import { newStore } from '../used-store.ts';
import { judgeByRows, type RowsShown } from './judge-server.ts';

type Shown = Readonly<Record<string, unknown>>;

const nameIn = (task: string): string => task.slice(task.indexOf(' ') + 1);
const wordIn = (task: string): string => task.slice(0, task.indexOf(' '));
const SETS = 150;

const onFaults = (names: readonly string[], changes: Partial<SessionOptions> = {}): Promise<RowsShown> => {
  const { server, session } = settingOf(names);
  return judgeByRows(() => startReference({ ...server, apiKey: KEY }), { ...session, ...changes });
};

function onVariant(name: string, changes: Partial<SessionOptions> = {}): Promise<RowsShown> {
  const now = variants.find((one) => one.name === name)?.now;
  const clock = now === undefined ? {} : { now: now() };
  return judgeByRows(() => startReference({ variants: [name], apiKey: KEY }), { timeout: CONFORMING_TIMEOUT, ...clock, ...changes });
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
  const shown = await onFaults(set ?? []);
  const asked = [...(line['found'] as readonly string[]), ...(line['missed'] as readonly string[])];
  const clauseOf = (fault: string): string => faults.find(({ name }) => name === fault)?.clause ?? '';
  const isFound = (fault: string): boolean => [...shown.red, ...shown.advised].includes(clauseOf(fault));
  const before = line['consequences'] as readonly string[];
  return {
    ...shown,
    found: asked.filter(isFound),
    missed: asked.filter((fault) => !isFound(fault)),
    excluded: line['excluded'],
    consequences: before,
  };
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
  registry: ({ task }) => (wordIn(task) === 'fault' ? onFaults([nameIn(task)]) : onVariant(nameIn(task))),
  variants: ({ task }) => onVariant(nameIn(task), { seed: SEED + Number(wordIn(task).split(':')[1]) }),
  holdouts: ({ task }) => onHoldout(nameIn(task)),
  combinations: onSet,
  grid: ({ task }) => onDefect(task),
  pairs: ({ task }) => onDefect(task),
  stores: ({ task }) => onStore(Number(task)),
};

/** Every Nth task. */
const [out = 'reports/rows', step = '1', workers = '2', ...names] = process.argv.slice(2);
mkdirSync(out, { recursive: true });
for (const name of names as StageName[]) {
  const judge = STAGES[name];
  const frozen = readFrozen(name);
  if (judge === undefined || frozen === undefined) {
    console.log(`${name}: nothing to compare`);
    continue;
  }
  const file = join(out, `${name}.jsonl`);
  const done = existsSync(file)
    ? readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Line)
    : [];
  if (done.length === 0) writeFileSync(file, '');
  const queue = frozen.lines.filter(
    (line, index) => line.broke === undefined && index % Number(step) === 0 && !done.some(({ task }) => task === line.task),
  );
  const lines: Line[] = [...done];
  const work = async (): Promise<void> => {
    for (let line = queue.shift(); line !== undefined; line = queue.shift()) {
      const begin = performance.now();
      const { task } = line;
      const shown = await judge(line).catch((error: unknown): Shown => ({ broke: String(error) }));
      const now = { task, milliseconds: Math.round(performance.now() - begin), ...shown } as Line;
      lines.push(now);
      appendFileSync(file, `${JSON.stringify(now)}\n`);
      const [was, is] = [line, now].map((one) => READINGS[name].isGood?.(one));
      if (is === false || now.broke !== undefined) {
        const red = [...((now['red'] as string[] | undefined) ?? []), ...((now['advised'] as string[] | undefined) ?? [])].join(' ');
        console.log(
          `${was === false ? 'both' : 'GAP '} ${name} ${task}: ${now.broke ?? red} ${name === 'variants' || name === 'holdouts' ? JSON.stringify(now['notes']) : ''}`,
        );
      }
    }
  };
  await Promise.all(Array.from({ length: Number(workers) }, work));
  const tasks = new Set(lines.map(({ task }) => task));
  const [before, after] = [READINGS[name].figures(frozen.lines.filter(({ task }) => tasks.has(task))), READINGS[name].figures(lines)];
  console.log(`${name}: ${lines.length} of ${frozen.lines.length} tasks`);
  for (const [figure, value] of Object.entries(before))
    console.log(`  ${figure.padEnd(44)} ${String(value).padStart(9)} ${String(after[figure] ?? '-').padStart(9)}`);
}
