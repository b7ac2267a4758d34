import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { KEY, sessionOptions } from '../../proof/judge-reference.ts';
import { compose } from '../../suites/tables/tables.ts';
import { startFront, startSame } from '../../test/support/front.ts';
import { startReference } from '../reference/server.ts';
import { createClient } from '../wire/client.ts';
import { type Contact, findMistake, reachService } from './first-contact.ts';
import type { Received } from './history.ts';
import { createLanes } from './lanes.ts';
import type { SessionOptions } from './session.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** What the first contact with an address says, and the requests that it took. */
async function contactWith(baseUrl: string, changes: Partial<SessionOptions> = {}) {
  const options = sessionOptions(baseUrl, changes);
  const client = createClient(options);
  cleanups.push(() => client.close());
  const lanes = createLanes(client);
  const exchanges: Received[] = [];
  const context = { apiKey: options.apiKey, seed: 1, rowNumber: 1, runTag: 'tests', categoryId: 1n, knownIds: [], cookies: [] };
  const contact: Contact = {
    options,
    async send(vector) {
      const tries = await lanes.send(compose(vector, context));
      exchanges.push(...tries);
      return tries.at(-1);
    },
    reset: () => undefined,
  };
  const first = await reachService(contact);
  return { sentence: first === undefined ? undefined : await findMistake(contact, first), exchanges };
}

async function start<Server extends { close(): Promise<unknown> }>(starting: Promise<Server>): Promise<Server> {
  const server = await starting;
  cleanups.push(() => server.close());
  return server;
}
const reference = () => start(startReference({ apiKey: KEY, seedAnimals: 7 }));

test('a conforming service gets one list', async () => {
  const { sentence, exchanges } = await contactWith((await reference()).baseUrl);
  expect(sentence).toBeUndefined();
  expect(exchanges.map(({ sent }) => sent.target)).toEqual(['/pets']);
});

test('a wrong key is named', async () => {
  const { sentence } = await contactWith((await reference()).baseUrl, { apiKey: 'another-key-0123456789' });
  expect(sentence).toMatch(/^Every request with the API key returned 401\. Check that PETSTORE_API_KEY/);
});

test('a wrong address is named, with the one that is meant', async () => {
  const { baseUrl } = await reference();
  const { sentence } = await contactWith(baseUrl.replace(/v1$/, 'v2'));
  expect(sentence).toContain(`did you mean ${baseUrl}?`);
});

test('a web page is no pet store', async () => {
  const page = await start(startSame({ status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html><p>Hello' }));
  const { sentence } = await contactWith(page.baseUrl);
  expect(sentence).toContain('returned HTML to every request');
});

test('a read-only contact creates nothing', async () => {
  const same = await start(startSame({ status: 404 }));
  const { exchanges } = await contactWith(same.baseUrl, { readOnly: true });
  expect(exchanges.map(({ sent }) => sent.method)).toEqual(['GET', 'GET']);
});

test('where nothing listens, the service can not be reached', async () => {
  const server = createServer();
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => {
    server.close(done);
  });
  await expect(contactWith(`http://127.0.0.1:${port}/v1`)).rejects.toMatchObject({
    name: 'UnreachableError',
    message: expect.stringMatching(new RegExp(`^cannot reach 127\\.0\\.0\\.1 port ${port}: `)),
  });
});

test('a gateway that is starting is waited for', async () => {
  let asked = 0;
  const front = await start(
    startFront({
      instead(_asked, response) {
        asked += 1;
        if (asked <= 3) response.writeHead(503).end();
        return asked <= 3;
      },
    }),
  );
  const { sentence, exchanges } = await contactWith(front.baseUrl);
  expect(sentence).toBeUndefined();
  expect(exchanges.map(({ response }) => response?.status)).toEqual([503, 503, 503, 200]);
});
