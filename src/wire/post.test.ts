import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { makeCertificate } from '../../test/support/certificate.ts';
import { startForwardProxy } from '../../test/support/forward-proxy.ts';
import { ownFolder } from '../../test/support/program.ts';
import { post } from './post.ts';

const MESSAGE = { headers: {}, body: 'hello', patience: 10_000, ca: undefined, proxy: undefined };
const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

async function startReceiver(tls?: { readonly key: string; readonly cert: string }) {
  const seen: { readonly url: string; readonly headers: IncomingHttpHeaders }[] = [];
  const server = (tls === undefined ? createServer() : createSecureServer(tls)).on('request', (incoming, outgoing) => {
    seen.push({ url: String(incoming.url), headers: incoming.headers });
    outgoing.writeHead(202).end();
  });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  onTestFinished(() => {
    server.close();
  });
  return { seen, port: (server.address() as AddressInfo).port };
}

test.each([
  ['user:pa%20ss@', basic('user:pa ss')],
  ['user@', basic('user:')],
  [':p%40ss@', basic(':p@ss')],
  ['', undefined],
])('post sends the login "%s" of an address as %s', async (login, authorization) => {
  const { seen, port } = await startReceiver();
  expect(await post({ ...MESSAGE, url: `http://${login}127.0.0.1:${port}/a?b` })).toBe(202);
  expect(seen).toMatchObject([{ url: '/a?b' }]);
  expect(seen[0]?.headers.authorization).toBe(authorization);
});

test.each([
  ['user:pa%20ss@', basic('user:pa ss')],
  [':p%40ss@', basic(':p@ss')],
  ['', undefined],
])('post goes through a proxy, with its login "%s", which the receiver does not get', async (login, authorization) => {
  const [{ seen, port }, proxy] = [await startReceiver(), await startForwardProxy()];
  const url = `http://hook.test:${port}/x`;
  expect(await post({ ...MESSAGE, url, proxy: `http://${login}${proxy.host}` })).toBe(202);
  expect(proxy.seen).toMatchObject([{ url }]);
  expect(proxy.seen[0]?.headers['proxy-authorization']).toBe(authorization);
  expect(seen[0]?.headers).not.toHaveProperty('proxy-authorization');
  expect(seen[0]?.headers).not.toHaveProperty('authorization');
});

test('post trusts the certificates of a file, through a proxy too, and no others', async () => {
  const tls = makeCertificate({ name: 'hook.test' });
  const ca = join(ownFolder(), 'ca.pem');
  writeFileSync(ca, tls.cert);
  const [{ seen, port }, { host }] = [await startReceiver(tls), await startForwardProxy()];
  const message = { ...MESSAGE, url: `https://user:pass@hook.test:${port}/x` };
  const through = `http://${host}`;
  await expect(post({ ...message, proxy: through })).rejects.toThrow(/self-signed certificate/);
  expect(await post({ ...message, ca, proxy: through })).toBe(202);
  expect(seen.map(({ headers }) => headers.authorization)).toEqual([basic('user:pass')]);
});

test('post with certificates of a file also trusts those of NODE_EXTRA_CA_CERTS', async () => {
  const [tls, other] = [makeCertificate({ name: 'localhost' }), makeCertificate({ name: 'other.test' })];
  const folder = ownFolder();
  const [extra, ca] = [join(folder, 'extra.pem'), join(folder, 'ca.pem')];
  writeFileSync(extra, tls.cert);
  writeFileSync(ca, other.cert);
  const { port } = await startReceiver(tls);
  const message = { ...MESSAGE, url: `https://localhost:${port}/`, ca };
  const script = `import { post } from ${JSON.stringify(import.meta.resolve('./post.ts'))}; console.log(await post(${JSON.stringify(message)}))`;
  const sent = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], { env: { NODE_EXTRA_CA_CERTS: extra } });
  await expect(sent).resolves.toMatchObject({ stdout: '202\n' });
});
