// Whether the rows that a run keeps of what is broken show it once more, and let it pass once it is repaired.

import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isBinding } from '../src/clause/clause.ts';
import { type Again, repairOf } from '../src/judge/again.ts';
import { isRepaired } from '../src/judge/repair.ts';
import { NARROWING_TITLE, REPETITION_TITLE, type RunInput, type RunResult, runSuite } from '../src/judge/run.ts';
import { AGAIN } from '../suites/plan/again.ts';
import { SUITE } from '../suites/plan/index.ts';
import { WORDING } from '../suites/plan/narrowing.ts';
import { leave, readCommandLine } from '../test/support/command-line.ts';
import { faults } from './faults/index.ts';
import { KEY, sessionOptions } from './judge-reference.ts';
import { settingOf } from './result.ts';
import { startReference } from './server.ts';
import { percentile } from './tables.ts';

const { values, words } = readCommandLine({
  usage: `Usage: node proof/again.ts [OPTION...] [NAME...]

Judges servers with faults: whole, then by the rows of what was broken while nothing is repaired, the same server and another one with a
store as it was before, and then by the same rows the server without the fault.

  --every N     each Nth fault of the registry; default: 4
  --part N/OF   one part of several, for several processes
  --out FILE    gets a line for each server; default: reports/proof/again.jsonl
  --notes       every finding`,
  options: {
    every: { type: 'string', default: '4' },
    part: { type: 'string', default: '1/1' },
    out: { type: 'string', default: 'reports/proof/again.jsonl' },
    notes: { type: 'boolean', default: false },
  },
  words: faults.length,
});

const redOf = ({ verdicts }: RunResult): readonly string[] =>
  verdicts.filter(({ verdict }) => verdict === 'fail').map(({ clause }) => clause.id);

async function judgeAt(
  baseUrl: string,
  changes: Partial<Omit<RunInput, 'options'>>,
  session: Parameters<typeof sessionOptions>[1],
): Promise<RunResult> {
  return runSuite({ ...SUITE, ...changes, options: sessionOptions(baseUrl, session) });
}

async function judgeAll(name: string) {
  const { server, session } = settingOf([name]);
  const { basePath: _basePath, ...right } = { basePath: undefined, ...server };
  const own = faults.find((one) => one.name === name)?.clause ?? '';
  const start = (faulty: boolean) => startReference({ ...(faulty ? server : { ...right, faults: [] }), apiKey: KEY });
  const first = await start(true);
  const whole = await judgeAt(first.baseUrl, { wording: WORDING, again: AGAIN }, session);
  // As a record keeps them.
  const again = JSON.parse(JSON.stringify(whole.again ?? [])) as readonly Again[];
  const rows = { opening: AGAIN.opening, planOf: AGAIN.planOf(again) };
  const asked = (title: string): number => whole.phases.find((one) => one.title === title)?.requests ?? 0;
  const judgeBy = async ({ baseUrl, close }: typeof first, runTag: string): Promise<RunResult> => {
    const result = await judgeAt(baseUrl, rows, { ...session, runTag });
    await close();
    return result;
  };
  const broken = await judgeBy(first, 'twice');
  const anew = await judgeBy(await start(true), 'other');
  const repaired = await judgeBy(await start(false), 'after');
  const repair = repairOf(again, repaired);
  const red = redOf(whole);
  return {
    ...{ name, own, red, isNamed: red.includes(own), halving: asked(NARROWING_TITLE), rehearsal: asked(REPETITION_TITLE) },
    ...{ still: redOf(broken), unrepaired: repairOf(again, broken), stillAnew: redOf(anew), unrepairedAnew: repairOf(again, anew) },
    ...{ requests: broken.requests, created: broken.created },
    ...{ repair, isGreen: isRepaired(repair), requestsAfter: repaired.requests, createdAfter: repaired.created },
    notes: Object.fromEntries(
      repaired.verdicts
        .filter(({ verdict, clause }) => verdict === 'fail' && isBinding(clause))
        .map(({ clause, note }) => [clause.id, note]),
    ),
    again,
  };
}

type Judged = Awaited<ReturnType<typeof judgeAll>>;

const lost = ({ red, still }: Judged): readonly string[] => red.filter((one) => !still.includes(one));

const every = Number(values.every);
const [part = 1, of = 1] = values.part.split('/').map(Number);
const unknown = words.find((word) => !faults.some(({ name }) => name === word));
if (unknown !== undefined) leave(`no fault is called ${unknown}`);
const queue = (words.length > 0 ? words : faults.map(({ name }) => name).filter((_name, index) => index % every === 0)).filter(
  (_name, index) => index % of === part - 1,
);

mkdirSync(dirname(values.out), { recursive: true });
writeFileSync(values.out, '');
const results: Judged[] = [];
async function work(): Promise<void> {
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    const one = await judgeAll(name).catch((error: unknown) => {
      console.log(`BROKE ${name} ${error instanceof Error ? error.stack : String(error)}`);
      return undefined;
    });
    if (one === undefined) continue;
    results.push(one);
    appendFileSync(values.out, `${JSON.stringify(one)}\n`);
    const missing = lost(one);
    const reasonOf = (id: string): string => one.unrepaired.undecided.find(({ clause }) => clause === id)?.reason ?? 'REPAIRED';
    for (const id of missing) console.log(`LOST  ${name.padEnd(44)} ${id}${id === one.own ? ' (its own)' : ''}: ${reasonOf(id)}`);
    for (const id of one.unrepairedAnew.repaired)
      console.log(`ANEW  ${name.padEnd(44)} ${id}${id === one.own ? ' (its own)' : ''}: REPAIRED`);
    if (!one.isGreen) console.log(`AFTER ${name.padEnd(44)} ${JSON.stringify(one.repair.undecided)} ${JSON.stringify(one.notes)}`);
    if (values.notes) console.log(`      ${JSON.stringify(one.again)}`);
  }
}
await Promise.all([work(), work()]);

const clausesRed = results.flatMap(({ red }) => red).length;
const clausesLost = results.flatMap(lost).length;
const named = results.filter((one) => one.isNamed);
const figures: readonly (readonly [string, string])[] = [
  ['faults named', `${named.length} of ${results.length}`],
  ['of these, named again', `${named.filter(({ own, still }) => still.includes(own)).length}`],
  ['clauses red again', `${clausesRed - clausesLost} of ${clausesRed}`],
  [
    'red with another store',
    `${results.flatMap(({ red, stillAnew }) => red.filter((id) => stillAnew.includes(id))).length} of ${clausesRed}`,
  ],
  ['clauses said to be repaired', String(results.flatMap(({ unrepaired }) => unrepaired.repaired).length)],
  ['and with another store', String(results.flatMap(({ unrepairedAnew }) => unrepairedAnew.repaired).length)],
  ['green once repaired', `${results.filter(({ isGreen }) => isGreen).length} of ${results.length}`],
  ['clauses undecided then', String(results.flatMap(({ repair }) => repair.undecided).length)],
  ['clauses red then', String(results.flatMap(({ repair }) => [...repair.broken, ...repair.newlyBroken]).length)],
  ...(['requests', 'created', 'requestsAfter', 'createdAfter', 'halving', 'rehearsal'] as const).map((key): readonly [string, string] => {
    const all = results.map((one) => one[key]);
    return [`${key}, median, 95 %, most`, [0.5, 0.95, 1].map((share) => percentile(all, share)).join(', ')];
  }),
];
for (const [figure, value] of figures) console.log(`${figure.padEnd(36)} ${value.padStart(16)}`);
