import { describe, expect, test } from 'vitest';
import { createStatedLimit, postponement } from './rate-limit.ts';

type Headers = Parameters<typeof postponement>[0]['headers'];
const DATE = 'Mon, 23 Nov 2026 12:00:00 GMT';

function rateOf(...responses: readonly Headers[]): number | undefined {
  const stated = createStatedLimit();
  for (const headers of responses) stated.read({ headers });
  return stated.rate();
}

describe('postponement', () => {
  test.each<[string, number | undefined, Headers]>([
    ['seconds', 2_000, [['retry-after', ' 2 ']]],
    [
      'a date, by the clock of the service',
      2_000,
      [
        ['date', DATE],
        ['retry-after', 'Mon, 23 Nov 2026 12:00:02 GMT'],
      ],
    ],
    [
      'a date that has passed',
      50,
      [
        ['date', DATE],
        ['retry-after', 'Mon, 23 Nov 2026 11:59:00 GMT'],
      ],
    ],
    ['neither', 500, [['retry-after', 'soon']]],
    ['nothing', 500, []],
  ])('is what Retry-After says: %s', (_what, wait, headers) => {
    expect(postponement({ status: 429, headers }, 0)).toBe(wait);
  });

  test('is that of 503 if Retry-After says so, and of no other status', () => {
    expect(postponement({ status: 503, headers: [['retry-after', '1']] }, 0)).toBe(1_000);
    for (const status of [200, 503]) expect(postponement({ status, headers: [] }, 0)).toBeUndefined();
    expect(postponement({ status: 200, headers: [['retry-after', '1']] }, 0)).toBeUndefined();
  });

  test('doubles each time if nothing is stated', () => {
    expect([0, 1, 2, 3].map((attempt) => postponement({ status: 429, headers: [] }, attempt))).toEqual([500, 1_000, 2_000, 4_000]);
  });
});

describe('the limit that a service states', () => {
  test.each<[number | undefined, Headers]>([
    [10, [['ratelimit-policy', '"default";q=600;w=60']]],
    [5, [['ratelimit-policy', '"burst";q=20;w=1, "hourly";q=18000;w=3600']]],
    [
      2,
      [
        ['ratelimit-policy', '120;w=60'],
        ['ratelimit', 'limit=120, remaining=3, reset=7'],
      ],
    ],
    [10, [['ratelimit-limit', '100, 100;w=10']]],
    [
      25,
      [
        ['ratelimit-limit', '100'],
        ['ratelimit-reset', '4'],
      ],
    ],
    [25, [['ratelimit', 'limit=100, remaining=3, reset=4']]],
    [
      30,
      [
        ['x-ratelimit-limit', '30'],
        ['x-ratelimit-reset', '0'],
      ],
    ],
    [
      0.5,
      [
        ['x-ratelimit-limit', '30'],
        ['x-ratelimit-reset', '60'],
      ],
    ],
    [
      0.5,
      [
        ['date', DATE],
        ['x-ratelimit-limit', '30'],
        ['x-ratelimit-reset', String(Date.parse(DATE) / 1_000 + 60)],
      ],
    ],
    [
      0.5,
      [
        ['date', DATE],
        ['x-ratelimit-limit', '30'],
        ['x-ratelimit-reset', String(Date.parse(DATE) + 60_000)],
      ],
    ],
    [
      undefined,
      [
        ['x-ratelimit-limit', 'plenty'],
        ['x-ratelimit-remaining', '3'],
      ],
    ],
    [
      undefined,
      [
        ['ratelimit-policy', '"default";q=0;w=0'],
        ['x-ratelimit-limit', '0'],
      ],
    ],
    [undefined, []],
  ])('is %s a second: %j', (rate, headers) => {
    expect(rateOf(headers)).toBe(rate);
  });

  test('uses the longest time until the end of a window as its length, and keeps what was stated last', () => {
    const at = (reset: string): Headers => [
      ['x-ratelimit-limit', '300'],
      ['x-ratelimit-reset', reset],
    ];
    expect(rateOf(at('20'), at('60'), at('59'), [])).toBe(5);
  });
});
