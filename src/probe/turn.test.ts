import { afterEach, describe, expect, test } from 'vitest';
import { KEY, sessionOptions } from '../../proof/judge-reference.ts';
import { WORDING } from '../../suites/plan/narrowing.ts';
import { PROBE, SMOKE_CLAUSES, turnsOf } from '../../suites/plan/smoke.ts';
import { type Asked, type FrontOptions, startFront, startSame } from '../../test/support/front.ts';
import { closingOf } from '../judge/closing.ts';
import type { Row } from '../plan/row.ts';
import { impressionsIn } from './changes/impressions.ts';
import { judgeTurn, type ProbeResult, type ProbeRun } from './turn.ts';
import { type FailingRow, NO_TURN, nextTurn, type PlannedTurn, startOf, type TurnPlan } from './turn-state.ts';

const PLAN: TurnPlan = { ...turnsOf(), consentsOf: PROBE.consentsOf };
const NOW = 1_800_000_000_000;
const BUDGET = 20;

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

type Changes = Partial<Omit<ProbeRun, 'turn'>> & {
  readonly planned?: Partial<PlannedTurn>;
  readonly nearMisses?: boolean;
  readonly timeout?: number;
};

const runOf = (baseUrl: string, { planned, nearMisses = false, timeout = 5_000, ...more }: Changes = {}): Promise<ProbeResult> =>
  judgeTurn({
    ...{ ...PROBE, deadline: 30_000, options: sessionOptions(baseUrl, { concurrency: 2, consistencyWindow: 0, timeout }) },
    ...(planned === undefined ? {} : { turn: { budget: BUDGET, nearMisses, now: NOW, planned: { ...NO_TURN, ...planned } } }),
    ...more,
  });

/** A service behind a front that notes what it is asked. */
async function serve(options: FrontOptions = {}): Promise<{ readonly baseUrl: string; readonly asked: readonly Asked[] }> {
  const asked: Asked[] = [];
  const front = await startFront({
    ...options,
    service: { seedAnimals: 30, ...options.service },
    instead(one, response) {
      asked.push(one);
      return options.instead?.(one, response) ?? false;
    },
  });
  closers.push(front.close);
  return { baseUrl: front.baseUrl, asked };
}

const limitRow = (limit: number): Row => ({ op: 'list', limit });
const failing = (row: Row): FailingRow => ({ row, clause: 'errors.no-server-error', confirmed: false, at: NOW });
/** A list with that limit returns 500, so many times. */
const crashing = (limit: number, times = Number.POSITIVE_INFINITY): FrontOptions => {
  let left = times;
  return {
    change({ url }) {
      if (!url.endsWith(`limit=${limit}`) || left <= 0) return {};
      left -= 1;
      return { status: 500, body: JSON.stringify({ code: 'crashed', message: 'It crashed', status: 500 }) };
    },
  };
};

describe('a run of the probe', () => {
  test('sends eighteen requests, then its turn within the budget; all of them read, and the API key is in Authorization only', async () => {
    const { baseUrl, asked } = await serve();
    const limits = { budget: BUDGET, nearMisses: true, now: NOW };
    const planned = nextTurn(startOf(PLAN, 1), limits, PLAN);
    const { verdicts, confirmed, requests, isLate, sent } = await runOf(baseUrl, { planned, nearMisses: true });
    expect([...confirmed]).toEqual([]);
    expect(isLate).toBe(false);
    expect(requests).toBe(asked.length);
    expect(requests).toBeGreaterThan(18 + BUDGET / 2);
    expect(requests).toBeLessThanOrEqual(18 + BUDGET);
    expect(sent).toMatchObject({ rows: planned.rows.length, nearMisses: planned.nearMisses.length, failing: [], passed: [] });
    expect(verdicts.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(25);
    for (const { method, url, headers, body } of asked) {
      expect(method).toBe('GET');
      const { authorization: _authorization, ...others } = headers;
      expect(`${url} ${body} ${JSON.stringify(others)}`).not.toContain(KEY);
    }
  });

  test('ends with requests that show whether the service still works', async () => {
    const { baseUrl, asked } = await serve();
    await runOf(baseUrl);
    expect(asked.length).toBe(18);
    const last = asked
      .slice(-5)
      .map(({ url, headers }) => `${url.replace(/\d+$/, 'N')}${headers.authorization === undefined ? ' without the key' : ''}`);
    expect(last).toEqual(['/v1/pets?limit=N', '/v1/pets/N', '/v1/pets/N', '/v1/pets/N', '/v1/pets without the key']);
  });

  test('reads an animal of each status, and reaches a verdict on the clauses of every run', async () => {
    const { baseUrl } = await serve();
    const { world, verdicts } = await runOf(baseUrl);
    const decided = verdicts
      .filter(({ verdict }) => !['inconclusive', 'observed', 'not-applicable'].includes(verdict))
      .map(({ clause }) => clause.id);
    expect(decided.toSorted()).toEqual([...SMOKE_CLAUSES].toSorted());
    expect(closingOf(world)).toEqual([]);
    const read = world.all.flatMap(({ read: { pet } }) => pet?.status ?? []);
    expect(read.toSorted()).toEqual(['available', 'pending', 'sold']);
  });

  test.each([0, 1, 3])('fails no service for having %d animals', async (seedAnimals) => {
    const { baseUrl } = await serve({ service: { seedAnimals } });
    const { confirmed, seenOnce, requests } = await runOf(baseUrl, {
      planned: nextTurn(startOf(PLAN, 2), { budget: BUDGET, nearMisses: false, now: NOW }, PLAN),
    });
    expect([...confirmed, ...seenOnce]).toEqual([]);
    expect(requests).toBeLessThanOrEqual(18 + BUDGET);
  });

  test('sends nothing for a row that does more than read', async () => {
    const { baseUrl, asked } = await serve();
    for (const row of [{ op: 'create' }, { op: 'list', credential: 'apiKey in query' }] as const)
      await expect(runOf(baseUrl, { planned: { rows: [row as Row] } })).rejects.toThrow();
    expect(asked).toEqual([]);
  });
});

describe('what a row of the turn breaks', () => {
  test('fails the run once the row was sent again, and is sent first from then on', async () => {
    const { baseUrl, asked } = await serve(crashing(37));
    const { confirmed, seenOnce, sent } = await runOf(baseUrl, { planned: { rows: [limitRow(36), limitRow(37)] } });
    expect([[...confirmed], [...seenOnce]]).toEqual([['errors.no-server-error'], []]);
    expect(sent.failing).toEqual([{ row: limitRow(37), clause: 'errors.no-server-error', confirmed: true, at: NOW }]);
    expect(asked.length).toBe(21);
  });

  test('is seen once where the row is right when it is sent again', async () => {
    const { baseUrl } = await serve(crashing(37, 1));
    const { confirmed, seenOnce, sent } = await runOf(baseUrl, { planned: { rows: [limitRow(37)] } });
    expect([[...confirmed], [...seenOnce]]).toEqual([[], ['errors.no-server-error']]);
    expect(sent.failing).toEqual([]);
  });

  test('is asked about within what is left of the budget, which says when it is broken', async () => {
    const { baseUrl, asked } = await serve({
      change: ({ url }) => (/limit=(?:[4-9]\d|100)$/.test(url) ? { status: 500, body: '{"code":"x","message":"x","status":500}' } : {}),
    });
    const rows = [limitRow(36), { op: 'list', limit: 47, client: 'browser' } as const];
    const { conditions, sent } = await runOf(baseUrl, { planned: { rows }, wording: WORDING });
    expect(asked.length).toBeLessThanOrEqual(18 + BUDGET);
    expect(conditions.map(({ clause }) => clause)).toEqual(['errors.no-server-error']);
    expect(sent.broken).toEqual(new Set(['errors.no-server-error']));
  });

  test('is left to the next run where the budget is spent, which confirms it', async () => {
    const { baseUrl, asked } = await serve(crashing(37));
    const rows = Array.from({ length: BUDGET }, (_unused, place) => limitRow(place + 30));
    const first = await runOf(baseUrl, { planned: { rows } });
    expect([...first.seenOnce]).toEqual(['errors.no-server-error']);
    expect(first.sent.failing).toMatchObject([{ row: limitRow(37), confirmed: false }]);
    const before = asked.length;
    const second = await runOf(baseUrl, { planned: { failing: first.sent.failing, rows: rows.slice(0, 1) } });
    expect([...second.confirmed]).toEqual(['errors.no-server-error']);
    expect(second.sent.failing).toMatchObject([{ row: limitRow(37), confirmed: true }]);
    expect(asked.slice(before + 18).map(({ url }) => url)).toEqual(['/v1/pets?limit=37', '/v1/pets?limit=30']);
  });

  test('has passed once its row is right', async () => {
    const { baseUrl } = await serve();
    const known = failing(limitRow(37));
    const { confirmed, sent } = await runOf(baseUrl, { planned: { failing: [known] } });
    expect([...confirmed]).toEqual([]);
    expect(sent).toMatchObject({ failing: [], passed: [known] });
  });

  test('names animals by their ids from then on', async () => {
    const { baseUrl } = await serve({
      change: ({ url }) => (url.endsWith('/pets/9') ? { status: 500, body: JSON.stringify({ code: 'x', message: 'x', status: 500 }) } : {}),
    });
    const { confirmed, sent } = await runOf(baseUrl, { planned: { rows: [{ op: 'get', id: 8 }] } });
    expect([...confirmed]).toEqual(['errors.no-server-error']);
    expect(sent.failing.map(({ row }) => row)).toEqual([{ op: 'get', id: '=9' }]);
  });

  test('is not sent again, and not remembered, where it is waived', async () => {
    const { baseUrl, asked } = await serve(crashing(37));
    const { confirmed, sent } = await runOf(baseUrl, { planned: { rows: [limitRow(37)] }, isWaived: () => true });
    expect([...confirmed]).toEqual(['errors.no-server-error']);
    expect(sent.failing).toEqual([]);
    expect(asked.length).toBe(19);
  });

  test('fails the run at once where requests of every run break the same', async () => {
    const { baseUrl } = await serve(crashing(20));
    const { confirmed, sent } = await runOf(baseUrl, { planned: { rows: [limitRow(20)] } });
    expect([...confirmed]).toEqual(['errors.no-server-error']);
    expect(sent.failing).toEqual([]);
  });
});

describe('time', () => {
  /** Holds the event loop up for so long. */
  function block(milliseconds: number): void {
    const end = performance.now() + milliseconds;
    while (performance.now() < end);
  }

  test('that this process was held up for is nobody’s fault', async () => {
    let left = 1;
    const { baseUrl } = await serve({
      instead({ url }) {
        if (url.endsWith('limit=37') && left > 0) {
          left -= 1;
          block(3_000);
        }
        return false;
      },
    });
    const rows = [limitRow(36), limitRow(37), limitRow(38)];
    const { confirmed, seenOnce, isLate, world } = await runOf(baseUrl, { planned: { rows }, timeout: 1_000 });
    expect([...confirmed, ...seenOnce]).toEqual([]);
    expect(isLate).toBe(false);
    expect(world.all.filter(({ failure }) => failure !== undefined && failure.heldUp !== true)).toEqual([]);
  });

  test('of a slow service ends the turn, and not the run', async () => {
    const { baseUrl } = await serve({
      async instead({ url }) {
        if (url.endsWith('limit=37')) await new Promise((resolve) => setTimeout(resolve, 1_700));
        return false;
      },
    });
    const { confirmed, isLate, sent } = await runOf(baseUrl, {
      planned: { rows: [limitRow(36), limitRow(37), limitRow(38)] },
      deadline: 2_000,
    });
    expect([[...confirmed], isLate, sent.rows]).toEqual([[], false, 1]);
  });

  test('that is over before the requests of every run have their responses makes it late', async () => {
    const { baseUrl } = await serve({
      async instead({ url }) {
        if (url.includes('sold')) await new Promise((resolve) => setTimeout(resolve, 3_000));
        return false;
      },
    });
    expect((await runOf(baseUrl, { deadline: 700 })).isLate).toBe(true);
  });
});

test('sees what later runs may show differently', async () => {
  const { baseUrl } = await serve({ service: { seedAnimals: 2 } });
  const { world } = await runOf(baseUrl);
  const impressions = impressionsIn(world, (text) => text.replace('Rex', '[name]'));
  expect(impressions.map(({ kind, subject }) => `${kind} ${subject}`)).toEqual([
    'list animals',
    'deprecation deprecation',
    'deprecation sunset',
    'animal 1',
    'animal 2',
  ]);
  expect(impressions[0]?.value).toBe('some');
  expect(impressions[3]?.value).toBe('{"name":"[name]","categoryId":"1"}');
});

test('says what no longer holds at the end of the requests of every run, whatever its turn shows', async () => {
  let isGone = false;
  const { baseUrl } = await serve({
    change({ url, requestHeaders }) {
      isGone ||= url.endsWith('limit=20');
      return isGone && requestHeaders.authorization !== undefined ? { status: 403, body: '{"code":"x","message":"x","status":403}' } : {};
    },
  });
  const { world, closedBy } = await runOf(baseUrl, { planned: { rows: [limitRow(3)] } });
  expect(closingOf(world, closedBy)).toEqual(['at the end of the run GET /pets?limit=20 returned 403, not 200 as before']);
});

test('says that lists without the API key are not found at the end, where another key was rejected before', async () => {
  const { baseUrl } = await serve({
    change({ requestHeaders, url }) {
      const isKeyless = requestHeaders.authorization === undefined && url.endsWith('/pets');
      return isKeyless ? { status: 404, body: '{"code":"x","message":"x","status":404}' } : {};
    },
  });
  const { world } = await runOf(baseUrl);
  expect(closingOf(world)).toEqual(['at the end of the run GET /pets without the API key returned 404, not 401 as before']);
});

test('says what is wrong with the API key, and nothing else', async () => {
  const { baseUrl } = await serve();
  const { mistake, isLate, confirmed } = await runOf(baseUrl, { options: sessionOptions(baseUrl, { apiKey: 'another-key-0123456789' }) });
  expect(mistake).toMatch(/^Every request with the API key returned 401\./);
  expect([isLate, [...confirmed]]).toEqual([false, []]);
});

test('a service that returns 500 for everything is broken by the requests of every run', async () => {
  const { baseUrl, close } = await startSame({ status: 500, headers: { 'content-type': 'text/plain' }, body: 'boom' });
  closers.push(close);
  const { confirmed, seenOnce, sent } = await runOf(baseUrl, { planned: { rows: [limitRow(3)] } });
  expect([...confirmed]).toContain('errors.no-server-error');
  expect([[...seenOnce], sent.failing]).toEqual([[], []]);
});
