import { type Dispatcher, errors } from 'undici';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { KeptConnections, type Waiting } from './kept-connections.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

type KeeperOptions = { readonly closing?: () => Promise<void>; readonly ownDelaySince?: (begin: number) => number };

/** Kept connections of which so many are open, and how many each dispatcher keeps; closed ones are negative. */
function keeperWith(open: number, { closing = () => Promise.resolve(), ownDelaySince = () => 0 }: KeeperOptions = {}) {
  const kept: number[] = [];
  const keeper = new KeptConnections({
    most: 40,
    usual: () => 5,
    ownDelaySince,
    open(connections) {
      kept.push(connections);
      const listeners = new Map<string, () => void>();
      const dispatcher = {
        on: (event: string, listener: () => void) => void listeners.set(event, listener),
        async close() {
          for (let left = open; left > 0; left -= 1) listeners.get('disconnect')?.();
          await closing();
        },
        destroy: async () => undefined,
      };
      queueMicrotask(() => {
        for (let left = kept.length === 1 ? open : 0; left > 0; left -= 1) listeners.get('connect')?.();
      });
      return dispatcher as unknown as Dispatcher;
    },
  });
  return { kept, keeper };
}

const waiting = (bytes = 0): { connected: boolean; bytes: number } & Waiting => ({ connected: true, bytes });

test('A request that waits while connections are idle gets room, and half as many are kept.', async () => {
  const { kept, keeper } = keeperWith(8);
  const request = waiting();
  const stop = keeper.watch(request);
  await vi.advanceTimersByTimeAsync(900);
  keeper.watch(waiting(20))();
  await vi.advanceTimersByTimeAsync(200);
  expect(kept).toEqual([40, 4]);
  request.bytes = 20;
  stop();
  expect(keeper.fewServed()).toMatch(/kept at most 4 from then on/);
});

test.each([
  ['nothing else is served meanwhile', undefined],
  ['others were served only at its beginning', 100],
])('Nothing is said of the connections of a service if a request waits and %s: the service itself was held up.', async (_what, served) => {
  const { kept, keeper } = keeperWith(8);
  const request = waiting();
  const stop = keeper.watch(request);
  await vi.advanceTimersByTimeAsync(served ?? 0);
  if (served !== undefined) keeper.watch(waiting(20))();
  await vi.advanceTimersByTimeAsync(1_100);
  request.bytes = 20;
  stop();
  expect(kept).toEqual([40, 4]);
  expect(keeper.fewServed()).toBeUndefined();
});

test('No connection is closed after a delay of this process, until a request has waited for as long without one.', async () => {
  const { kept, keeper } = keeperWith(8, { ownDelaySince: (begin) => Math.max(0, 1_000 - begin + started) });
  const started = performance.now();
  keeper.watch(waiting());
  await vi.advanceTimersByTimeAsync(1_100);
  expect(kept).toEqual([40]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(kept).toEqual([40, 4]);
});

test('If it waits on, idle connections are not the reason: as many as before are kept, for good.', async () => {
  const { kept, keeper } = keeperWith(8);
  keeper.watch(waiting());
  await vi.advanceTimersByTimeAsync(2_100);
  expect(kept).toEqual([40, 4, 40]);
  keeper.watch(waiting());
  await vi.advanceTimersByTimeAsync(2_100);
  expect(kept).toEqual([40, 4, 40]);
  expect(keeper.fewServed()).toBeUndefined();
});

test('The same where it ends without a response before that.', async () => {
  const { kept, keeper } = keeperWith(8);
  const stop = keeper.watch(waiting());
  await vi.advanceTimersByTimeAsync(1_100);
  stop();
  expect(kept).toEqual([40, 4, 40]);
});

test('Nothing changes while no connection is idle, or before a connection is there.', async () => {
  const { kept, keeper } = keeperWith(1);
  keeper.take();
  keeper.watch(waiting());
  keeper.watch({ connected: false, bytes: 0 });
  await vi.advanceTimersByTimeAsync(2_100);
  expect(kept).toEqual([40]);
});

test('Nothing is opened any more after the connections were destroyed, even if a request still waits.', async () => {
  const { kept, keeper } = keeperWith(8);
  keeper.watch(waiting());
  await vi.advanceTimersByTimeAsync(1_100);
  await keeper.destroy(new Error('the run is over'));
  await vi.advanceTimersByTimeAsync(2_100);
  expect(kept).toEqual([40, 4]);
});

test('A dispatcher that is destroyed before it has closed rejects nothing that nobody handles.', async () => {
  const rejected: unknown[] = [];
  const note = (reason: unknown): void => void rejected.push(reason);
  process.on('unhandledRejection', note);
  const { keeper } = keeperWith(8, { closing: () => Promise.reject(new errors.ClientDestroyedError()) });
  keeper.watch(waiting());
  await vi.advanceTimersByTimeAsync(2_100);
  vi.useRealTimers();
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', note);
  expect(rejected).toEqual([]);
});
