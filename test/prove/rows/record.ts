// What a run of rows records of faults of the registry, and where that differs from what the checks record of them.

import { keyOfKind, kindText } from '../../../src/clause/failure-kind.ts';
import { boundFindings } from '../../../src/judge/record.ts';
import { clauseRecordsOf } from '../../../src/judge/rows-clauses.ts';
import { faults } from '../../../src/reference/faults/index.ts';
import { WORDING } from '../../../suites/plan/lore.ts';
import { versionsOf } from '../../../suites/tables/tables.ts';
import { leave, readCommandLine } from '../../support/command-line.ts';
import { judgeReference, sessionOptions } from '../judge-reference.ts';
import { settingOf } from '../result.ts';
import { numberOf } from '../spread.ts';
import { faultySetting, runRowsOn } from './judge-server.ts';

const { values, words } = readCommandLine({
  usage: `Usage: node test/prove/rows/record.ts [--compare] [--seed N] [--part N/OF] COUNT|NAME...

Runs rows against faults, those with that name or so many that are drawn by the seed, at first one of each clause. Prints the records of the clauses that are
broken, as JSON.

  --compare   only where what the checks record of the clause differs: a line of JSON for each fault`,
  options: {
    compare: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    part: { type: 'string', default: '1/1' },
  },
  words: faults.length,
});
const [word] = words;
if (word === undefined) leave('a number or a name is needed; --help shows the usage');
const [part = 1, of = 1] = values.part.split('/').map(Number);

function drawn(count: number): readonly string[] {
  const inOrder = faults.toSorted((one, other) => numberOf(`${values.seed} ${one.name}`) - numberOf(`${values.seed} ${other.name}`));
  const turns = new Map<string, number>();
  const inTurn = inOrder.map((fault) => {
    const turn = turns.get(fault.clause) ?? 0;
    turns.set(fault.clause, turn + 1);
    return { name: fault.name, turn };
  });
  return inTurn
    .toSorted((one, other) => one.turn - other.turn)
    .slice(0, count)
    .map(({ name }) => name);
}

/** What users see of a broken clause, and bind waivers to. */
type Told = {
  readonly kinds: readonly string[];
  readonly pointer: string | undefined;
  readonly findings: number;
  readonly cases: number;
  readonly summary: string;
};

/** `asks`: whether it says when clauses are broken, which takes requests. */
async function recordsOf(name: string, asks: boolean) {
  const { start, session } = faultySetting([name]);
  const result = await runRowsOn(start, session, asks ? { wording: WORDING } : {});
  return clauseRecordsOf(result, { session: sessionOptions(result.world.run.baseUrl, session), versionsOf }).filter(
    ({ verdict }) => verdict === 'fail',
  );
}

async function toldByChecks(name: string): Promise<ReadonlyMap<string, Told>> {
  const { server, session } = settingOf([name]);
  const { records } = await judgeReference(server, { session, explained: false });
  const failed = Map.groupBy(
    boundFindings(records).filter(({ verdict }) => verdict === 'fail'),
    ({ clause }) => clause,
  );
  return new Map(
    [...failed].map(([clause, checks]) => [
      clause,
      {
        kinds: [
          ...new Map(checks.flatMap(({ failureKinds = [] }) => failureKinds).map((kind) => [keyOfKind(kind), kindText(kind)])).values(),
        ],
        pointer: checks[0]?.findings[0]?.pointer,
        findings: checks.reduce((sum, { findings }) => sum + findings.length, 0),
        cases: checks.reduce((sum, { cases = [] }) => sum + cases.length, 0),
        summary: checks[0]?.findings[0]?.summary ?? '',
      },
    ]),
  );
}

async function compare(name: string): Promise<void> {
  const own = faults.find((fault) => fault.name === name)?.clause ?? '';
  const checks = await toldByChecks(name);
  const rows = new Map(
    (await recordsOf(name, false)).map((record): [string, Told] => [
      record.id,
      {
        kinds: (record.failureKinds ?? []).map(kindText),
        pointer: record.findings[0]?.pointer,
        findings: record.findings.length,
        cases: record.cases?.length ?? 0,
        summary: record.findings[0]?.summary ?? '',
      },
    ]),
  );
  const [one, other] = [checks.get(own), rows.get(own)];
  const lost = one?.kinds.filter((kind) => other?.kinds.includes(kind) !== true) ?? [];
  const more = other?.kinds.filter((kind) => one?.kinds.includes(kind) !== true) ?? [];
  const red = [...checks.keys()].sort().join() === [...rows.keys()].sort().join() ? {} : { red: [[...checks.keys()], [...rows.keys()]] };
  console.log(JSON.stringify({ name, own, lost, more, ...red, checks: one, rows: other }));
}

const names = /^\d+$/.test(word) ? drawn(Number(word)) : words;
for (const name of names.filter((_name, index) => index % of === part - 1)) {
  if (values.compare) await compare(name);
  else console.log(JSON.stringify(await recordsOf(name, true), undefined, 2));
}
