import { expect, test } from 'vitest';
import { createTraceparents } from './traceparent.ts';

test('createTraces gives seven of eight requests a traceparent of their own, all with the digits of the run', () => {
  const next = createTraceparents();
  const traces = Array.from({ length: 80 }, next);
  const given = traces.filter((trace) => trace !== undefined);
  expect(given).toHaveLength(70);
  for (const trace of given) expect(trace).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  expect(new Set(given).size).toBe(70);
  expect(new Set(given.map((trace) => trace.slice(3, 11))).size).toBe(1);
});
