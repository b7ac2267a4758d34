import { describe, expect, test } from 'vitest';
import { type Credential, createMeeting, getIntent, listIntent, plainInt64 } from './api.ts';

const credential: Credential = { note: 'the API key', standing: 'valid', headers: [] };
const list = (parameters: Parameters<typeof listIntent>[0], rawQuery?: string) => listIntent(parameters, { credential, rawQuery });

describe('listIntent', () => {
  test('recognizes limits of 1 to 100 and leaves every other open', () => {
    expect([1, 20, 100, '7'].map((limit) => list({ limit }).limit)).toEqual([1, 20, 100, 7]);
    expect([0, 101, -1, '07', '1.0', ''].map((limit) => list({ limit }).limit)).toEqual(Array(6).fill('open'));
    expect(list({}).limit).toBe('absent');
  });

  test('recognizes the statuses of the document and leaves every other open', () => {
    expect([list({ status: 'sold' }).status, list({ status: 'Sold' }).status, list({}).status]).toEqual(['sold', 'open', 'absent']);
  });

  test('leaves both open after a raw query that may name them, encoded, repeated, or malformed', () => {
    for (const raw of ['limit=5', 'a=1&status=sold', 'li%6Dit=5', '%zz'])
      expect(list({ limit: 5 }, raw)).toMatchObject({ limit: 'open', status: 'open' });
    expect(list({ limit: 5 }, 'colour=red')).toMatchObject({ limit: 5 });
  });
});

describe('plainInt64', () => {
  test('accepts only plain digits within int64', () => {
    expect(plainInt64('9223372036854775807')).toBe(9223372036854775807n);
    expect(plainInt64('-9223372036854775808')).toBe(-9223372036854775808n);
    for (const text of ['9223372036854775808', '-0', '+1', '01', '1.0', '1e3', '', ' 1', '0x1']) expect(plainInt64(text)).toBeUndefined();
    expect(getIntent(12n, credential).petId).toBe(12n);
  });
});

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
