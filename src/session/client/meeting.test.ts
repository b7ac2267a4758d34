import { expect, test } from 'vitest';
import { createMeeting } from './meeting.ts';

test('releases all at the same moment, when the last one is ready', async () => {
  const meeting = createMeeting(3);
  const gone: number[] = [];
  const come = (one: number): Promise<unknown> => meeting.arrive().then(() => gone.push(one));
  const first = [come(1), come(2)];
  await new Promise(setImmediate);
  expect(gone).toEqual([]);
  await Promise.all([...first, come(3)]);
  expect(gone).toEqual([1, 2, 3]);
});

test('does not wait permanently for one that is never ready, and not at all once it is over', async () => {
  const meeting = createMeeting(2);
  const begin = performance.now();
  await meeting.arrive();
  expect(performance.now() - begin).toBeGreaterThan(200);
  // Over before a timer could have expired.
  const timer = new Promise((resolve) => setTimeout(resolve, 0, 'a timer'));
  expect(await Promise.race([meeting.arrive().then(() => 'at once'), timer])).toBe('at once');
});
