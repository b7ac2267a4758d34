import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { KEY, startParts } from '../../proof/judge-reference.ts';
import { faultySetting, judgeFault, runSuiteOn, type Setting } from '../../proof/judge-server.ts';
import { groupedOptions, resolveOptions } from '../../src/cli/option-spec.ts';
import { viewRun } from '../../src/diagnosis/cause.ts';
import { factsOf } from '../../src/oracle/facts.ts';
import type { Clause } from '../../src/oracle/rule.ts';
import { standingOf } from '../../src/oracle/standing.ts';
import { createRegistry } from '../../src/probe/metrics/registry.ts';
import { baseParts } from '../../src/reference/core/base.ts';
import { createComposer } from '../../src/session/compose.ts';
import { SUITE } from '../../suites/plan/index.ts';
import { TABLES } from '../../suites/tables/tables.ts';
import { sampleRecord } from '../report/sample-record.ts';
import { historyOf, listed } from '../support/judged.ts';
import { carries } from './headers.mechanism.ts';
import { keyInCookie } from './key.causes.ts';
import { sampleClients } from './languages.values.ts';
import { sampleFaults } from './limits.faults.ts';
import { sampleVariants } from './limits.variants.ts';
import { sampleOptions } from './pause.options.ts';
import { reloadsOf } from './reloads.metrics.ts';
import { statusRule } from './status-rule.clause.ts';
import { storedValue } from './stored-value.clause.ts';
import { renderTabSeparated } from './tab-separated.report.ts';

const ROOT = join(import.meta.dirname, '../..');
const SAMPLES: readonly (readonly [clause: Clause, fault: string])[] = [
  [statusRule, 'limit-1-refused'],
  [storedValue, 'stored-name-lower-case'],
];
const SAMPLE_FILES = globSync('test/guide/*.{causes,clause,faults,mechanism,metrics,options,report,values,variants}.ts', { cwd: ROOT });
const DOCUMENTS = ['README.md', ...globSync('{CONTRIBUTING.md,docs/**/*.md}', { cwd: ROOT }).sort()];

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const scripts = Object.keys((JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts);

describe('the samples of docs/internals/adding.md', () => {
  /** The verdict of a clause by itself, by the rows that are sent for clauses of its id. */
  async function verdictOf(clause: Clause, { start, session }: Setting): Promise<string | undefined> {
    const { verdicts } = await runSuiteOn(start, session, { clauses: [clause], only: new Set([clause.id]) });
    return verdicts.find((one) => one.clause === clause)?.verdict;
  }

  test.each(SAMPLES.map(([clause, fault]) => [clause.id, fault, clause] as const))(
    '%s passes a conforming server, and fails the fault %s',
    async (_id, fault, clause) => {
      expect(await verdictOf(clause, faultySetting([]))).toBe('pass');
      expect(await verdictOf(clause, faultySetting([fault]))).toBe('fail');
    },
  );

  /** The clauses that a run finds broken on a server with these parts. */
  async function redOn(parts: typeof baseParts): Promise<readonly string[]> {
    const { verdicts } = await runSuiteOn(() => startParts(parts, { seedAnimals: 30 }), {});
    return verdicts.filter(({ verdict }) => verdict === 'fail').map(({ clause }) => clause.id);
  }

  test.each(Object.values(sampleFaults))('The fault $name turns its clause red, and no other.', async ({ apply, clause }) => {
    expect(await redOn(apply(baseParts))).toEqual([clause]);
  });

  test.each(Object.values(sampleVariants))('The variant $name conforms.', async ({ apply }) => {
    expect(await redOn(apply(baseParts))).toEqual([]);
  });

  test('The value is sent as its line says, and is a usual client.', () => {
    const client = { ...TABLES.list.client, values: { ...TABLES.list.client.values, ...sampleClients } };
    const compose = createComposer({ ...TABLES, list: { ...TABLES.list, client } });
    const context = { apiKey: KEY, seed: 1, rowNumber: 1, runTag: 'guide', categoryId: 1n, knownIds: [], cookies: [] };
    const sent = compose({ op: 'list', client: 'Klingon' }, context);
    expect(sent.headers).toContainEqual(['accept-language', 'tlh']);
    expect(factsOf(sent, KEY).client).toEqual({ kind: 'usual' });
    expect(SUITE.compose({ op: 'list' }, context).headers).not.toContainEqual(['accept-language', 'tlh']);
  });

  test('The mechanism judges the responses that it is about.', () => {
    const world = historyOf([
      listed({}, { status: 200, body: [] }),
      listed({}, { status: 401, body: {}, headers: [['www-authenticate', 'Bearer']] }),
      listed({}, { status: 401, body: {} }),
    ]).now();
    const rule = carries('www-authenticate', [401]);
    const judged = world.exchanges.map((exchange) => rule.judge?.(exchange, standingOf(exchange, world), world));
    expect(judged.slice(0, 2)).toEqual([undefined, 'holds']);
    expect(judged[2]).toMatchObject({ summary: 'the 401 response to GET /pets has no www-authenticate' });
  });

  test('The cause is found for the fault that has it, and not for one that resembles it.', async () => {
    const signs = async (fault: string): Promise<number> => {
      const run = viewRun(await judgeFault(fault, { only: keyInCookie.clauses }));
      const own = run.failed(...keyInCookie.clauses);
      return own.filter((failure) => keyInCookie.sign(failure, run) !== undefined).length;
    };
    expect(await signs('key-in-cookie-accepted')).toBeGreaterThan(0);
    expect(await signs('key-in-query-api-key-accepted')).toBe(0);
  });

  test('The report has a line for each clause, and can be read back.', () => {
    const record = sampleRecord();
    const lines = renderTabSeparated(record).split('\n').slice(0, -1);
    expect(lines.map((line) => line.split('\t').slice(0, 2))).toEqual(record.clauses.map(({ id, verdict }) => [id, verdict]));
    expect(new Set(lines.map((line) => line.split('\t').length))).toEqual(new Set([3]));
  });

  test('The option has its place in the help, a variable, and a message for what it does not take.', () => {
    const [option] = groupedOptions(sampleOptions, []);
    expect([option?.flags, option?.description]).toEqual(['--pause <seconds>', 'wait so long before the first request (default: 0)']);
    expect(resolveOptions(sampleOptions, {}, {})).toEqual({ pause: 0 });
    expect(resolveOptions(sampleOptions, {}, { PETSTORE_PAUSE: '5' })).toEqual({ pause: 5 });
    expect(() => resolveOptions(sampleOptions, { pause: '61' }, {})).toThrow('--pause: "61" is not an integer from 0 to 60 (seconds)');
  });

  test('The metric is in the text, with its words and its labels.', () => {
    const registry = createRegistry('petstore_probe_');
    reloadsOf(registry).inc({ reason: 'signal' });
    expect(registry.text()).toContain('# TYPE petstore_probe_config_reloads_total counter\n');
    expect(registry.text()).toContain('petstore_probe_config_reloads_total{reason="signal"} 1\n');
  });

  test('are in the page as they are compiled here', () => {
    const page = read('docs/internals/adding.md');
    expect(SAMPLE_FILES).toHaveLength(10);
    for (const path of SAMPLE_FILES) expect(page).toContain(`\`\`\`ts\n${read(path)}\`\`\``);
  });
});

describe.each(DOCUMENTS)('%s', (path) => {
  test('names npm scripts that exist', () => {
    for (const [, script = ''] of read(path).matchAll(/npm run (?:-s )?([a-z][\w:-]*)/g)) expect(scripts).toContain(script);
  });

  test('links to files that exist', () => {
    for (const [, target = ''] of read(path).matchAll(/\]\((?!https?:|#)([^)#]+)/g))
      expect(existsSync(join(ROOT, dirname(path), target)), target).toBe(true);
  });
});
