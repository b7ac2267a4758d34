import { describe, expect, test } from 'vitest';
import { KEY } from '../../proof/judge-reference.ts';
import { judgeFault, judgeSetting } from '../../proof/judge-server.ts';
import { plannedRequests } from '../../src/judge/run-size.ts';
import { startReference } from '../../src/reference/server.ts';
import { renderJson } from '../../src/report/render-json.ts';
import { requestsOf } from '../../src/report/tally.ts';
import type { SessionOptions } from '../../src/session/session.ts';

const KILOBYTE = 1_024;

/** What a run of a depth may create and write: a budget, because times vary. Seven animals, a fixed seed. */
const BUDGETS: readonly (Pick<SessionOptions, 'depth' | 'readOnly'> & { readonly animals: number })[] = [
  { depth: 'quick', readOnly: false, animals: 60 },
  { depth: 'standard', readOnly: false, animals: 210 },
  { depth: 'thorough', readOnly: false, animals: 300 },
  { depth: 'quick', readOnly: true, animals: 0 },
  { depth: 'standard', readOnly: true, animals: 0 },
  { depth: 'thorough', readOnly: true, animals: 0 },
];

describe('a run', () => {
  test.for(BUDGETS)(
    'of a conforming server at depth $depth, read-only: $readOnly, sends what was said beforehand',
    async ({ animals, ...extent }) => {
      const start = () => startReference({ apiKey: KEY, seedAnimals: 7 });
      const record = await judgeSetting({ start, session: { ...extent, maxCreates: 320, timeout: 20_000 } });
      expect(record.clauses.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
      expect(Math.abs(plannedRequests(extent) / requestsOf(record) - 1)).toBeLessThan(0.05);
      expect(record.animals.created.length).toBeLessThanOrEqual(animals);
      const text = renderJson(record);
      expect(text).not.toContain('"exchanges": [\n');
      expect(text.length).toBeLessThan(400 * KILOBYTE);
    },
  );

  test('of a server that shows another category on each read keeps at most 240 exchanges per clause', async () => {
    const { clauses } = await judgeFault('get-category-other', { session: { timeout: 20_000 } });
    const kept = clauses.map(({ findings }) => findings.reduce((sum, { exchanges }) => sum + exchanges.length, 0));
    expect(Math.max(...kept)).toBeGreaterThan(1);
    expect(Math.max(...kept)).toBeLessThanOrEqual(240);
  });
});
