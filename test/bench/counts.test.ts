import { describe, expect, test } from 'vitest';
import { plannedRequests } from '../../src/judge/time-limit.ts';
import { renderJson } from '../../src/report/render-json.ts';
import type { SessionOptions } from '../../src/session/session.ts';
import { clauses } from '../../suites/index.ts';
import { judgeReference, recordOfRun } from '../prove/judge-reference.ts';

const KILOBYTE = 1_024;

const cheap = clauses.map((clause) => ({ ...clause, checks: clause.checks.filter(({ exhaustive }) => !exhaustive) }));

/** What a run of a depth may send and write: a budget, because times vary. Seven animals, a fixed seed. */
const BUDGETS: readonly { readonly depth: SessionOptions['depth']; readonly requests: number; readonly animals: number }[] = [
  { depth: 'quick', requests: 1_190, animals: 200 },
  { depth: 'standard', requests: 2_550, animals: 250 },
];

describe('a run', () => {
  test.for(BUDGETS)('of a conforming server at depth $depth sends at most $requests requests', async ({ depth, requests, animals }) => {
    // A busy machine would make generated cases fewer.
    const session = { depth, timeout: 20_000, timeBudget: 600_000 };
    const run = await judgeReference({ seedAnimals: 7 }, { session, judged: depth === 'quick' ? cheap : clauses });
    expect(run.records.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    expect(run.requests).toBeLessThanOrEqual(requests);
    expect(run.requests).toBeGreaterThan(requests / 2);
    expect(run.created).toBeLessThanOrEqual(animals);
    // What the command line says beforehand, and cuts a run by where the service limits the rate.
    expect(Math.abs(plannedRequests({ depth, readOnly: false }) / run.requests - 1)).toBeLessThan(0.1);
    const text = renderJson(recordOfRun(run));
    expect(text).not.toContain('"exchanges": [\n');
    expect(text.length).toBeLessThan(400 * KILOBYTE);
  });

  test('of a server that shows another category on each read keeps at most 240 exchanges per clause', async () => {
    const judged = clauses.filter(({ id }) => /^(?:list|get|record)\./.test(id));
    const run = await judgeReference({ seedAnimals: 30, faults: ['get-category-other'] }, { session: { timeout: 20_000 }, judged });
    const kept = new Map<string, number>();
    for (const { clause, findings } of run.records)
      for (const { exchanges } of findings) kept.set(clause, (kept.get(clause) ?? 0) + exchanges.length);
    expect(kept.size).toBeGreaterThan(1);
    expect(Math.max(...kept.values())).toBeLessThanOrEqual(240);
  });
});
