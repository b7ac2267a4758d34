import { describe, expect, test } from 'vitest';
import { readDeprecation, readSunset } from './announcements.ts';

describe('readSunset', () => {
  test('reads the time of an IMF-fixdate', () => {
    expect(readSunset('Thu, 05 Dec 2030 00:00:00 GMT')).toEqual({ ok: true, time: Date.UTC(2030, 11, 5) });
  });

  test.each([
    '2030-12-05',
    '1922659200',
    '@1922659200',
    'Thu, 5 Dec 2030 00:00:00 GMT',
    'Thu, 05 Dec 2030 00:00:00 UTC',
    'Thursday, 05-Dec-30 00:00:00 GMT',
    '',
  ])('rejects the other form %j', (text) => {
    expect(readSunset(text)).toMatchObject({ ok: false, problem: expect.stringContaining('IMF-fixdate') });
  });

  test('rejects a weekday that does not match the date, and still returns the time', () => {
    expect(readSunset('Mon, 05 Dec 2030 00:00:00 GMT')).toEqual({
      ok: false,
      problem: 'says Mon, but that date is a Thu',
      time: Date.UTC(2030, 11, 5),
    });
  });

  test.each(['Mon, 31 Feb 2030 00:00:00 GMT', 'Thu, 05 Foo 2030 00:00:00 GMT', 'Thu, 05 Dec 2030 25:00:00 GMT'])(
    'rejects %j, which does not exist',
    (text) => {
      expect(readSunset(text)).toEqual({ ok: false, problem: 'names a date or time that does not exist' });
    },
  );
});

describe('readDeprecation', () => {
  test.each([
    ['@1735689600', 1_735_689_600_000],
    ['@-1', -1000],
    ['@1735689600;reason=old', 1_735_689_600_000],
  ])('reads the structured date %j', (text, time) => {
    expect(readDeprecation(text)).toEqual({ ok: true, time });
  });

  test.each(['true', '1735689600', '?1', '@', '@1.5', '@1735689600 '])('rejects %j without returning a time', (text) => {
    expect(readDeprecation(text)).toEqual({ ok: false, problem: 'is not a structured date such as "@1735689600"' });
  });

  test('rejects the HTTP-date of the drafts and returns its time', () => {
    expect(readDeprecation('Wed, 01 Jan 2025 00:00:00 GMT')).toMatchObject({ ok: false, time: Date.UTC(2025, 0, 1) });
  });
});
