import { setImmediate as settled } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createStatedLimit, postponement, type RateClock, RateLimiter } from './rate-limit.ts';

type StatedHeaders = Parameters<typeof postponement>[0]['headers'];
const DATE = 'Mon, 23 Nov 2026 12:00:00 GMT';

function rateOf(...responses: readonly StatedHeaders[]): number | undefined {
  const stated = createStatedLimit();
  for (const headers of responses) stated.read({ headers });
  return stated.rate();
}

describe('postponement', () => {
  test.each<[string, number | undefined, StatedHeaders]>([
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
  test.each<[number | undefined, StatedHeaders]>([
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
    const at = (reset: string): StatedHeaders => [
      ['x-ratelimit-limit', '300'],
      ['x-ratelimit-reset', reset],
    ];
    expect(rateOf(at('20'), at('60'), at('59'), [])).toBe(5);
  });
});

/** A clock that only moves while everything sleeps. */
function createVirtualClock(): RateClock & { run(work: Promise<unknown>): Promise<void> } {
  let now = 0;
  const sleepers: { readonly at: number; readonly wake: () => void }[] = [];
  return {
    now: () => now,
    sleep: (milliseconds) =>
      new Promise<void>((wake) => {
        sleepers.push({ at: now + Math.max(0, milliseconds), wake });
      }),
    async run(work) {
      let over = false;
      void work.finally(() => {
        over = true;
      });
      for (;;) {
        await settled();
        if (over) return;
        sleepers.sort((one, other) => one.at - other.at);
        const next = sleepers.shift();
        if (next === undefined) throw new Error('nobody will wake up');
        now = next.at;
        next.wake();
      }
    },
  };
}

/** Milliseconds until a service accepts a request on that connection: 0 if it accepts it now. */
type Limit = (now: number, connection: number) => number;

const fixedWindow = (size: number, length = 1_000, phase = 370): Limit => {
  let window = -1;
  let used = 0;
  return (now) => {
    const current = Math.floor((now + phase) / length);
    if (current !== window) [window, used] = [current, 0];
    used += 1;
    return used <= size ? 0 : (current + 1) * length - phase - now;
  };
};

const slidingWindow = (size: number, length = 1_000): Limit => {
  const accepted: number[] = [];
  return (now) => {
    while ((accepted[0] ?? now) <= now - length) accepted.shift();
    if (accepted.length >= size) return (accepted[0] ?? now) + length - now;
    accepted.push(now);
    return 0;
  };
};

const bucket = (rate: number, capacity: number): Limit => {
  let tokens = capacity;
  let filledAt = 0;
  return (now) => {
    tokens = Math.min(capacity, tokens + ((now - filledAt) * rate) / 1_000);
    filledAt = now;
    if (tokens < 1) return ((1 - tokens) / rate) * 1_000;
    tokens -= 1;
    return 0;
  };
};

const each = (limit: () => Limit): Limit => {
  const limits = new Map<number, Limit>();
  return (now, connection) => {
    const own = limits.get(connection) ?? limit();
    limits.set(connection, own);
    return own(now, connection);
  };
};

type Headers = readonly (readonly [name: string, value: string])[];
type Service = {
  readonly limit: Limit;
  /** The headers of a response to a request that would be accepted after this many milliseconds. */
  readonly headersOf: (now: number, wait: number) => Headers;
};

const PLACES = 8;
const MOST_POSTPONEMENTS = 6;
/** Milliseconds each way. */
const WAY = 2;

/** Sends requests as the client does, and counts the results of those after the first second. */
async function simulate({ limit, headersOf }: Service, requests = 2_200) {
  const clock = createVirtualClock();
  const rateLimiter = new RateLimiter(0, clock);
  const stated = createStatedLimit();
  const busy = new Set<number>();
  const sent: { readonly at: number; readonly accepted: boolean }[] = [];
  let left = requests;
  let undecided = 0;
  async function ask(postponed = 0): Promise<void> {
    await rateLimiter.waitForTurn();
    const sentAt = clock.now();
    // The first free connection, as in a pool.
    const connection = Array.from({ length: PLACES }, (_, index) => index).find((index) => !busy.has(index)) ?? 0;
    busy.add(connection);
    await clock.sleep(WAY);
    const closed = limit(clock.now(), connection);
    const headers = headersOf(clock.now(), closed);
    await clock.sleep(WAY);
    busy.delete(connection);
    sent.push({ at: sentAt, accepted: closed === 0 });
    stated.read({ headers });
    const wait = postponement({ status: closed === 0 ? 200 : 429, headers }, postponed);
    if (wait === undefined) return rateLimiter.accepted(sentAt, { again: postponed > 0 });
    if (postponed < MOST_POSTPONEMENTS && rateLimiter.postpone({ sentAt, wait, limit: { stated: stated.rate() } }))
      return ask(postponed + 1);
    undecided += 1;
  }
  async function work(): Promise<void> {
    while (left > 0) {
      left -= 1;
      await ask();
    }
  }
  await clock.run(Promise.all(Array.from({ length: PLACES }, work)));
  const later = sent.filter(({ at }) => at >= 1_000);
  const accepted = sent.filter((one) => one.accepted).length;
  // While the service asks to wait, it allows nothing.
  const usable = clock.now() - rateLimiter.waited();
  return { undecided, rejected: later.filter((one) => !one.accepted).length / later.length, rate: (accepted * 1_000) / usable };
}

const utc = (time: number): string => new Date(time).toUTCString();
const EPOCH = Date.parse('2026-11-23T12:00:00.400Z');

/** Ways to say when to retry. */
const WORDS: Readonly<Record<string, Service['headersOf']>> = {
  'in seconds': (_now, wait) => [['retry-after', String(Math.ceil(wait / 1_000))]],
  'with a date two seconds ahead': (now, wait) => [
    ['date', utc(EPOCH + now)],
    ['retry-after', utc(EPOCH + now + Math.max(2_000, wait))],
  ],
  'with a date of a clock that is an hour slow': (now, wait) => [
    ['date', utc(EPOCH + now - 3_600_000)],
    ['retry-after', utc(EPOCH + now - 3_600_000 + wait + 1_000)],
  ],
  'without a word': () => [],
};

const SHORT_LIMITS: Readonly<Record<string, (rate: number) => Limit>> = {
  'a fixed window of a second': (rate) => fixedWindow(rate),
  'a sliding window of a second': (rate) => slidingWindow(rate),
  'a bucket of one second': (rate) => bucket(rate, rate),
  'a bucket of three seconds': (rate) => bucket(rate, 3 * rate),
  'a fixed window of each connection': (rate) => each(() => fixedWindow(rate)),
  'a sliding window of each connection': (rate) => each(() => slidingWindow(rate)),
};
const LONG_LIMITS: Readonly<Record<string, (rate: number) => Limit>> = {
  'a fixed window of three seconds': (rate) => fixedWindow(3 * rate, 3_000),
  'a fixed window of ten seconds': (rate) => fixedWindow(10 * rate, 10_000),
  'a fixed window of a minute': (rate) => fixedWindow(60 * rate, 60_000),
  'a sliding window of a minute': (rate) => slidingWindow(60 * rate, 60_000),
};
const TOLD = Object.entries(WORDS).filter(([name]) => name !== 'without a word');

const CASES = [
  ...Object.entries(SHORT_LIMITS).flatMap(([limit, limitOf]) =>
    Object.entries(WORDS).map(([words, headersOf]) => ({ limit, limitOf, words, headersOf, rates: [5, 10, 30, 100, 300] })),
  ),
  ...Object.entries(LONG_LIMITS).flatMap(([limit, limitOf]) =>
    TOLD.map(([words, headersOf]) => ({ limit, limitOf, words, headersOf, rates: [5, 10, 30] })),
  ),
  ...Object.entries(WORDS).map(([words, headersOf]) => ({
    ...{ limit: 'a bucket without room', limitOf: (rate: number) => bucket(rate, 1), words, headersOf, rates: [5, 10, 30] },
  })),
];

describe('RateLimiter', () => {
  test.each(CASES)('learns the rate of $limit that rejects $words', async ({ limitOf, headersOf, rates }) => {
    for (const rate of rates) {
      const seen = await simulate({ limit: limitOf(rate), headersOf });
      expect(seen.undecided, `${rate} a second: undecided`).toBe(0);
      expect(seen.rejected, `${rate} a second: rejected`).toBeLessThanOrEqual(0.02);
      expect(seen.rate, `${rate} a second: accepted a second`).toBeGreaterThanOrEqual(0.85 * rate);
    }
  });

  test('keeps to the limit that a service states, or to what was counted if that is not true', async () => {
    const headersOf = (limit: string): Service['headersOf'] => {
      return (_now, wait) => [
        ['x-ratelimit-limit', limit],
        ['x-ratelimit-reset', '1'],
        ['retry-after', String(Math.ceil(wait / 1_000))],
      ];
    };
    const stated = await simulate({ limit: fixedWindow(30), headersOf: headersOf('30') }, 300);
    expect(stated).toMatchObject({ undecided: 0, rejected: 0 });
    expect(stated.rate).toBeGreaterThanOrEqual(0.85 * 30);
    const untrue = await simulate({ limit: bucket(30, 100), headersOf: headersOf('100') });
    expect(untrue.rejected).toBeLessThanOrEqual(0.02);
    expect(untrue.rate).toBeGreaterThanOrEqual(0.85 * 30);
  });

  test('waits for a limit as often as it takes, but not for what never accepts a request again', () => {
    const clock = createVirtualClock();
    const rateLimiter = new RateLimiter(0, clock);
    const wait = 30_000;
    const asked = (): boolean => rateLimiter.postpone({ sentAt: clock.now(), wait });
    return clock.run(
      (async () => {
        for (let time = 0; time < 10; time += 1) {
          expect(asked()).toBe(true);
          await clock.sleep(wait);
          rateLimiter.accepted(clock.now(), { again: true });
        }
        expect(rateLimiter.waited()).toBe(10 * wait);
        for (const waited of [true, true, true, false]) {
          expect(asked()).toBe(waited);
          await clock.sleep(wait);
        }
        expect(rateLimiter.postpone({ sentAt: clock.now(), wait: 3_600_000 })).toBe(false);
      })(),
    );
  });

  test('forgets a rate that was learned by rejections which no waiting ended', () => {
    const rateLimiter = new RateLimiter(0, createVirtualClock());
    rateLimiter.accepted(0, { again: false });
    rateLimiter.postpone({ sentAt: 0, wait: 500, limit: { stated: undefined } });
    expect(rateLimiter.allowed()).toBeGreaterThan(0);
    rateLimiter.dropLearnedRate();
    expect(rateLimiter.allowed()).toBeUndefined();
  });

  test('counts how much longer everything takes because of the service, and not the configured rate', async () => {
    const clock = createVirtualClock();
    const rateLimiter = new RateLimiter(50, clock);
    const turns = (count: number) =>
      Promise.all(
        Array.from({ length: count }, () => rateLimiter.waitForTurn().then(() => rateLimiter.accepted(clock.now(), { again: false }))),
      );
    await clock.run(turns(10));
    expect(rateLimiter.heldBack()).toBe(0);
    const begin = clock.now();
    rateLimiter.postpone({ sentAt: begin, wait: 1_000, limit: { stated: 10 } });
    await clock.run(turns(19));
    // The wait, and 18 requests at nine a second.
    expect(rateLimiter.heldBack()).toBeCloseTo(3_000, 0);
    expect(clock.now() - begin).toBeCloseTo(3_000, 0);
  });

  test('keeps to a rate in the long run, in the order of requests, however late a timer is', async () => {
    const clock = createVirtualClock();
    const rateLimiter = new RateLimiter(100, { now: clock.now, sleep: (milliseconds) => clock.sleep(milliseconds + 7) });
    const turns: number[] = [];
    await clock.run(Promise.all(Array.from({ length: 100 }, (_, index) => rateLimiter.waitForTurn().then(() => turns.push(index)))));
    expect(turns).toEqual(turns.toSorted((one, other) => one - other));
    expect(clock.now()).toBeGreaterThanOrEqual(980);
    expect(clock.now()).toBeLessThanOrEqual(1_010);
  });
});
