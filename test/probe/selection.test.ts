import { afterEach, describe, expect, test } from 'vitest';
import { createSmoke } from '../../src/probe/smoke.ts';
import { startReference } from '../../src/reference/server.ts';
import type { SuiteClause } from '../../suites/define.ts';
import { clauses } from '../../suites/index.ts';
import { probeClauses } from '../../suites/probe.ts';
import { KEY } from './keys.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function smoke(animals: number, selection: readonly SuiteClause[] = probeClauses) {
  const server = await startReference({ apiKey: KEY, seedAnimals: animals });
  closers.push(() => server.close());
  const { sample, run } = await createSmoke({ baseUrl: server.baseUrl, apiKey: () => KEY }, { clauses: selection, version: '0' }).run();
  if (run === undefined) throw new Error(sample.note);
  return { sample, record: run.record };
}

describe('probeClauses', () => {
  test('They are exactly the clauses that the smoke checks of all clauses reach a verdict on.', async () => {
    const { record } = await smoke(30, clauses);
    const open = ['inconclusive', 'not-applicable'];
    const decided = record.clauses.filter(({ verdict }) => !open.includes(verdict)).map(({ id }) => id);
    expect(probeClauses.map(({ id }) => id).sort()).toEqual(decided.sort());
  });

  test.for([30, 7, 3])('%d animals are judged with 10 to 20 requests, and nothing stays open.', async (animals) => {
    const { sample, record } = await smoke(animals);
    expect(sample).toMatchObject({ verdict: 'pass', failures: [] });
    expect(sample.requests).toBeGreaterThanOrEqual(10);
    expect(sample.requests).toBeLessThanOrEqual(20);
    // A part without requests of its own may have no case: a page of a few animals is not full.
    const decided = ['pass', ...(animals < 20 ? ['not-applicable'] : [])];
    expect(record.checks.filter(({ verdict }) => !decided.includes(verdict)).map(({ id, note }) => `${id}: ${note}`)).toEqual([]);
    expect(record.operations.find(({ operation }) => operation === 'createPet')?.requests).toBe(0);
  });

  test('A store with one animal is judged within 20 requests; the statuses that no animal has stay open.', async () => {
    const { sample, record } = await smoke(1);
    expect(sample.verdict).toBe('pass');
    expect(sample.requests).toBeLessThanOrEqual(20);
    const open = record.checks.filter(({ verdict, kind }) => verdict !== 'pass' && kind === 'check').map(({ id }) => id);
    expect(open).toEqual(['list.status-filter/each-status']);
  });

  test('An empty store gets fewer requests than one with animals, and each check says what it lacks.', async () => {
    const { sample, record } = await smoke(0);
    expect(sample.requests).toBeLessThan((await smoke(30)).sample.requests);
    const checks = record.checks.filter(({ kind }) => kind === 'check');
    expect(checks.map(({ note }) => note)).toContain('the store shows no animal, and a read-only run creates none');
    expect(checks.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  });
});
