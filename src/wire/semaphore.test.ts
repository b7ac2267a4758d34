import { describe, expect, test } from 'vitest';
import { createSemaphore } from './semaphore.ts';

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
