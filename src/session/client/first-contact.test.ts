import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createSocketServer, type Server } from 'node:net';
import { describe, expect, test } from 'vitest';
import { KEY, sessionOptions } from '../../../test/prove/judge-reference.ts';
import { makeCertificate } from '../../../test/support/certificate.ts';
import { startSame } from '../../../test/support/front.ts';
import { type ReferenceOptions, startReference } from '../../reference/server.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { addressesNearby, otherScheme, UnreachableError } from '../../wire/meant-service.ts';
import { openSession } from '../open-session.ts';
import type { SessionOptions } from '../session.ts';
import { findMistake } from './first-contact.ts';

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

  test('a port that says itself that it expects TLS', async () => {
    const { sentence } = await contactSame({
      status: 400,
      headers: HTML,
      body: '<h1>400</h1><center>The plain HTTP request was sent to HTTPS port</center>',
    });
    expect(sentence).toMatch(/expects TLS, and the base address says http/);
  });

  test('a port that says itself that it asks for a client certificate', async () => {
    const body = '<center>No required SSL certificate was sent</center>';
    const { sentence } = await contactSame({ status: 400, headers: HTML, body });
    expect(sentence).toMatch(/asks for a client certificate: name yours with --cert and --key/);
  });

  test('not a service whose own errors say 403', async () => {
    const body = '{"code":"F","message":"no","status":403}';
    expect((await contactSame({ status: 403, headers: JSON_TYPE, body })).sentence).toBeUndefined();
  });

  const access = [['CF-Access-Client-Id', 'Qx7vB2rM9w']] as const;
  test.each([
    [
      'rejects every request',
      { status: 403, headers: JSON_TYPE, body: '{"message":"Forbidden"}' },
      /returned 403: something does not let this client in/,
    ],
    ['shows a login page', { status: 200, headers: HTML, body: '<html>Log in</html>' }, /returned HTML to every request/],
    ['redirects to a login page', { status: 302, headers: { location: 'https://login.invalid/' } }, /redirects every request, to https:/],
  ])('an access proxy that %s, with and without a header for it', async (_what, response, words) => {
    const { sentence: without } = await contactSame(response);
    expect(without).toMatch(words);
    expect(without).toContain('add the header that it asks for with --header (`headers` of a target)');
    const { sentence } = await contactSame(response, { headers: access });
    expect(sentence).toMatch(words);
    expect(sentence).toContain('check the value of CF-Access-Client-Id (--header, or `headers` of a target)');
    expect(sentence).not.toContain('Qx7v');
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

  test('no POST is sent in a read-only run', async () => {
    const { sentence, exchanges } = await contactReference({ apiKey: 'pk-another-deployment' }, { readOnly: true });
    expect(sentence).toMatch(/returned 401/);
    expect(exchanges.map(({ request }) => request.method)).toEqual(['GET', 'GET']);
  });
});

/** What the start of a session says that reaches a server on loopback; undefined if the checks judge it. */
async function start(server: Server, { scheme = 'http', ...changes }: Partial<SessionOptions> & { scheme?: string } = {}) {
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  const { port } = server.address() as AddressInfo;
  const open = await openSession(sessionOptions(`${scheme}://127.0.0.1:${port}/v1`, changes));
  try {
    await open.start();
    return { port, sentence: undefined };
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    return { port, sentence: error.message };
  } finally {
    await open.session.close();
    server.close();
  }
}

/** A server that closes a connection as soon as it has read what these bytes begin with. */
const closing = (closes: (head: string) => boolean, response = 'HTTP/1.1 500 Broken\r\nContent-Length: 0\r\n\r\n'): Server =>
  createSocketServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (data) => (closes(data.toString('latin1')) ? socket.destroy() : socket.end(response)));
  });

describe('reach', () => {
  test('says that a port is unreachable that closes every connection without a byte of a response', async () => {
    const { port, sentence } = await start(closing(() => true));
    expect(sentence).toBe(
      `no response from 127.0.0.1 port ${port}: the connection was closed without a byte of a response (UND_ERR_SOCKET)`,
    );
  });

  test.each([
    ['closes the connection on lists only', closing((head) => /^GET \/v1\/pets[? ]/.test(head))],
    ['closes the connection on all but a POST', closing((head) => head.startsWith('GET'))],
    ['breaks off each response', closing(() => false, 'HTTP/1.1 200 OK\r\nX-')],
    ['sends what is not HTTP', closing(() => false, 'SSH-2.0-OpenSSH_9.9\r\n')],
  ])('leaves a service to the checks that %s', async (_what, server) => {
    expect((await start(server)).sentence).toBeUndefined();
  });

  test('suggests https for a port that speaks TLS, whether or not its certificate is trusted', async () => {
    const server = createTlsServer(makeCertificate({ name: 'localhost' }), (_incoming, outgoing) => outgoing.end('[]'));
    const { port, sentence } = await start(server);
    expect(sentence).toBe(
      `http://127.0.0.1:${port}/v1 expects TLS, and the base address says http. Use https://127.0.0.1:${port}/v1 as the base address`,
    );
  });

  test.each([
    [40, /the service asks for a client certificate: name yours with --cert and --key .*; or it shares no cipher/],
    [70, /the service speaks no version of TLS that this client speaks/],
    [112, /the service has no certificate for this host name/],
    [116, /the service asks for a client certificate: name yours with --cert and --key/],
    [120, /the service speaks neither HTTP\/1\.1 nor HTTP\/2 there/],
  ])('says why the service refuses TLS with the alert %i', async (alert, words) => {
    const server = createSocketServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(Buffer.from([0x15, 3, 3, 0, 2, 2, alert])));
    });
    const { port, sentence } = await start(server, { scheme: 'https' });
    expect(sentence).toContain(`no response from 127.0.0.1 port ${port}: no TLS connection: `);
    expect(sentence).toMatch(words);
    expect(sentence).toContain(`(TLS alert ${alert})`);
    expect(sentence).not.toMatch(/openssl|SSL routines/);
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
