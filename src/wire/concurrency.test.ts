import { describe, expect, test } from 'vitest';
import { createAdaptiveConcurrency, createDeadline, createSemaphore, watchLateness } from './concurrency.ts';
import type { ExchangeOutcome } from './exchange.ts';

type Asked = readonly [asker: string, pieces: number];

/** The order in which pieces of work are admitted one at a time, all requested while one is running. */
async function orderOf(askers: readonly Asked[], fewestFirst: () => boolean): Promise<readonly string[]> {
  const enter = createSemaphore(() => 1, fewestFirst);
  const order: string[] = [];
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const first = enter(() => begun, 'first');
  const asked = askers.flatMap(([asker, pieces]) =>
    Array.from({ length: pieces }, (_unused, index) => enter(async () => order.push(`${asker} ${index + 1}`), asker)),
  );
  begin();
  await Promise.all([first, ...asked]);
  return order;
}

describe('createSemaphore', () => {
  test('admits in the order of requests', async () => {
    expect(
      await orderOf(
        [
          ['table', 3],
          ['chain', 1],
        ],
        () => false,
      ),
    ).toEqual(['table 1', 'table 2', 'table 3', 'chain 1']);
  });

  test('admits the asker with the fewest waiting pieces first, the earlier of two equal ones, and keeps the order of each', async () => {
    expect(
      await orderOf(
        [
          ['table', 3],
          ['pair', 2],
          ['chain', 1],
          ['other chain', 1],
        ],
        () => true,
      ),
    ).toEqual(['chain 1', 'other chain 1', 'pair 1', 'pair 2', 'table 1', 'table 2', 'table 3']);
  });

  test('runs at most that many pieces of work at a time, and more once the bound has changed', async () => {
    let places = 2;
    let running = 0;
    let most = 0;
    const enter = createSemaphore(() => places);
    const work = async (): Promise<void> => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
    };
    await Promise.all(Array.from({ length: 6 }, () => enter(work)));
    expect(most).toBe(2);
    places = 4;
    await Promise.all(Array.from({ length: 6 }, () => enter(work)));
    expect(most).toBe(4);
  });
});

describe('createAdaptiveConcurrency', () => {
  test('learns how many at a time the service rejects, and sends fewer, except for work that is regardless of it', async () => {
    const adaptive = createAdaptiveConcurrency(8);
    adaptive.fewerThan(6);
    adaptive.fewerThan(7);
    expect(adaptive.places()).toBe(5);
    expect(await adaptive.regardless(async () => adaptive.places())).toBe(8);
    expect(adaptive.places()).toBe(5);
  });

  test('holds nothing back if a single one is rejected too', () => {
    const adaptive = createAdaptiveConcurrency(8);
    for (const underWay of [4, 2, 1, 5]) adaptive.fewerThan(underWay);
    expect(adaptive.places()).toBe(8);
  });

  test('sends up to five times as much at a time if the latency is high, and never if the bound is low', () => {
    for (const [concurrency, latency, places] of [
      [8, 10, 8],
      [8, 20, 16],
      [8, 50, 24],
      [8, 200, 32],
      [8, 400, 40],
      [4, 400, 4],
    ] as const) {
      const adaptive = createAdaptiveConcurrency(concurrency);
      adaptive.note(latency);
      expect(adaptive.places()).toBe(places);
    }
  });

  test('sends at most twice as much at a time if responses are late, but one of the last 32 was quick', () => {
    const adaptive = createAdaptiveConcurrency(8);
    for (const duration of [2, ...Array<number>(31).fill(400)]) adaptive.note(duration);
    expect(adaptive.places()).toBe(16);
    adaptive.note(400);
    expect(adaptive.places()).toBe(40);
    adaptive.note(2);
    expect(adaptive.places()).toBe(16);
  });

  test('has no more in flight than the allowed rate needs, except for work that is regardless of it', async () => {
    for (const [allowed, latency, places] of [
      [27, 3, 1],
      [270, 10, 6],
      [27, 400, 22],
      [5_000, 10, 8],
      [undefined, 3, 8],
    ] as const) {
      const adaptive = createAdaptiveConcurrency(8, () => allowed);
      adaptive.note(latency);
      expect(adaptive.places()).toBe(places);
      expect(await adaptive.regardless(async () => adaptive.places())).toBe(latency === 400 ? 40 : 8);
    }
  });

  test('sends half as much at a time after a response that asks to wait, and one more after forty others', () => {
    const adaptive = createAdaptiveConcurrency(8);
    adaptive.ease();
    expect(adaptive.places()).toBe(4);
    for (let responses = 0; responses < 40; responses += 1) adaptive.note(1);
    expect(adaptive.places()).toBe(5);
  });
});

function holdUp(milliseconds: number): void {
  const begin = performance.now();
  while (performance.now() - begin < milliseconds);
}

const beats = (count: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, count * 50));

test('watchLateness returns how long the process was blocked since a moment', async () => {
  const lateness = watchLateness();
  const begin = performance.now();
  await beats(1);
  holdUp(300);
  expect(lateness.worstSince(begin)).toBeGreaterThan(200);
  // A busy machine may delay it again: waits until it does not.
  do await beats(3);
  while (lateness.worstSince(performance.now()) >= 200);
  expect(lateness.worstSince(begin)).toBeGreaterThan(200);
  lateness.stop();
});

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
