import { describe, expect, test } from 'vitest';
import { createPace } from './pace.ts';

describe('a pace', () => {
  test('learns how many at a time the service rejects, and sends fewer, except for work that is regardless of it', async () => {
    const pace = createPace(8);
    pace.fewerThan(6);
    pace.fewerThan(7);
    expect(pace.places()).toBe(5);
    expect(await pace.regardless(async () => pace.places())).toBe(8);
    expect(pace.places()).toBe(5);
  });

  test('holds nothing back if a single one is rejected too', () => {
    const pace = createPace(8);
    for (const underWay of [4, 2, 1, 5]) pace.fewerThan(underWay);
    expect(pace.places()).toBe(8);
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
      const pace = createPace(concurrency);
      pace.note(latency);
      expect(pace.places()).toBe(places);
    }
  });

  test('sends at most twice as much at a time if responses are late, but one of the last 32 was quick', () => {
    const pace = createPace(8);
    for (const duration of [2, ...Array<number>(31).fill(400)]) pace.note(duration);
    expect(pace.places()).toBe(16);
    pace.note(400);
    expect(pace.places()).toBe(40);
    pace.note(2);
    expect(pace.places()).toBe(16);
  });

  test('has no more in flight than the allowed rate needs, except for work that is regardless of it', async () => {
    for (const [allowed, latency, places] of [
      [27, 3, 1],
      [270, 10, 6],
      [27, 400, 22],
      [5_000, 10, 8],
      [undefined, 3, 8],
    ] as const) {
      const pace = createPace(8, () => allowed);
      pace.note(latency);
      expect(pace.places()).toBe(places);
      expect(await pace.regardless(async () => pace.places())).toBe(latency === 400 ? 40 : 8);
    }
  });

  test('sends half as much at a time after a response that asks to wait, and one more after forty others', () => {
    const pace = createPace(8);
    pace.ease();
    expect(pace.places()).toBe(4);
    for (let answer = 0; answer < 40; answer += 1) pace.note(1);
    expect(pace.places()).toBe(5);
  });
});
