import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type ReferenceOptions, startReference } from '../../proof/server.ts';
import { loadOwnClauses } from '../../src/gate/load-own-clauses.ts';
import { judgeServer } from '../../src/index.ts';
import { codeBlocks, readPage } from '../docs/pages.ts';
import { ownFolder } from '../support/program.ts';

const KEY = 'own-7Qw2zX5rB8vN';
const LIBRARY = new URL('../../src/index.ts', import.meta.url).href;
const EXAMPLE = readFileSync(new URL('../../examples/own-clauses/house-rules.clause.mts', import.meta.url), 'utf8');

const [header = '', positive = ''] = codeBlocks('docs/own-clauses.md').flatMap(({ language, text }) => (language === 'ts' ? [text] : []));

/** A clause as it was written for an earlier version. */
const withPart = (part: string): string => `import { defineClause } from '@petstore-conformance/cli';
export const clauses = [
  defineClause({
    id: 'acme:records.positive-ids',
    section: 'House rules, 2',
    level: 'required',
    requirement: 'Ids are positive.',
    likelyCause: 'The ids are hashes.',
    rules: [{ layer: 'values', judge: () => 'holds' }],
    ${part}
  }),
];
`;
/** For version 1. */
const WITH_CHECKS = withPart(
  "checks: [{ id: 'long-list', title: 'A long list shows positive ids', step: 'read', given: ['pets'], run: () => undefined }],",
);
/** For version 2. */
const WITH_SENT = withPart(
  "sent: [{ id: 'long-list', title: 'A long list', step: 'read', needs: ['pets'], send: ({ api }) => api.list({ limit: 100 }) }],",
);

const sectionOf = (title: string): string =>
  readPage('docs/own-clauses.md')
    .split(/^## /m)
    .find((text) => text.startsWith(`${title}\n`)) ?? '';

/** What the section links to for the words of version 1. */
const CHANGES_OF_2 =
  readPage('CHANGELOG.md')
    .split(/^## /m)
    .find((text) => text.startsWith('2.0.0')) ?? '';

/** The clauses of a user's module, loaded as in a run. */
function load(text: string): ReturnType<typeof loadOwnClauses> {
  const file = join(ownFolder(), 'shown.clause.mts');
  writeFileSync(file, text.replaceAll("'@petstore-conformance/cli'", JSON.stringify(LIBRARY)));
  return loadOwnClauses([pathToFileURL(file).href]);
}

/** The verdicts on these clauses in a run that judges everything. */
async function verdictsOf(text: string, options: Omit<ReferenceOptions, 'apiKey'>): Promise<Readonly<Record<string, string>>> {
  const server = await startReference({ apiKey: KEY, seedAnimals: 7, ...options });
  try {
    const { clauses } = await judgeServer(server.baseUrl, { apiKey: KEY, depth: 'quick', ownClauses: await load(text) });
    return Object.fromEntries(clauses.flatMap(({ id, verdict }) => (id.startsWith('acme:') ? [[id.slice('acme:'.length), verdict]] : [])));
  } finally {
    await server.close();
  }
}

describe('examples/own-clauses', () => {
  const conforming = {
    'create.unique-names': 'pass',
    'create.umlauts': 'pass',
    'headers.no-software': 'pass',
  };

  test('passes a service that keeps the rules of the house', async () => {
    expect(await verdictsOf(EXAMPLE, { variants: ['name-unique-409'] })).toEqual(conforming);
  });

  test('finds in the requests of the suite that a name is assigned twice', async () => {
    expect(await verdictsOf(EXAMPLE, {})).toEqual({ ...conforming, 'create.unique-names': 'fail' });
  });

  test('finds by its own request that a name is rejected', async () => {
    const found = await verdictsOf(EXAMPLE, { variants: ['name-letters-only'] });
    expect(found).toMatchObject({ 'create.umlauts': 'fail' });
  });
});

describe('docs/own-clauses.md', () => {
  test('shows a rule that judges each response of the suite', async () => {
    expect(await verdictsOf(header, {})).toEqual({ 'headers.request-id': 'fail' });
  });

  test('shows a rule with a request of its own', async () => {
    expect(await verdictsOf(positive, {})).toEqual({ 'records.positive-ids': 'pass' });
    expect(await verdictsOf(positive, { variants: ['ids-negative'] })).toEqual({ 'records.positive-ids': 'fail' });
  });

  test('shows requests of both forms that can be sent', async () => {
    const [own] = await load(positive);
    expect(own?.rows.map(({ op, raw }) => `${op}${raw === undefined ? '' : ' written out'}`)).toEqual([
      'list',
      'get',
      'create',
      'list written out',
      'create written out',
    ]);
  });

  test('has the section that a clause with checks is told to read, and what it links to a row for each name that is gone', async () => {
    const title = 'Rewriting a clause of an earlier version';
    const advice = `rewrite them as rules, as docs/own-clauses.md of this package shows under "${title}"`;
    await expect(load(WITH_CHECKS)).rejects.toThrow(advice);
    await expect(load(`import { failOr } from '@petstore-conformance/cli';\n${WITH_CHECKS}`)).rejects.toThrow(advice);
    for (const name of ['sent', 'step', 'needs']) expect(sectionOf(title)).toContain(`\`${name}\``);
    expect(sectionOf(title)).toContain('(../CHANGELOG.md#200)');
    for (const name of ['failOr', 'pass', 'wrongStatus', 'inconclusive', 'notApplicable', 'observed'])
      expect(CHANGES_OF_2).toContain(`\`${name}\``);
  });

  test('has the section that a clause with sent is told to read', async () => {
    const title = 'Requests of your own';
    await expect(load(WITH_SENT)).rejects.toThrow(
      `write its requests as "rows", as docs/own-clauses.md of this package shows under "${title}"`,
    );
    expect(sectionOf(title)).toContain('`rows`');
  });
});
