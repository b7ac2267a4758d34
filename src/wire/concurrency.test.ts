import { describe, expect, test } from 'vitest';
import { createAdaptiveConcurrency, createSemaphore } from './concurrency.ts';

describe('createSemaphore', () => {
  test('admits in the order of requests', async () => {
    const enter = createSemaphore(() => 1);
    const order: number[] = [];
    await Promise.all([1, 2, 3].map((number) => enter(async () => order.push(number))));
    expect(order).toEqual([1, 2, 3]);
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
    expect(await adaptive.withoutLearnedLimit(async () => adaptive.places())).toBe(8);
    expect(adaptive.places()).toBe(5);
  });

  test('holds nothing back if a single one is rejected too', () => {
    const adaptive = createAdaptiveConcurrency(8);
    for (const inFlight of [4, 2, 1, 5]) adaptive.fewerThan(inFlight);
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
      expect(await adaptive.withoutLearnedLimit(async () => adaptive.places())).toBe(latency === 400 ? 40 : 8);
    }
  });

  test('sends half as much at a time after a response that asks to wait, and one more after forty others', () => {
    const adaptive = createAdaptiveConcurrency(8);
    adaptive.halve();
    expect(adaptive.places()).toBe(4);
    for (let responses = 0; responses < 40; responses += 1) adaptive.note(1);
    expect(adaptive.places()).toBe(5);
  });
});
