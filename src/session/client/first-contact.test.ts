import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { KEY, sessionOptions } from '../../../test/prove/judge-reference.ts';
import { makeCertificate } from '../../../test/support/certificate.ts';
import { startSame } from '../../../test/support/front.ts';
import { type ReferenceOptions, startReference } from '../../reference/server.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { openSession } from '../open-session.ts';
import type { SessionOptions } from '../session.ts';
import { addressesNearby, findMistake, otherScheme } from './first-contact.ts';

type Contact = { readonly sentence: string | undefined; readonly exchanges: readonly Exchange[] };

/** The first contact with whatever responds there. */
async function contact(baseUrl: string, changes: Partial<SessionOptions> = {}): Promise<Contact> {
  const open = await openSession(sessionOptions(baseUrl, changes));
  const exchanges: Exchange[] = [];
  open.recorder.onExchange((exchange) => exchanges.push(exchange));
  try {
    const first = await open.session.api.list({ limit: 1 });
    return { sentence: await findMistake(open.session, first), exchanges };
  } finally {
    await open.session.close();
  }
}

async function contactReference(
  server: Partial<ReferenceOptions>,
  { path = (baseUrl: string) => baseUrl, ...changes }: Partial<SessionOptions> & { path?: (baseUrl: string) => string } = {},
): Promise<Contact & { readonly baseUrl: string }> {
  const reference = await startReference({ apiKey: KEY, seedAnimals: 7, ...server });
  try {
    return { ...(await contact(path(reference.baseUrl), changes)), baseUrl: reference.baseUrl };
  } finally {
    await reference.close();
  }
}

async function contactSame(response: Parameters<typeof startSame>[0], changes: Partial<SessionOptions> = {}) {
  const server = await startSame(response);
  try {
    return { ...(await contact(server.baseUrl, changes)), baseUrl: server.baseUrl };
  } finally {
    await server.close();
  }
}

/** A server whose router comes before its authentication: 401 where it has a route, 404 elsewhere. */
async function startRouted() {
  const seen: { readonly url: string; readonly authorization: string | undefined }[] = [];
  const server = createServer((incoming, outgoing) => {
    const { url = '', headers } = incoming;
    seen.push({ url, authorization: headers.authorization });
    incoming.resume();
    outgoing.writeHead(/^\/v1\/pets(?:[/?]|$)/.test(url) ? 401 : 404, JSON_TYPE);
    outgoing.end('{}');
  });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  return {
    seen,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => {
        server.close(done);
      });
    },
  };
}

const HTML = { 'content-type': 'text/html' };
const JSON_TYPE = { 'content-type': 'application/json' };

describe('findMistake sends nothing but the list to a conforming service', () => {
  test.each([{}, { seedAnimals: 0 }, { seedAnimals: 150 }])('%j', async (server) => {
    const { sentence, exchanges } = await contactReference(server);
    expect(sentence).toBeUndefined();
    expect(exchanges.map(({ request }) => request.method)).toEqual(['GET']);
  });
});

describe('findMistake suggests the intended address', () => {
  test.each([
    ['without /v1', (baseUrl: string) => baseUrl.replace(/\/v1$/, '')],
    ['with the path of an operation', (baseUrl: string) => `${baseUrl}/pets`],
    ['with another version', (baseUrl: string) => baseUrl.replace(/\/v1$/, '/v2')],
  ])('for an address %s, if every path requires the key first', async (_what, path) => {
    const { sentence, baseUrl, exchanges } = await contactReference({}, { path });
    expect(sentence).toContain(`The base address of a pet store ends in /v1: did you mean ${baseUrl}?`);
    expect(exchanges).toHaveLength(3);
  });

  test.each([
    ['without /v1', ''],
    ['with /v1 twice', '/v1/v1'],
    ['with another version', '/v2'],
  ])('for an address %s, if unknown paths need no key', async (_what, path) => {
    const server = await startRouted();
    try {
      const { sentence } = await contact(`${server.origin}${path}`);
      expect(sentence).toContain(`A pet store responds at ${server.origin}/v1: use that as the base address`);
    } finally {
      await server.close();
    }
  });

  test('without the key, which is sent only to the configured address', async () => {
    const server = await startRouted();
    try {
      await contact(`${server.origin}/api`);
      const elsewhere = server.seen.filter(({ url }) => !url.startsWith('/api/pets'));
      expect(elsewhere.map(({ url }) => url)).toEqual(['/api/v1/pets', '/v1/pets']);
      expect(elsewhere.map(({ authorization }) => authorization)).toEqual([undefined, undefined]);
    } finally {
      await server.close();
    }
  });
});

describe('findMistake says what is likely wrong', () => {
  test('404 to everything, and no address that works', async () => {
    const { sentence } = await contactSame({ status: 404, headers: JSON_TYPE, body: '{}' });
    expect(sentence).toMatch(/returned 404, and so did everything else at this address\. Check its host and path/);
  });

  test('401 to everything with the key', async () => {
    const { sentence } = await contactReference({ apiKey: 'pk-another-deployment' });
    expect(sentence).toMatch(/^Every request with the API key returned 401\. Check that PETSTORE_API_KEY/);
  });

  test('HTML from something other than a pet store', async () => {
    const { sentence } = await contactSame({ status: 200, headers: HTML, body: '<!doctype html><title>Welcome</title>' });
    expect(sentence).toMatch(/returned HTML to every request/);
  });

  test('a service that fails at everything, with a page of its framework, is for the checks to judge', async () => {
    const { sentence } = await contactSame({ status: 500, headers: HTML, body: '<!doctype html><pre>Internal Server Error</pre>' });
    expect(sentence).toBeUndefined();
  });

  test('a proxy without the service behind it', async () => {
    const { sentence } = await contactSame({ status: 502, headers: HTML, body: '<html><h1>502 Bad Gateway</h1></html>' });
    expect(sentence).toMatch(/^A proxy returned 502 to every request/);
  });

  test('redirects that lead elsewhere', async () => {
    const { sentence } = await contactSame({ status: 302, headers: { location: '/login' } });
    expect(sentence).toMatch(/redirects every request, to \/login\. Use the address of the service itself/);
  });

  test('plain HTTP to a port that speaks TLS', async () => {
    const server = createTlsServer(makeCertificate({ name: 'localhost' }), (_incoming, outgoing) => outgoing.end('[]'));
    await new Promise<void>((done) => {
      server.listen(0, '127.0.0.1', done);
    });
    const { port } = server.address() as AddressInfo;
    try {
      const { sentence } = await contact(`http://127.0.0.1:${port}/v1`);
      expect(sentence).toBe(
        `http://127.0.0.1:${port}/v1 expects TLS, and the base address says http. Use https://127.0.0.1:${port}/v1 as the base address`,
      );
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test('a port that says itself that it expects TLS', async () => {
    const { sentence } = await contactSame({
      status: 400,
      headers: HTML,
      body: '<h1>400</h1><center>The plain HTTP request was sent to HTTPS port</center>',
    });
    expect(sentence).toMatch(/expects TLS, and the base address says http/);
  });
});

describe('findMistake leaves to the checks what they can judge', () => {
  test.each([
    'list-not-found',
    'create-not-found',
    'right-key-refused-on-create',
    'html-page-with-200',
    'list-redirects-to-slash',
    'list-forbidden',
  ])('a service with the fault %s', async (fault) => {
    const { sentence } = await contactReference({ faults: [fault] });
    expect(sentence).toBeUndefined();
  });

  test('a service that closes every connection', async () => {
    const server = createSocketServer((socket) => socket.destroy());
    await new Promise<void>((done) => {
      server.listen(0, '127.0.0.1', done);
    });
    try {
      const { sentence } = await contact(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
      expect(sentence).toBeUndefined();
    } finally {
      server.close();
    }
  });

  test('no POST is sent in a read-only run', async () => {
    const { sentence, exchanges } = await contactReference({ apiKey: 'pk-another-deployment' }, { readOnly: true });
    expect(sentence).toMatch(/returned 401/);
    expect(exchanges.map(({ request }) => request.method)).toEqual(['GET', 'GET']);
  });
});

test.each([
  ['http://127.0.0.1:3000', 'http://127.0.0.1:3000/v1'],
  ['https://pets.example/api', 'https://pets.example/api/v1'],
  ['https://pets.example/v1/v1', 'https://pets.example/v1'],
  ['https://pets.example/v1/pets', 'https://pets.example/v1'],
  ['https://pets.example/v2', 'https://pets.example/v1'],
  ['https://pets.example/v1', 'https://pets.example'],
])('addressesNearby tries for %s also %s, and never the address itself', (baseUrl, meant) => {
  expect(addressesNearby(baseUrl)).toContain(meant);
  expect(addressesNearby(baseUrl)).not.toContain(baseUrl);
});

test('otherScheme changes the scheme alone', () => {
  expect(otherScheme('http://http.example:80/v1')).toBe('https://http.example:80/v1');
  expect(otherScheme('https://pets.example/v1')).toBe('http://pets.example/v1');
});
