import { describe, expect, test } from 'vitest';
import { createDeadline } from './deadline.ts';
import type { ExchangeOutcome } from './exchange.ts';

const complete: ExchangeOutcome = {
  kind: 'answered',
  answer: { status: 200, headers: [], size: 2, text: '[]', json: { ok: true, value: [] } },
};
const timedOut: ExchangeOutcome = { kind: 'failed', failure: { reason: 'timeout', message: 'the deadline has passed', stale: false } };

function deadlineAfter(timeouts: number, { slowest }: { readonly slowest: number }) {
  const deadline = createDeadline(10_000);
  if (slowest > 0) deadline.note(complete, slowest);
  for (let count = 0; count < timeouts; count += 1) deadline.note(timedOut, 10_000);
  return deadline;
}

describe('createDeadline', () => {
  test('gives each request the whole time until six have hung', () => {
    expect(deadlineAfter(5, { slowest: 3 }).current()).toBe(10_000);
    expect(deadlineAfter(5, { slowest: 3 }).shortenedAfter()).toBeUndefined();
  });

  test('then gives a fifth of the time', () => {
    expect(deadlineAfter(6, { slowest: 3 }).current()).toBe(2_000);
    expect(deadlineAfter(6, { slowest: 3 }).shortenedAfter()).toBe(6);
  });

  test('never gives less than three times what the slowest response took', () => {
    expect(deadlineAfter(6, { slowest: 1_500 }).current()).toBe(4_500);
    expect(deadlineAfter(6, { slowest: 9_000 }).current()).toBe(10_000);
  });

  test('counts nothing before the first response: the service may be starting', () => {
    expect(deadlineAfter(6, { slowest: 0 }).current()).toBe(10_000);
  });
});
