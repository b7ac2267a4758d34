import { writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeCertificate } from '../../test/support/certificate.ts';
import { ownFolder } from '../../test/support/program.ts';
import { post } from './post.ts';

const MESSAGE = { headers: {}, body: 'hello', patience: 10_000, ca: undefined, proxy: undefined };
const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

async function listen(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

type Seen = { readonly url: string; readonly headers: IncomingHttpHeaders };

function receiver(tls?: { readonly key: string; readonly cert: string }) {
  const seen: Seen[] = [];
  const server = (tls === undefined ? createServer() : createSecureServer(tls)).on('request', (incoming, outgoing) => {
    seen.push({ url: String(incoming.url), headers: incoming.headers });
    outgoing.writeHead(202).end();
  });
  return { seen, server };
}

/** A proxy that leads every name to this machine. */
function forwardProxy() {
  const seen: Seen[] = [];
  const server = createServer((incoming, outgoing) => {
    seen.push({ url: String(incoming.url), headers: incoming.headers });
    const { port, pathname } = new URL(String(incoming.url));
    const { 'proxy-authorization': _own, ...headers } = incoming.headers;
    const onward = request({ host: '127.0.0.1', port, path: pathname, method: String(incoming.method), headers }, (response) =>
      response.pipe(outgoing.writeHead(response.statusCode ?? 502, response.headers)),
    );
    incoming.pipe(onward);
  }).on('connect', (incoming, socket) => {
    seen.push({ url: String(incoming.url), headers: incoming.headers });
    const onward = connect(Number(String(incoming.url).split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket);
      socket.pipe(onward);
    });
    for (const end of [socket, onward]) end.on('error', () => undefined);
  });
  return { seen, server };
}

test.each([
  ['user:pa%20ss@', basic('user:pa ss')],
  ['user@', basic('user:')],
  [':p%40ss@', basic(':p@ss')],
  ['', undefined],
])('post sends the login "%s" of an address as %s', async (login, authorization) => {
  const { seen, server } = receiver();
  expect(await post({ ...MESSAGE, url: `http://${login}127.0.0.1:${await listen(server)}/a?b` })).toBe(202);
  expect(seen).toMatchObject([{ url: '/a?b' }]);
  expect(seen[0]?.headers.authorization).toBe(authorization);
});

test.each([
  ['user:pa%20ss@', basic('user:pa ss')],
  [':p%40ss@', basic(':p@ss')],
  ['', undefined],
])('post goes through a proxy, with its login "%s", which the receiver does not get', async (login, authorization) => {
  const [{ seen, server }, proxy] = [receiver(), forwardProxy()];
  const url = `http://hook.test:${await listen(server)}/x`;
  expect(await post({ ...MESSAGE, url, proxy: `http://${login}127.0.0.1:${await listen(proxy.server)}` })).toBe(202);
  expect(proxy.seen).toMatchObject([{ url }]);
  expect(proxy.seen[0]?.headers['proxy-authorization']).toBe(authorization);
  expect(seen[0]?.headers).not.toHaveProperty('proxy-authorization');
  expect(seen[0]?.headers).not.toHaveProperty('authorization');
});

test('post trusts the certificates of a file, through a proxy too, and no others', async () => {
  const tls = makeCertificate({ name: 'hook.test' });
  const ca = join(ownFolder(), 'ca.pem');
  writeFileSync(ca, tls.cert);
  const [{ seen, server }, proxy] = [receiver(tls), forwardProxy()];
  const message = { ...MESSAGE, url: `https://user:pass@hook.test:${await listen(server)}/x` };
  const through = `http://127.0.0.1:${await listen(proxy.server)}`;
  await expect(post({ ...message, proxy: through })).rejects.toThrow(/self-signed certificate/);
  expect(await post({ ...message, ca, proxy: through })).toBe(202);
  expect(seen.map(({ headers }) => headers.authorization)).toEqual([basic('user:pass')]);
});
