// What a run of rows says about when clauses are broken, of faults or of defects of the grid.

import { NARROWING_TITLE } from '../src/judge/run.ts';
import { WORDING } from '../suites/plan/narrowing.ts';
import { leave, readCommandLine } from '../test/support/command-line.ts';
import { faults } from './faults/index.ts';
import { breakParts, defectCalled, drawDefects } from './grid/defects.ts';
import { tellingOf } from './grid/figures.ts';
import { walk } from './grid/walk.ts';
import { startParts } from './judge-reference.ts';
import { registrySetting, runSuiteOn, type Setting } from './judge-server.ts';
import { CONFORMING_TIMEOUT, FAULT_WINDOW } from './result.ts';
import { numberOf } from './spread.ts';

const { values, words } = readCommandLine({
  usage: `Usage: node proof/conditions.ts [--grid] [--seed N] [--part N/OF] [--rows] COUNT|NAME...

Runs rows against faults, or against defects of the grid: those with that name, or so many that are drawn by the seed. Of each, the clauses
that are red, and when they are broken according to the run.

  --rows   also the row that fails and the nearest one that does not`,
  options: {
    grid: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    part: { type: 'string', default: '1/1' },
    rows: { type: 'boolean', default: false },
  },
  words: faults.length,
});
if (words.length === 0) leave('a number or a name is needed; --help shows the usage');
const [word = ''] = words;
const count = /^\d+$/.test(word) ? Number(word) : undefined;
const [part = 1, of = 1] = values.part.split('/').map(Number);

async function tell({ start, session }: Setting, own: string | undefined, label: string): Promise<void> {
  const { verdicts, conditions, phases, requests } = await runSuiteOn(start, session, { wording: WORDING });
  const red = verdicts.filter(({ verdict }) => verdict === 'fail');
  const asked = phases.find(({ title }) => title === NARROWING_TITLE)?.requests ?? 0;
  const texts = conditions.filter(({ by }) => by !== 'silence').map(({ condition }) => condition.replace(/^Only/, 'only'));
  const telling =
    own === undefined ? tellingOf(label, red.length === 0 ? [] : texts.filter((text) => !/^(?:each time|in the plainest)/.test(text))) : '';
  console.log(JSON.stringify({ label, own, telling: red.length === 0 ? 'missed' : telling, asked, requests }));
  for (const { clause, note } of red) {
    const condition = conditions.find((one) => one.clause === clause.id);
    console.log(`    ${clause.id}: ${note.slice(0, 150)}\n      -> ${condition?.by}: ${condition?.condition}`);
    if (values.rows) console.log(`      ${JSON.stringify(condition?.failing)} / ${JSON.stringify(condition?.right)}`);
  }
}

async function gridNames(): Promise<readonly string[]> {
  if (count === undefined) return words;
  const found: string[] = [];
  for (const defect of drawDefects(Number(values.seed))) {
    if (found.length >= count) break;
    if ((await walk(defect, { seedAnimals: defect.seedAnimals })) >= 4) found.push(defect.name);
  }
  return found;
}

const faultNames = (): readonly string[] =>
  count === undefined
    ? words
    : faults
        .map(({ name }) => name)
        .toSorted((one, other) => numberOf(`${values.seed} ${one}`) - numberOf(`${values.seed} ${other}`))
        .slice(0, count);

function gridSetting(name: string): Setting {
  const defect = defectCalled(name);
  const { parts } = breakParts(defect, { clock: { now: () => Date.now() } });
  return {
    start: () => startParts(parts, { seedAnimals: defect.seedAnimals }),
    session: { timeout: CONFORMING_TIMEOUT, consistencyWindow: FAULT_WINDOW },
  };
}

const chosen = values.grid ? await gridNames() : faultNames();
for (const name of chosen.filter((_name, index) => index % of === part - 1)) {
  if (values.grid) await tell(gridSetting(name), undefined, name);
  else await tell(registrySetting({ kind: 'fault', name }), faults.find((one) => one.name === name)?.clause ?? '', name);
}
