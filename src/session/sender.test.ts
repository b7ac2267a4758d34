import { afterEach, describe, expect, test } from 'vitest';
import { KEY, sessionOptions } from '../../proof/judge-reference.ts';
import { compose } from '../../suites/tables/tables.ts';
import { type Asked, type FrontOptions, startFront } from '../../test/support/front.ts';
import { animalOf, toldBy } from '../judge/told.ts';
import { createWorld } from '../oracle/world.ts';
import { createClient } from '../wire/client.ts';
import type { Received } from './history.ts';
import { createLanes } from './lanes.ts';
import { type ComposedRow, createSender } from './sender.ts';
import type { SessionOptions } from './session.ts';
import type { Vector } from './vector.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const LIST: Vector = { op: 'list' };
const PET: Vector = { op: 'create' };

/** A sender to a service that is changed in transit, and its history. */
async function senderTo(front: FrontOptions, changes: Partial<SessionOptions> = {}) {
  const { baseUrl, close } = await startFront(front);
  cleanups.push(close);
  const options = sessionOptions(baseUrl, { categoryIds: [1n], ...changes });
  const client = createClient(options);
  cleanups.push(() => client.close());
  const history = createWorld({ apiKey: KEY, baseUrl, now: options.now, window: 500, leftoverIds: [] });
  const notices: string[] = [];
  let rowNumber = 0;
  const composed = (vector: Vector): ComposedRow => {
    rowNumber += 1;
    return {
      vector,
      sent: compose(vector, { apiKey: KEY, seed: 1, rowNumber, runTag: 'tests', categoryId: 1n, knownIds: [], cookies: [] }),
    };
  };
  const sender = createSender({
    ...{ lanes: createLanes(client), options, history: toldBy(history, 'tests'), elapsed: client.elapsed },
    compose: (vector) => composed(vector).sent,
    add: (received) => history.add(received),
    skip: (unsent) => history.skip(unsent),
    sendFewerThan: (inFlight) => client.sendFewerThan(inFlight),
    notice: (sentence) => void notices.push(sentence),
  });
  const statuses = () => history.now().all.map(({ sent, status }) => `${sent.method} ${status}`);
  const send: (vector: Vector, where?: Parameters<typeof sender.send>[1]) => ReturnType<typeof sender.send> = (vector, where) =>
    sender.send(composed(vector), where);
  return { sender, send, history, notices, statuses, lanes: createLanes(client) };
}

/** Does something with some requests, by their number from 1 on. */
const onThe = (numbers: readonly number[], isMeant: (asked: Asked) => boolean, act: NonNullable<FrontOptions['instead']>) => {
  let count = 0;
  const instead: FrontOptions['instead'] = (asked, response) => {
    if (!isMeant(asked)) return false;
    count += 1;
    return numbers.includes(count) ? act(asked, response) : false;
  };
  return { instead, count: () => count };
};
const reply = (status: number, headers: Record<string, string> = {}): NonNullable<FrontOptions['instead']> => {
  const body = JSON.stringify({ code: 'some', message: 'No', status });
  return (_asked, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    return true;
  };
};
const hangUp: NonNullable<FrontOptions['instead']> = (_asked, response) => {
  response.destroy();
  return true;
};
const every = () => true;
const isPost = ({ method }: Asked): boolean => method === 'POST';
const isGet = ({ method }: Asked): boolean => method === 'GET';

describe('the same bytes are sent again', () => {
  test('after a 429 that asks to wait, and each try is in the history', async () => {
    const { sender, send, history } = await senderTo(onThe([1, 2], every, reply(429, { 'retry-after': '0' })));
    const received = await send(PET);
    expect(received).toMatchObject({ waits: 2, response: { status: 201 } });
    const { all } = history.now();
    expect(all.map(({ status, waits }) => [status, waits])).toEqual([
      [429, 0],
      [429, 1],
      [201, 2],
    ]);
    expect(new Set(all.map(({ sent }) => sent)).size).toBe(1);
    expect(sender.created()).toMatchObject({ accepted: 1, rejected: 0 });
  });

  test('after a key rejected that is accepted at other times', async () => {
    const { send, statuses } = await senderTo(onThe([2], every, reply(401)));
    await send(LIST);
    expect(await send(LIST)).toMatchObject({ response: { status: 200 } });
    expect(statuses()).toEqual(['GET 200', 'GET 401', 'GET 200']);
  });

  test('after a response broken off, three times at most, and eight times in vain in a run', async () => {
    const { send, statuses } = await senderTo(onThe([...Array(99).keys()].slice(2), isGet, hangUp), { concurrency: 1 });
    await send(LIST);
    await send(LIST);
    expect(statuses().length).toBe(5);
  });

  test('not after a key that was never accepted', async () => {
    const { send, statuses } = await senderTo({ instead: reply(401) });
    await send(LIST);
    await send(LIST);
    expect(statuses()).toEqual(['GET 401', 'GET 401']);
  });
});

describe('a creation', () => {
  test('without a response is not sent again, and a list shows what came of it before the next one', async () => {
    const { sender, send, history, statuses } = await senderTo(onThe([1], isPost, hangUp));
    expect(await send(PET)).toMatchObject({ response: undefined });
    await send(PET);
    await send(PET);
    expect(statuses()).toEqual(['POST undefined', 'GET 200', 'POST 201', 'POST 201']);
    expect(sender.created()).toMatchObject({ accepted: 2, lost: 1 });
    const bodies = history.now().creations.map(({ sent }) => Buffer.from(sent.body ?? []).toString());
    expect(new Set(bodies).size).toBe(3);
  });

  test('that names no animal is looked for in a list', async () => {
    const { send, statuses } = await senderTo({
      change: ({ method, status }) => (method === 'POST' && status === 201 ? { body: '{}' } : {}),
    });
    await send(PET);
    await send(PET);
    expect(statuses()).toEqual(['POST 201', 'GET 200', 'POST 201']);
  });

  test('is not sent by a read-only run, and its row says why', async () => {
    const { send, history } = await senderTo({}, { readOnly: true });
    expect(await send(PET)).toBeUndefined();
    expect(history.now().unsent).toMatchObject([{ vector: PET, why: 'choice', missing: '--read-only' }]);
  });

  test('beyond the budget is not sent', async () => {
    const { sender, send, history } = await senderTo({}, { maxCreates: 2 });
    for (let turn = 0; turn < 3; turn += 1) await send(PET);
    expect(history.now().unsent).toMatchObject([{ why: 'choice', missing: expect.stringContaining('--max-creates') }]);
    expect(sender.created().accepted).toBe(2);
  });

  test('that is rejected and stored all the same counts, also where the first list that would show it fails', async () => {
    const { instead } = onThe([1, 2, 3, 4], isGet, reply(500));
    const change: FrontOptions['change'] = ({ method, status }) =>
      method === 'POST' && status === 201 ? { status: 400, body: '{"code":"some","message":"No","status":400}' } : {};
    const { send, statuses } = await senderTo({ instead, change }, { maxCreates: 8 });
    for (let turn = 0; turn < 12; turn += 1) await send(PET);
    expect(statuses().filter((one) => one.startsWith('POST')).length).toBeLessThanOrEqual(8);
    expect(statuses().filter((one) => one === 'GET 200')).toHaveLength(1);
  });

  test.each([403, 413, 507])('is not sent once a quota rejects plain ones (%d), whatever the body is', async (status) => {
    const { send, history, statuses } = await senderTo(onThe([...Array(99).keys()].slice(3), isPost, reply(status)));
    await send(PET);
    await send(PET);
    await send(PET);
    expect(statuses()).toEqual(['POST 201', 'POST 201', `POST ${status}`, `POST ${status}`]);
    await send({ ...PET, name: 'missing' });
    expect(history.now().unsent).toMatchObject([
      { why: 'circumstance', missing: `the service accepts no more creations after 2 (${status})` },
    ]);
  });

  test('is sent on where plain ones are accepted', async () => {
    const { send, statuses } = await senderTo(onThe([2], isPost, reply(403)));
    for (let turn = 0; turn < 3; turn += 1) await send(PET);
    expect(statuses()).toEqual(['POST 201', 'POST 403', 'POST 201', 'POST 201']);
  });
});

describe('a service that is down', () => {
  test('for some requests is waited for, and what failed is sent again', async () => {
    const { sender, send, notices } = await senderTo(onThe([2, 3, 4, 5, 6, 7, 8], every, reply(502)));
    await send(LIST);
    const limits = [1, 2, 3, 4, 5].map((limit): Vector => ({ ...LIST, limit }));
    for (const row of limits) await send(row);
    expect(sender.takeLost()).toEqual([]);
    expect(await send(PET)).toMatchObject({ response: { status: 201 } });
    expect(sender.takeLost()).toEqual(limits);
    expect(notices).toEqual([
      expect.stringMatching(
        /^The service returned 502 for .*: it was down; after that, \d+ requests? that failed w(?:as|ere) sent once more$/,
      ),
    ]);
  });

  test('for what it never responds to gets no more of it', async () => {
    const hangs: FrontOptions['instead'] = ({ url }) => /limit=0/.test(url);
    const { send, history } = await senderTo({ instead: hangs }, { timeout: 60 });
    await send(LIST);
    for (let turn = 0; turn < 4; turn += 1) {
      await send({ ...LIST, limit: '0' });
      await send({ ...LIST, limit: 1 });
    }
    expect(history.now().unsent).toMatchObject([{ why: 'service', missing: expect.stringContaining('list with limit 0'), needs: 6 }]);
  });
});

test('requests on a lane follow each other on one connection, and fresh ones have their own', async () => {
  const { send, lanes } = await senderTo({});
  const lane = lanes.open();
  const connectionOf = (received: Received | undefined) => received?.response?.connection;
  const [first, second] = [await send(PET, { lane }), await send(LIST, { lane })];
  const fresh = await send({ ...LIST, connection: 'fresh' }, { lane });
  await lane.close();
  expect(connectionOf(second)).toEqual({ id: connectionOf(first)?.id, turn: 2 });
  expect(connectionOf(fresh)?.turn).toBe(1);
  expect(connectionOf(fresh)?.id).not.toBe(connectionOf(first)?.id);
});

test('the history says which animal a creation made', async () => {
  const { send, history } = await senderTo({});
  const received = await send(PET);
  expect(received === undefined ? undefined : animalOf(received, history.now())).toBe(8n);
});
