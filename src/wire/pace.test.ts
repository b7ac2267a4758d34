import { describe, expect, test } from 'vitest';
import { createPace } from './pace.ts';

describe('a pace', () => {
  test('learns how many at a time the service rejects, and sends no more than that but for who asks regardless of it', async () => {
    const pace = createPace(8);
    pace.fewerThan(6);
    pace.fewerThan(7);
    expect(pace.places()).toBe(5);
    expect(await pace.regardless(async () => pace.places())).toBe(8);
    expect(pace.places()).toBe(5);
  });

  test('holds nothing back where a single one is rejected too', () => {
    const pace = createPace(8);
    for (const underWay of [4, 2, 1, 5]) pace.fewerThan(underWay);
    expect(pace.places()).toBe(8);
  });

  test('asks up to three times as much at a time where answers are late, and never where the bound is low', () => {
    for (const [concurrency, latency, places] of [
      [8, 50, 8],
      [8, 150, 16],
      [8, 300, 24],
      [8, 400, 24],
      [4, 400, 4],
    ] as const) {
      const pace = createPace(concurrency);
      pace.note(latency);
      expect(pace.places()).toBe(places);
    }
  });

  test('asks half as much at a time after a response that asks to wait, and one more after forty others', () => {
    const pace = createPace(8);
    pace.ease();
    expect(pace.places()).toBe(4);
    for (let answer = 0; answer < 40; answer += 1) pace.note(1);
    expect(pace.places()).toBe(5);
  });
});
