import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { inconclusive } from '../clause/halt.ts';
import { checkDeadline, INTERRUPTED, withinBounds } from './check.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test.each([
  ['without a rate', { timeBudget: 60_000, timeout: 3_000, rate: 0 }, 330_000],
  ['with a rate', { timeBudget: 60_000, timeout: 3_000, rate: 5 }, 630_000],
])('checkDeadline leaves a check its minutes, ten timeouts, and the requests of a run %s', (_case, options, expected) => {
  expect(checkDeadline(options)).toBe(expected);
});

const never = () => new Promise<never>(() => undefined);

test('withinBounds cuts off unfinished work at its bound, and not before', async () => {
  const outcome = withinBounds(never, { deadline: 240_000, stop: undefined });
  const early = await Promise.race([outcome, vi.advanceTimersByTimeAsync(239_999).then(() => 'under way')]);
  expect(early).toBe('under way');
  await vi.advanceTimersByTimeAsync(1);
  expect(await outcome).toEqual(inconclusive('did not finish within 240 s, and was stopped', 'service'));
});

test.each([
  ['is over', async () => ({ kind: 'pass', evidence: '3 animals' }) as const],
  ['breaks', async () => Promise.reject(new TypeError('ours'))],
])('withinBounds leaves neither a timer nor a listener behind when the work %s', async (_case, work) => {
  const { signal } = new AbortController();
  await withinBounds(work, { deadline: 1_000, stop: signal }).catch(() => undefined);
  expect(vi.getTimerCount()).toBe(0);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('withinBounds ends running work when the run is stopped', async () => {
  const controller = new AbortController();
  const outcome = withinBounds(never, { deadline: 1_000, stop: controller.signal });
  controller.abort();
  expect(await outcome).toEqual(inconclusive(INTERRUPTED, 'choice'));
});
