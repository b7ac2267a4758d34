import { afterEach, describe, expect, test } from 'vitest';
import { sessionOptions } from '../../proof/judge-reference.ts';
import { SUITE } from '../../suites/plan/index.ts';
import { WORDING } from '../../suites/plan/narrowing.ts';
import { versionsOf } from '../../suites/tables/tables.ts';
import { type FrontOptions, startFront } from '../../test/support/front.ts';
import { isBinding } from '../clause/clause.ts';
import type { Phase } from '../plan/row.ts';
import type { SessionOptions } from '../session/session.ts';
import { clauseRecordsOf } from './clause-records.ts';
import { type RunInput, runSuite } from './run.ts';
import { evidenceOf } from './summary.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const LIMITS = Array.from({ length: 30 }, (_unused, index) => index + 40);
const PLAN: readonly Phase[] = [{ title: 'growing', rows: [...LIMITS.map((limit) => ({ op: 'list', limit }) as const), { op: 'create' }] }];

/** A run of a small plan against a service that is changed in transit. */
async function run(front: FrontOptions, changes: Partial<SessionOptions> = {}, more: Pick<RunInput, 'wording'> = {}) {
  const { baseUrl, close } = await startFront(front);
  cleanups.push(close);
  const options = sessionOptions(baseUrl, changes);
  const result = await runSuite({
    ...{ ...SUITE, ...more, options },
    planOf: () => ({ phases: PLAN, leftOut: [], pairsIn: () => ({ met: 0, of: 0 }), read: (id) => ({ op: 'get', id: `=${id}` }) }),
  });
  const red = result.verdicts.filter(({ verdict, clause }) => verdict === 'fail' && isBinding(clause)).map(({ clause }) => clause.id);
  const shown = new Set(result.world.exchanges.filter(({ status }) => status === 200).map(({ sent }) => sent.target));
  return { ...result, red, missing: LIMITS.filter((limit) => !shown.has(`/pets?limit=${limit}`)) };
}

/** Whatever arrives while it lasts gets that status; it begins with the row of that limit, and ends after so many requests. */
function outage(status: number, limit: number, requests: number): NonNullable<FrontOptions['instead']> {
  let left: number | undefined;
  return ({ url }, response) => {
    if (url.includes(`limit=${limit}`)) left ??= requests;
    if (left === undefined || left <= 0) return false;
    left -= 1;
    response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');
    return true;
  };
}

describe('a run', () => {
  test('waits for a service that is down, and sends again what failed', async () => {
    const { red, missing, notices } = await run({ instead: outage(502, 50, 12) }, { concurrency: 2 });
    expect(missing).toEqual([]);
    expect(notices).toEqual([
      expect.stringMatching(
        /^The service returned 502 for .*: it was down; after that, \d+ requests? that failed w(?:as|ere) sent once more$/,
      ),
    ]);
    expect(red).toEqual(['errors.no-server-error']);
  });

  test('waits as a service asks for it, and nothing is red', async () => {
    let asked = 0;
    const { red, missing, world } = await run({
      instead(_asked, response) {
        asked += 1;
        if (asked % 9 !== 0) return false;
        const body = JSON.stringify({ code: 'too_many_requests', message: 'Slow down', status: 429 });
        response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '0' }).end(body);
        return true;
      },
    });
    expect(red).toEqual([]);
    expect(missing).toEqual([]);
    expect(world.all.filter(({ status }) => status === 429).length).toBeGreaterThan(3);
  });

  test('ends with a service that is gone: what was not sent says why', async () => {
    let left = 25;
    const { world, red } = await run(
      {
        breaksOff() {
          left -= 1;
          return left < 0;
        },
      },
      { timeout: 500 },
    );
    expect(red).toContain('errors.answers');
    expect(world.unsent.length).toBeGreaterThan(10);
    expect(new Set(world.unsent.map(({ why }) => why))).toEqual(new Set(['service']));
    expect(world.unsent.at(-1)?.missing).toMatch(/^the service has stopped responding: /);
  }, 30_000);

  test('says what is wrong with the key, and judges nothing else', async () => {
    const { mistake, requests } = await run({}, { apiKey: 'another-key-0123456789' });
    expect(mistake).toMatch(/^Every request with the API key returned 401\./);
    expect(requests).toBe(3);
  });

  test('judges no more once the key is rejected for good, and does not call that broken', async () => {
    let left = 25;
    const result = await run({
      instead(_asked, response) {
        left -= 1;
        if (left > 0) return false;
        const body = JSON.stringify({ code: 'unauthorized', message: 'No', status: 401 });
        response.writeHead(401, { 'content-type': 'application/json', 'www-authenticate': 'Bearer' }).end(body);
        return true;
      },
    });
    expect(result.red).toEqual([]);
    expect(result.verdicts.find(({ clause }) => clause.id === 'auth.valid-key')).toMatchObject({ verdict: 'inconclusive', why: 'service' });
    const { baseUrl } = result.world.run;
    expect(evidenceOf(result, sessionOptions(baseUrl))).toMatchObject({ lockedOut: true, closing: undefined });
  });

  test('calls a failure flaky that does not come again when its request is sent again', async () => {
    let left = 1;
    const result = await run(
      {
        instead({ url }, response) {
          if (!url.includes('limit=57') || left === 0) return false;
          left -= 1;
          const body = JSON.stringify({ code: 'gone', message: 'No', status: 404 });
          response.writeHead(404, { 'content-type': 'application/json' }).end(body);
          return true;
        },
      },
      {},
      { wording: WORDING },
    );
    expect(result.red).toEqual(['list.limit-accepted']);
    const records = clauseRecordsOf(result, { session: sessionOptions(result.world.run.baseUrl), versionsOf });
    const { flaky, contrast, cases } = records.find(({ id }) => id === 'list.limit-accepted') ?? {};
    expect([flaky, contrast, cases?.length]).toEqual([true, undefined, 1]);
  });

  test('responses of a service that is starting are not judged', async () => {
    let left = 3;
    const { red, world } = await run({
      instead(_asked, response) {
        left -= 1;
        if (left < 0) return false;
        response.writeHead(503).end();
        return true;
      },
    });
    expect(red).toEqual([]);
    expect(world.all.every(({ status }) => status !== 503)).toBe(true);
  });
});
