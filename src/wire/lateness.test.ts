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
