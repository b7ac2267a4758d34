import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sessionOptions } from '../../test/prove/judge-reference.ts';
import type { Finding } from '../clause/outcome.ts';
import { type OpenSession, openSession } from '../session/open-session.ts';
import type { Exchange } from '../wire/exchange.ts';
import { type AskAgain, createAskAgain, isGone } from './ask-again.ts';
import { createJudging } from './judging.ts';

const statuses: number[] = [];
const seen: string[] = [];
let server: Server;
let open: OpenSession;
let again: AskAgain;

beforeEach(async () => {
  statuses.length = 0;
  seen.length = 0;
  server = createServer((request, response) => {
    seen.push(request.method ?? '');
    response.writeHead(statuses.shift() ?? 200, { 'content-type': 'application/json' }).end('[]');
  });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  open = await openSession(sessionOptions(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`));
  again = createAskAgain(open);
});
afterEach(async () => {
  await open.session.close();
  server.closeAllConnections();
  server.close();
});

function finding(exchange: Exchange, ...expected: readonly string[]): Finding {
  return { summary: 's', expected, received: 'r', exchanges: [exchange] };
}

/** A list that got that status, and gets the next one when it is repeated. */
async function listed(first: number, second: number): Promise<Exchange> {
  statuses.push(first, second);
  return open.session.api.list();
}

test.each([
  ['a status that is right the second time', 500, 200, ['200'], true],
  ['a status that stays', 500, 500, ['200'], false],
  ['another wrong status', 500, 404, ['200'], false],
  ['one of several statuses', 200, 401, ['401 with an Error', '400'], true],
] as const)('isGone repeats the request for %s', async (_case, first, second, expected, gone) => {
  const exchange = await listed(first, second);
  expect(await isGone(finding(exchange, ...expected), { clause: 'list.success', again })).toBe(gone);
  expect(seen).toEqual(['GET', 'GET']);
});

test('isGone sends nothing if no status can tell, and never a POST', async () => {
  const list = await listed(200, 200);
  expect(await isGone(finding(list, 'at most 1 animal'), { clause: 'list.success', again })).toBe(false);
  expect(await isGone(finding(list, '200'), { clause: 'list.success', again })).toBe(false);
  statuses.splice(0, statuses.length, 500);
  const post = await open.session.api.create({ value: {} }, { domain: 'open' });
  expect(await isGone(finding(post, '400 with an Error'), { clause: 'create.success', again })).toBe(false);
  expect(seen).toEqual(['GET', 'POST']);
});

test.each([
  ['breaks nothing', true],
  ['breaks the same', false],
])('isGone repeats the request if one response shows the breach without a status: the second %s', async (_case, gone) => {
  const exchange = await listed(200, 200);
  expect(await isGone(finding(exchange, 'at most 1 animal'), { clause: 'list.success', again, isRight: () => gone })).toBe(gone);
  expect(seen).toEqual(['GET', 'GET']);
});

test('a request is repeated once per clause, and once for all clauses with the same exchange', async () => {
  statuses.push(500, 500, 200);
  const [first, other] = [await open.session.api.list(), await open.session.api.list()];
  const gone = (exchange: Exchange, clause: 'list.success' | 'errors.shape') => isGone(finding(exchange, '200'), { clause, again });
  expect(await gone(first, 'list.success')).toBe(true);
  expect(await gone(first, 'errors.shape')).toBe(true);
  expect(await gone(other, 'list.success')).toBe(false);
  expect(seen).toEqual(['GET', 'GET', 'GET']);
});

test('a session is not kept, once it was judged, by a signal that nothing aborts: a monitor judges for months', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  async function judge(): Promise<WeakRef<object>> {
    const other = await openSession(sessionOptions(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`));
    const judging = createJudging(other, { clauses: [], plan: [], stop: new AbortController().signal });
    await judging.run();
    judging.judged();
    await other.session.close();
    return new WeakRef(other);
  }
  const session = await judge();
  // What has just been awaited is let go with the next task.
  await new Promise((done) => {
    setImmediate(done);
  });
  collectGarbage();
  expect(session.deref()).toBeUndefined();
});
