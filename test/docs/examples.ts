import { readFileSync, writeFileSync } from 'node:fs';
import type { Example } from '../../src/cli/commands/explain.ts';
import { clauses } from '../../suites/index.ts';
import { acceptedExchanges, exampleOf } from './example-run.ts';

const FILE = new URL('../../src/cli/commands/examples.json', import.meta.url);

// `npm run docs:examples`: the examples of `explain` for each clause, or for the named ones.
const [, , ...named] = process.argv;
const accepted = await acceptedExchanges();
const before = JSON.parse(readFileSync(FILE, 'utf8')) as Readonly<Record<string, Example>>;
const made: [string, Example][] = [];
for (const { id } of clauses) {
  const example = named.length === 0 || named.includes(id) ? await exampleOf(id, accepted) : before[id];
  if (example !== undefined) made.push([id, example]);
}
writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(made), undefined, 2)}\n`);
