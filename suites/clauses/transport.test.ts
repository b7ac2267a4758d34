// Responses that strict clients reject, from a conforming server behind a front that rewrites its bytes or adds TLS.
import { writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { KEY, sessionOptions } from '../../proof/judge-reference.ts';
import { runSuite } from '../../src/judge/run.ts';
import { startReference } from '../../src/reference/server.ts';
import { type CertificateOptions, makeCertificate } from '../../test/support/certificate.ts';
import { ownFolder } from '../../test/support/program.ts';
import { SUITE } from '../plan/index.ts';

type Front = { readonly rewrite?: (text: string) => string; readonly certificate?: CertificateOptions };

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** The verdicts on the server behind that front. */
async function verdictsBehind({ rewrite = (text) => text, certificate }: Front) {
  const reference = await startReference({ apiKey: KEY, seedAnimals: 7 });
  onTestFinished(() => reference.close());
  const forward = (client: Socket): void => {
    const upstream = connect(reference.port, '127.0.0.1');
    client.pipe(upstream);
    upstream.on('data', (bytes) => client.write(rewrite(bytes.toString('latin1')), 'latin1'));
    upstream.on('close', () => client.destroy());
    upstream.on('error', () => client.destroy());
    client.on('error', () => upstream.destroy());
    client.on('close', () => upstream.destroy());
  };
  const made = certificate === undefined ? undefined : makeCertificate(certificate);
  const port = await listen(made === undefined ? createServer(forward) : createTlsServer(made, forward));
  const ca = made === undefined ? undefined : join(ownFolder(), 'ca.pem');
  if (ca !== undefined && made !== undefined) writeFileSync(ca, made.cert);
  const baseUrl = made === undefined ? `http://127.0.0.1:${port}/v1` : `https://localhost:${port}/v1`;
  const only = new Set(['list.success', 'media.transport'] as const);
  const { verdicts } = await runSuite({ ...SUITE, only, options: sessionOptions(baseUrl, { ca, timeout: 20_000, readOnly: true }) });
  return verdicts.filter(({ clause }) => (only as ReadonlySet<string>).has(clause.id));
}

test.each<[string, Front]>([
  ['plain', {}],
  ['HTTP/1.0', { rewrite: (text) => text.replace('HTTP/1.1 ', 'HTTP/1.0 ') }],
  ['TLS', { certificate: { name: 'localhost' } }],
])('A conforming server passes: %s.', async (_name, front) => {
  expect((await verdictsBehind(front)).map(({ verdict }) => verdict)).toEqual(['pass', 'pass']);
});

test.each<[string, Front, RegExp]>([
  ['another version', { rewrite: (text) => text.replace('HTTP/1.1 ', 'HTTP/2.0 ') }, /has HTTP\/2\.0 in its status line/],
  ['an unknown coding', { rewrite: (text) => chunked(text, 'cow, chunked') }, /has the transfer coding "cow", which HTTP does not know/],
  ['a coding in two lines', { rewrite: (text) => chunked(text, 'chunked\r\nTransfer-Encoding: chunked') }, /chunked more than once/],
  ['a common name alone', { certificate: { name: 'localhost', commonNameOnly: true } }, /names its host in the common name only/],
])('A response that strict clients reject is a warning, and nothing else is red: %s.', async (_name, front, note) => {
  const failed = (await verdictsBehind(front)).filter(({ verdict }) => verdict === 'fail');
  expect(failed.map(({ clause }) => clause.id)).toEqual(['media.transport']);
  expect(failed[0]?.note).toMatch(note);
});

/** A response that was framed by its length, now in one chunk. */
function chunked(text: string, codings: string): string {
  return text.replace(/content-length: (\d+)\r\n([\s\S]*?\r\n\r\n)([\s\S]*)$/i, (_all, length: string, head: string, body: string) => {
    const size = Number(length).toString(16);
    return `Transfer-Encoding: ${codings}\r\n${head}${size}\r\n${body}\r\n0\r\n\r\n`;
  });
}
