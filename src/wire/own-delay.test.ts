import { expect, test } from 'vitest';
import { watchOwnDelay } from './own-delay.ts';

function holdUp(milliseconds: number): void {
  const begin = performance.now();
  while (performance.now() - begin < milliseconds);
}

const beats = (count: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, count * 50));

test('watchOwnDelay returns how long the process was blocked since a moment', async () => {
  const ownDelay = watchOwnDelay();
  const begin = performance.now();
  await beats(1);
  holdUp(300);
  expect(ownDelay.longestSince(begin)).toBeGreaterThan(200);
  // A busy machine may delay it again: waits until it does not.
  do await beats(3);
  while (ownDelay.longestSince(performance.now()) >= 200);
  expect(ownDelay.longestSince(begin)).toBeGreaterThan(200);
  ownDelay.stop();
});

test('watchOwnDelay takes the clock of its owner', () => {
  let now = 0;
  const calls: (() => void)[] = [];
  const ownDelay = watchOwnDelay({
    monotonic: () => now,
    after: (milliseconds, call) => {
      expect(milliseconds).toBe(50);
      calls.push(call);
      return () => calls.splice(0);
    },
  });
  now = 50;
  calls.shift()?.();
  expect(ownDelay.longestSince(0)).toBe(0);
  now = 400;
  // Not over yet.
  expect(ownDelay.longestSince(0)).toBe(300);
  calls.shift()?.();
  expect([ownDelay.longestSince(0), ownDelay.longestSince(401)]).toEqual([300, 0]);
  ownDelay.stop();
  expect(calls).toEqual([]);
});
