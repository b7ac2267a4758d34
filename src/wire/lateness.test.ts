import { expect, test } from 'vitest';
import { watchLateness } from './lateness.ts';

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

test('watchLateness takes the clock of its owner', () => {
  let now = 0;
  const calls: (() => void)[] = [];
  const lateness = watchLateness({
    monotonic: () => now,
    after: (milliseconds, call) => {
      expect(milliseconds).toBe(50);
      calls.push(call);
      return () => calls.splice(0);
    },
  });
  now = 50;
  calls.shift()?.();
  expect(lateness.worstSince(0)).toBe(0);
  now = 400;
  // Not over yet.
  expect(lateness.worstSince(0)).toBe(300);
  calls.shift()?.();
  expect([lateness.worstSince(0), lateness.worstSince(401)]).toEqual([300, 0]);
  lateness.stop();
  expect(calls).toEqual([]);
});
