import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { viewRun } from '../../src/diagnosis/cause.ts';
import type { SessionClause } from '../../src/oracle/world.ts';
import { baseParts } from '../../src/reference/core/base.ts';
import { judgeReference, judgeServer, startParts } from '../prove/judge-reference.ts';
import { judgeFault } from '../prove/judge-server.ts';
import { sampleRecord } from '../report/sample-record.ts';
import { largestLimitExcluded } from './limits.causes.ts';
import { sampleFaults } from './limits.faults.ts';
import { sampleVariants } from './limits.variants.ts';
import { listContents } from './list-contents.clause.ts';
import { statusRule } from './status-rule.clause.ts';
import { storedValue } from './stored-value.clause.ts';
import { renderTabSeparated } from './tab-separated.report.ts';

const ROOT = join(import.meta.dirname, '../..');
const SAMPLES: readonly SessionClause[] = [statusRule, listContents, storedValue];
const FAULT_OF_SAMPLE: Readonly<Record<string, string>> = {
  'list.limit-accepted/smallest': 'limit-1-refused',
  'list.status-filter/pending': 'filter-pending-gives-sold',
  'create.round-trip/one-animal': 'stored-name-lower-case',
};
const DOCUMENTS = ['README.md', ...globSync('{CONTRIBUTING.md,docs/**/*.md}', { cwd: ROOT }).sort()];

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const scripts = Object.keys((JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts);

describe('the samples of docs/internals/adding.md', () => {
  test.each(SAMPLES.map((clause) => [clause.id, clause] as const))('%s passes a conforming server', async (_id, clause) => {
    const { records } = await judgeReference({ seedAnimals: 30 }, { judged: [clause] });
    expect(records.map(({ verdict }) => verdict)).toEqual(['pass']);
  });

  test.each(SAMPLES.flatMap((clause) => clause.checks.map(({ id }) => [id, FAULT_OF_SAMPLE[id], clause] as const)))(
    '%s is red with the fault %s',
    async (id, fault, clause) => {
      const { records } = await judgeReference({ seedAnimals: 30, faults: [fault ?? 'none'] }, { judged: [clause] });
      expect(records.map((record) => [record.id, record.verdict])).toEqual([[id, 'fail']]);
    },
  );

  test.each(Object.values(sampleFaults))('The fault $name turns its clause red, and no other.', async ({ apply, clause }) => {
    const { records } = await judgeServer(() => startParts(apply(baseParts), { seedAnimals: 30 }));
    expect(new Set(records.filter(({ verdict }) => verdict === 'fail').map((record) => record.clause))).toEqual(new Set([clause]));
  });

  test.each(Object.values(sampleVariants))('The variant $name conforms.', async ({ apply }) => {
    const { records } = await judgeServer(() => startParts(apply(baseParts), { seedAnimals: 30 }));
    expect(records.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  });

  test('The cause is found for the fault that has it, and not for one that resembles it.', async () => {
    const signs = async (fault: string): Promise<number> => {
      const run = viewRun(await judgeFault(fault, { only: largestLimitExcluded.clauses }));
      const own = run.failed(...largestLimitExcluded.clauses);
      return own.filter((failure) => largestLimitExcluded.sign(failure, run) !== undefined).length;
    };
    expect(await signs('limit-100-refused')).toBeGreaterThan(0);
    expect(await signs('limit-13-refused')).toBe(0);
  });

  test('The report has a line for each clause, and can be read back.', () => {
    const record = sampleRecord();
    const lines = renderTabSeparated(record).split('\n').slice(0, -1);
    expect(lines.map((line) => line.split('\t').slice(0, 2))).toEqual(record.clauses.map(({ id, verdict }) => [id, verdict]));
    expect(new Set(lines.map((line) => line.split('\t').length))).toEqual(new Set([3]));
  });

  test('are in the page as they are compiled here', () => {
    const page = read('docs/internals/adding.md');
    const samples = globSync('test/guide/*.{causes,clause,faults,report,variants}.ts', { cwd: ROOT });
    expect(samples).not.toEqual([]);
    for (const path of samples) expect(page).toContain(`\`\`\`ts\n${read(path)}\`\`\``);
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
