// `node test/prove/rows/conditions.ts [--grid SEED] COUNT|NAME...`: what a run of rows says about when clauses are broken, of faults or of the grid.

import { runRows } from '../../../src/judge/rows-run.ts';
import { faults } from '../../../src/reference/faults/index.ts';
import { startReference } from '../../../src/reference/server.ts';
import { OPENING, planOf } from '../../../suites/plan/index.ts';
import { WORDING } from '../../../suites/plan/lore.ts';
import { clauses } from '../../../suites/rows/index.ts';
import { compose } from '../../../suites/tables/tables.ts';
import { breakParts, defectCalled, drawDefects } from '../grid/defects.ts';
import { tellingOf } from '../grid/figures.ts';
import { walk } from '../grid/walk.ts';
import { KEY, sessionOptions, startParts } from '../judge-reference.ts';
import { CONFORMING_TIMEOUT, FAULT_WINDOW, settingOf } from '../result.ts';
import { numberOf } from '../spread.ts';

type Server = { readonly baseUrl: string; readonly close: () => Promise<unknown> };

async function told(start: () => Promise<Server>, session: object, own: string | undefined, label: string): Promise<void> {
  const server = await start();
  try {
    const options = sessionOptions(server.baseUrl, { ...session, seed: 20261121 });
    const { verdicts, conditions, phases, requests } = await runRows({
      options,
      clauses,
      compose,
      opening: OPENING,
      planOf,
      wording: WORDING,
    });
    const red = verdicts.filter(({ verdict }) => verdict === 'fail');
    const asked = phases.find(({ title }) => title === 'halving')?.requests ?? 0;
    const texts = conditions.filter(({ by }) => by !== 'silence').map(({ condition }) => condition.replace(/^Only/, 'only'));
    const telling =
      own === undefined
        ? tellingOf(label, red.length === 0 ? [] : texts.filter((text) => !/^(?:each time|in the plainest)/.test(text)))
        : '';
    console.log(JSON.stringify({ label, own, telling: red.length === 0 ? 'missed' : telling, asked, requests }));
    for (const { clause, note } of red) {
      const condition = conditions.find((one) => one.clause === clause.id);
      console.log(`    ${clause.id}: ${note.slice(0, 150)}\n      -> ${condition?.by}: ${condition?.condition}`);
      if (process.env['ROWS'] !== undefined)
        console.log(`      ${JSON.stringify(condition?.failing)} / ${JSON.stringify(condition?.right)}`);
    }
  } finally {
    await server.close();
  }
}

const [first = '', ...rest] = process.argv.slice(2);
const isGrid = first === '--grid';
const [seed, ...names] = isGrid ? rest : [process.env['SEED'] ?? '1', first, ...rest];
const count = /^\d+$/.test(names[0] ?? '') ? Number(names[0]) : undefined;
const [own = 1, of = 1] = (process.env['PART'] ?? '1/1').split('/').map(Number);

async function gridNames(): Promise<readonly string[]> {
  if (count === undefined) return names;
  const found: string[] = [];
  for (const defect of drawDefects(Number(seed))) {
    if (found.length >= count) break;
    if ((await walk(defect, { seedAnimals: defect.seedAnimals })) >= 4) found.push(defect.name);
  }
  return found;
}

const chosen = isGrid
  ? await gridNames()
  : count === undefined
    ? names
    : faults
        .map(({ name }) => name)
        .toSorted((one, other) => numberOf(`${seed} ${one}`) - numberOf(`${seed} ${other}`))
        .slice(0, count);
for (const name of chosen.filter((_name, index) => index % of === own - 1)) {
  if (isGrid) {
    const defect = defectCalled(name);
    const { parts } = breakParts(defect, { clock: { now: () => Date.now() } });
    await told(
      () => startParts(parts, { seedAnimals: defect.seedAnimals }),
      { timeout: CONFORMING_TIMEOUT, consistencyWindow: FAULT_WINDOW },
      undefined,
      name,
    );
  } else {
    const { server, session } = settingOf([name]);
    const clause = faults.find((one) => one.name === name)?.clause ?? '';
    await told(() => startReference({ ...server, apiKey: KEY }), session ?? {}, clause, name);
  }
}
