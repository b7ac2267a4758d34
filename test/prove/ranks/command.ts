// `npm run prove:ranks`: named and other red on recorded histories, with ranks and subsets in place of today's blame.
import { isBinding } from '../../../src/clause/clause.ts';
import { faults } from '../../../src/reference/faults/index.ts';
import { messageOf } from '../../../src/wire/wording.ts';
import { clauses } from '../../../suites/index.ts';
import { readCommandLine } from '../../support/command-line.ts';
import { createPool } from '../pool.ts';
import { recordedIn } from '../recorded/history-file.ts';
import type { RegistrySubject } from '../result.ts';
import type { Ranked } from './judge-by-models.ts';
import { MODELS, ranksOf } from './ranks.ts';

const USAGE = `Usage: npm run prove:ranks -- FOLDER [--of N]

Judges the recorded faults and variants in a folder (npm run prove:histories) by today's rules, and blames by ranks and subsets. Nothing is
sent, and nothing in the product changes.

  --of N    every Nth server`;

/** The bounds of the experiment: what named may lose, in percent, and other red clauses a fault. */
const MOST_LOST = 2;
const MOST_OTHER = 0.25;

type Judged = { readonly subject: RegistrySubject; readonly ranked: Ranked };

const BINDING = new Set<string>(clauses.filter(isBinding).map(({ id }) => id));
const OWN = new Map<string, string>(faults.map(({ name, clause }) => [name, clause]));

const isNamed = ({ subject, ranked }: Judged, model: string): boolean => ranked[model]?.includes(OWN.get(subject.name) ?? '') === true;
const othersOf = ({ subject, ranked }: Judged, model: string): readonly string[] =>
  (ranked[model] ?? []).filter((clause) => clause !== OWN.get(subject.name) && BINDING.has(clause));

/** What the model changes about a server, in one line; empty if nothing. */
function changeOf(judged: Judged, model: string): string {
  const [before = [], after = []] = [judged.ranked['today'], judged.ranked[model]];
  const gone = before
    .filter((clause) => !after.includes(clause))
    .map((clause) => `-${clause}${clause === OWN.get(judged.subject.name) ? ' (its own)' : ''}`);
  const come = after.filter((clause) => !before.includes(clause)).map((clause) => `+${clause}`);
  return [...gone, ...come].join(' ');
}

function show(all: readonly Judged[]): void {
  const broken = all.filter(({ subject }) => subject.kind === 'fault');
  const conforming = all.filter(({ subject }) => subject.kind === 'variant');
  for (const { name } of MODELS.slice(1)) {
    console.log(`\n${name}: servers of which it says something else than today`);
    for (const judged of all) {
      const change = changeOf(judged, name);
      if (change !== '') console.log(`  ${judged.subject.kind.padEnd(7)} ${judged.subject.name.padEnd(44)} ${change}`);
    }
  }
  const namedBy = (model: string): number => broken.filter((one) => isNamed(one, model)).length;
  const today = namedBy('today');
  console.log(`\n${'model'.padEnd(46)} named of ${broken.length}  lost   other red a fault  variants red of ${conforming.length}  bounds`);
  for (const { name } of MODELS) {
    const named = namedBy(name);
    const lost = (100 * (today - named)) / Math.max(1, today);
    const others = broken.reduce((sum, one) => sum + othersOf(one, name).length, 0) / Math.max(1, broken.length);
    const red = conforming.filter((one) => othersOf(one, name).length > 0).length;
    const holds = lost <= MOST_LOST && others <= MOST_OTHER && red === 0;
    console.log(
      `${name.padEnd(46)} ${String(named).padStart(12)}  ${`${lost.toFixed(1)} %`.padStart(6)} ${others.toFixed(3).padStart(17)} ${String(red).padStart(20)}  ${holds ? 'held' : 'not held'}`,
    );
  }
}

const { values, words } = readCommandLine({ usage: USAGE, options: { of: { type: 'string', default: '1' } }, words: 1 });
const [folder = 'reports/histories'] = words;
const subjects = recordedIn(folder)
  .flatMap((one): RegistrySubject[] => (one.kind === 'holdout' ? [] : [one]))
  .filter((_one, index) => index % Number(values.of) === 0);
const pool = createPool(subjects.length, { perCore: 1 });
try {
  const ranks = [...ranksOf(clauses)].filter(([, rank]) => rank > 0).toSorted(([, a], [, b]) => a - b);
  console.log(`ranks: ${ranks.map(([clause, rank]) => `${rank} ${clause}`).join(', ')}; all others 0`);
  const judged = await Promise.all(
    subjects.map(async (subject): Promise<readonly Judged[]> => {
      try {
        return [{ subject, ranked: await pool.ask({ kind: 'ranked', subject, folder }) }];
      } catch (error) {
        console.log(`left out: ${subject.kind} ${subject.name}: ${messageOf(error)}`);
        return [];
      }
    }),
  );
  show(judged.flat());
} finally {
  await pool.close();
}
