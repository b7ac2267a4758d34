import { describe, expect, it } from 'vitest';
import { type Again, repairOf } from '../src/judge/again.ts';
import { isRepaired } from '../src/judge/repair.ts';
import { type RunInput, type RunResult, runSuite } from '../src/judge/run.ts';
import { AGAIN } from '../suites/plan/again.ts';
import { SUITE } from '../suites/plan/index.ts';
import { KEY, sessionOptions } from './judge-reference.ts';
import { settingOf } from './result.ts';
import { startReference } from './server.ts';

const run = (baseUrl: string, changes: Partial<RunInput> = {}): Promise<RunResult> =>
  runSuite({ ...SUITE, ...changes, options: sessionOptions(baseUrl, { timeout: 10_000, consistencyWindow: 500 }) });

describe.each([
  ['status-lost-on-creation', 'stored-status-lost', 'create.round-trip'],
  ['limits', 'limit-below-5-refused', 'list.limit-accepted'],
])('a run of what was broken (%s)', (_title, fault, clause) => {
  it('shows it once more by few requests, and passes once it is repaired', async () => {
    const { server } = settingOf([fault]);
    const broken = await startReference({ ...server, apiKey: KEY });
    const right = await startReference({ ...server, faults: [], apiKey: KEY });
    try {
      const text = JSON.stringify((await run(broken.baseUrl, { again: AGAIN })).again);
      const again = JSON.parse(text) as readonly Again[];
      expect(again.map((one) => one.clause)).toContain(clause);
      expect(text).not.toContain(KEY);
      const rows = { opening: AGAIN.opening, planOf: AGAIN.planOf(again) };
      const still = await run(broken.baseUrl, rows);
      expect(repairOf(again, still).broken).toContain(clause);
      expect(still.requests).toBeLessThan(60);
      // Four plain ones, and of each broken clause one, twice.
      expect(still.created).toBeLessThanOrEqual(4 + 2 * again.length);
      const repaired = repairOf(again, await run(right.baseUrl, rows));
      expect(repaired.repaired).toContain(clause);
      expect(isRepaired(repaired)).toBe(true);
    } finally {
      await Promise.all([broken.close(), right.close()]);
    }
  });
});
