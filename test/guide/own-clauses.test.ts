import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadOwnClauses } from '../../src/gate/load-own-clauses.ts';
import { judgeServer, type ReferenceOptions, type SessionClause, startReference } from '../../src/index.ts';
import { codeBlocks } from '../docs/pages.ts';
import { ownFolder } from '../support/program.ts';

const KEY = 'own-7Qw2zX5rB8vN';
const LIBRARY = new URL('../../src/index.ts', import.meta.url).href;
const EXAMPLE = readFileSync(new URL('../../examples/own-clauses/house-rules.clause.mts', import.meta.url), 'utf8');

const blocks = codeBlocks('docs/own-clauses.md');
const shown = (language: string): readonly string[] => blocks.filter((block) => block.language === language).map(({ text }) => text);
const [header = '', rewritten = ''] = shown('ts');

/** The clauses of a user's module, loaded as in a run. */
function load(text: string): Promise<readonly SessionClause[]> {
  const file = join(ownFolder(), 'shown.clause.mts');
  writeFileSync(file, text.replaceAll("'@petstore-conformance/cli'", JSON.stringify(LIBRARY)));
  return loadOwnClauses([pathToFileURL(file).href]);
}

/** The verdicts on the parts of these clauses in a run that judges everything. */
async function verdictsOf(text: string, options: Omit<ReferenceOptions, 'apiKey'>): Promise<Readonly<Record<string, string>>> {
  const server = await startReference({ apiKey: KEY, seedAnimals: 7, ...options });
  try {
    const { checks } = await judgeServer(server.baseUrl, { apiKey: KEY, depth: 'quick', ownClauses: await load(text) });
    return Object.fromEntries(checks.flatMap(({ id, verdict }) => (id.startsWith('acme:') ? [[id.slice('acme:'.length), verdict]] : [])));
  } finally {
    await server.close();
  }
}

describe('examples/own-clauses', () => {
  const conforming = {
    'create.unique-names/every-creation': 'pass',
    'create.umlauts/one-name': 'pass',
    'create.umlauts/every-creation': 'pass',
    'headers.no-software/every-response': 'pass',
  };

  test('passes a service that keeps the rules of the house', async () => {
    expect(await verdictsOf(EXAMPLE, { variants: ['name-unique-409'] })).toEqual(conforming);
  });

  test('finds in the requests of the suite that a name is assigned twice', async () => {
    expect(await verdictsOf(EXAMPLE, {})).toEqual({ ...conforming, 'create.unique-names/every-creation': 'fail' });
  });

  test('finds by its own request that a name is rejected', async () => {
    const found = await verdictsOf(EXAMPLE, { variants: ['name-letters-only'] });
    expect(found).toMatchObject({ 'create.umlauts/one-name': 'fail', 'create.umlauts/every-creation': 'fail' });
  });
});

describe('docs/own-clauses.md', () => {
  test('shows a rule that judges each response of the suite', async () => {
    expect(await verdictsOf(header, {})).toEqual({ 'headers.request-id/every-response': 'fail' });
  });

  test('shows a clause for version 1, which says how to rewrite it', async () => {
    const [before = ''] = shown('js');
    const advice = /gone since version 2\.0\.0: rewrite them as rules, as docs\/own-clauses\.md of this package shows/;
    await expect(load(before)).rejects.toThrow(advice);
    const ofImports = `const failOr = () => {}, pass = failOr;\n${before.replace('failOr, pass, ', '')}`;
    await expect(load(ofImports)).rejects.toThrow(advice);
  });

  test('shows the rewritten clause, which finds what that one did', async () => {
    const passed = { 'records.positive-ids/long-list': 'pass', 'records.positive-ids/every-response': 'pass' };
    expect(await verdictsOf(rewritten, {})).toEqual(passed);
    const failed = { 'records.positive-ids/long-list': 'fail', 'records.positive-ids/every-response': 'fail' };
    expect(await verdictsOf(rewritten, { variants: ['ids-negative'] })).toEqual(failed);
  });
});
