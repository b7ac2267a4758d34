// `npm run prove:rows`: what the rules over rows say about recorded histories.
import { isBinding } from '../../../src/clause/clause.ts';
import { faults } from '../../../src/reference/faults/index.ts';
import { clauses } from '../../../suites/rows/index.ts';
import { leave, readCommandLine } from '../../support/command-line.ts';
import { readHistory, recordedIn } from '../recorded/history-file.ts';
import { judgeRows } from './judge-rows.ts';
import { isNamed } from './named.ts';

type Judged = {
  readonly kind: string;
  readonly name: string;
  readonly clause: string;
  readonly red: readonly string[];
  readonly today: readonly string[];
  readonly binding: readonly string[];
};

const BINDING = new Set<string>(clauses.filter(isBinding).map(({ id }) => id));
const OWN = new Map<string, string>(faults.map(({ name, clause }) => [name, clause]));

function judgeSubject(folder: string, subject: ReturnType<typeof recordedIn>[number], showsNotes: boolean): Judged {
  const {
    runs: [whole, alone],
    result,
  } = readHistory(folder, subject);
  if (whole === undefined) throw new Error(`${subject.name}: no run was recorded`);
  const failed = judgeRows(whole).filter(({ verdict }) => verdict === 'fail');
  const clause = OWN.get(subject.name) ?? '';
  const shows = (some: typeof failed): boolean => some.some((one) => one.clause.id === clause);
  const also =
    alone === undefined || shows(failed) ? [] : judgeRows(alone).filter((one) => one.verdict === 'fail' && one.clause.id === clause);
  const red = [...failed, ...also];
  for (const {
    clause: { id },
    note,
    broken,
  } of red)
    if (showsNotes) console.log(`       ${id}: ${note} (${broken.length})`);
  return {
    kind: subject.kind,
    name: subject.name,
    clause,
    red: red.map((one) => one.clause.id),
    today: [...result.red, ...result.advised],
    binding: red.filter((one) => isBinding(one.clause)).map((one) => one.clause.id),
  };
}

const isFound = ({ name, clause, red }: Judged): boolean => isNamed(name, clause, red);

/** What is red now and was not by the rules of today, on the same history, and the reverse. */
function changeOf({ red, today: before }: Judged): string {
  return [
    ...red.filter((one) => !before.includes(one)).map((one) => `+${one}`),
    ...before.filter((one) => !red.includes(one)).map((one) => `-${one}`),
  ].join(' ');
}

function table(faulty: readonly Judged[]): void {
  console.log('\nclause                              named/faults  today');
  for (const [clause, all] of [...Map.groupBy(faulty, (one) => one.clause)].sort(([, a], [, b]) => b.length - a.length)) {
    const today = all.filter((one) => one.today.includes(clause)).length;
    console.log(`${clause.padEnd(36)}${`${all.filter(isFound).length}/${all.length}`.padStart(8)}      ${today}/${all.length}`);
  }
}

function show(all: readonly Judged[]): boolean {
  const [faulty, conforming] = [all.filter(({ kind }) => kind === 'fault'), all.filter(({ kind }) => kind === 'variant')];
  table(faulty);
  const others = faulty.map((one) => one.binding.filter((clause) => clause !== one.clause));
  const today = faulty.map(({ today: red, clause }) => red.filter((one) => one !== clause && BINDING.has(one)));
  const mean = (some: readonly (readonly string[])[]): string =>
    (some.reduce((sum, { length }) => sum + length, 0) / Math.max(1, some.length)).toFixed(2);
  const [named, red] = [faulty.filter(isFound).length, conforming.filter(({ binding }) => binding.length > 0).length];
  console.log(
    `\n${named} of ${faulty.length} faults named, ${mean(others)} other red clauses a fault (today: ${mean(today)}); ${red} of ${conforming.length} variants red`,
  );
  return named === faulty.length && red === 0;
}

const { values, words } = readCommandLine({
  usage: `Usage: npm run prove:rows -- [--notes] FOLDER [NAME...]

Judges the recorded faults and variants in a folder (npm run prove:histories), or those whose name or clause is given, by the rules over rows.
Nothing is sent.

  --notes   the first breach of each red clause`,
  options: { notes: { type: 'boolean', default: false } },
  words: OWN.size,
});
const [folder, ...names] = words;
if (folder === undefined) leave('a folder with recorded histories is needed; --help shows the usage');
const isAsked = ({ name }: { readonly name: string }): boolean =>
  names.length === 0 || names.some((one) => name.includes(one) || OWN.get(name) === one);
const begin = performance.now();
const all = recordedIn(folder)
  .filter((one) => one.kind !== 'holdout' && isAsked(one))
  .map((subject) => {
    const judged = judgeSubject(folder, subject, values.notes);
    const isRight = judged.kind === 'variant' ? judged.binding.length === 0 : isFound(judged);
    const change = changeOf(judged);
    if (!isRight || change !== '')
      console.log(`${isRight ? 'ok  ' : 'GAP '} ${judged.kind.padEnd(7)} ${judged.name.padEnd(44)} ${judged.clause.padEnd(26)} ${change}`);
    return judged;
  });
process.exitCode = show(all) ? 0 : 1;
console.log(`${all.length} histories judged in ${Math.round((performance.now() - begin) / 100) / 10} s`);
