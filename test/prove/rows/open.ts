// How the variants answer what the document leaves open, asked by rows, and by the other core when it was frozen.

import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { CatalogClauseId } from '../../../src/clause/clause.ts';
import type { Observation } from '../../../src/clause/outcome.ts';
import { DEPTHS } from '../../../src/session/session.ts';
import { clauses } from '../../../suites/rows/index.ts';
import { leave, readCommandLine, wholeNumber } from '../../support/command-line.ts';
import { readFrozen } from '../frozen/results.ts';
import { selectSubjects } from '../result.ts';
import { registrySetting, runRowsOn } from './judge-server.ts';

/** By clause and question. */
type Answers = ReadonlyMap<string, string>;

const keyOf = (clause: string, question: string): string => `${clause} | ${question}`;

const { values, words } = readCommandLine({
  usage: `Usage: node test/prove/rows/open.ts [OPTION...] [NAME...]

Asks the variants of the registry, or those with such a name, what the document leaves open, and compares their answers with the frozen ones.

  --depth ${DEPTHS.join('|')}   default: standard
  --seed N
  --only                 runs of the open questions alone, which take a sixth of the requests
  --part N/OF            one part of several, for several processes
  --out FILE             gets a line for each variant; default: reports/rows/open.jsonl`,
  options: {
    ...{ depth: { type: 'string', default: 'standard' }, seed: { type: 'string' }, part: { type: 'string', default: '1/1' } },
    only: { type: 'boolean', default: false },
    out: { type: 'string', default: 'reports/rows/open.jsonl' },
  },
  words: 200,
});
const depth = DEPTHS.find((one) => one === values.depth) ?? leave(`--depth is one of ${DEPTHS.join(', ')}, not ${values.depth}`);
const seed = values.seed === undefined ? {} : { seed: wholeNumber(values.seed, '--seed') };
const only = values.only ? { only: new Set(clauses.filter(({ level }) => level === 'open').map(({ id }) => id as CatalogClauseId)) } : {};
const [part = 1, of = 1] = values.part.split('/').map(Number);

type Behavior = { readonly observations: Readonly<Record<string, Readonly<Record<string, string>>>> };

const frozen = new Map(
  readFrozen('behavior')?.lines.map(({ task, ...line }): [string, Answers] => {
    const { observations } = line['behavior'] as Behavior;
    const all = Object.entries(observations).flatMap(([clause, questions]) =>
      Object.entries(questions).map(([question, answer]) => [keyOf(clause, question), answer] as const),
    );
    return [task.replace(/^variant /, ''), new Map(all)];
  }),
);

/** What differs: an answer, or what only one of them has. */
function differencesOf(before: Answers, now: Answers): readonly string[] {
  return [...new Set([...before.keys(), ...now.keys()])].flatMap((key) => {
    const [was = '-', is = '-'] = [before.get(key), now.get(key)];
    return was === is ? [] : [`${key}: "${was}" is now "${is}"`];
  });
}

mkdirSync(dirname(values.out), { recursive: true });
writeFileSync(values.out, '');
const queue = selectSubjects(words)
  .filter(({ kind }) => kind === 'variant')
  .filter((_subject, index) => index % of === part - 1);
let [compared, same] = [0, 0];

async function work(): Promise<void> {
  for (let subject = queue.shift(); subject !== undefined; subject = queue.shift()) {
    const { start, session } = registrySetting(subject);
    const { verdicts, requests, created } = await runRowsOn(start, { ...session, depth, ...seed }, only);
    const observed = verdicts.flatMap(({ clause, observations }) =>
      observations.map(({ question, answer }: Observation) => [keyOf(clause.id, question), answer] as const),
    );
    const missing = verdicts.filter(({ clause, verdict }) => clause.level === 'open' && verdict !== 'observed');
    const before = frozen.get(subject.name);
    const differences = before === undefined ? ['it was not frozen'] : differencesOf(before, new Map(observed));
    compared += 1;
    if (differences.length === 0) same += 1;
    for (const difference of differences) console.log(`${subject.name.padEnd(36)} ${difference}`);
    for (const { clause, note, why } of missing) console.log(`${subject.name.padEnd(36)} ${clause.id} is not observed: ${why}, ${note}`);
    appendFileSync(values.out, `${JSON.stringify({ name: subject.name, requests, created, observed, differences })}\n`);
  }
}
await Promise.all([work(), work()]);
console.log(`${same} of ${compared} variants answer the same`);
