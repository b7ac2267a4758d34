import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Example } from '../../src/cli/commands/explain.ts';
import { clauses } from '../../suites/clauses/index.ts';
import { leave } from '../support/command-line.ts';
import { acceptedExchanges, exampleOf } from './example-run.ts';

const FILE = new URL('../../src/cli/commands/examples.json', import.meta.url);

// `npm run docs:examples`: the examples of `explain` for each clause, or for the named ones.
const [, , ...named] = process.argv;
const accepted = await acceptedExchanges();
const before = JSON.parse(readFileSync(FILE, 'utf8')) as Readonly<Record<string, Example>>;
const made: [string, Example][] = [];
const unknown = named.filter((name) => !clauses.some(({ id }) => id === name));
if (unknown.length > 0) leave(`there is no clause ${unknown.join(', ')}; petstore-conformance explain clauses shows all`);
for (const { id } of clauses) {
  const example = named.length === 0 || named.includes(id) ? await exampleOf(id, accepted) : before[id];
  if (example !== undefined) made.push([id, example]);
}
writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(made), undefined, 2)}\n`);
// Not as a second command of the script: npm passes the ids to the last one.
execFileSync('biome', ['format', '--write', fileURLToPath(FILE)]);
