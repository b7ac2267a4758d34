import { channel } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { startReference } from '../src/reference/server.ts';
import { makeCertificate } from '../test/support/certificate.ts';

/** A request that a run sends, and the status that the service returns. */
export type Seen = { readonly method: string; readonly path: string; readonly authorization: string | undefined; readonly status: number };

/**
 * The addresses of the service, plain and with TLS; `hungUrl` accepts connections and never responds; `ca` is the file of the certificate
 * to trust.
 */
export type Addresses = { readonly baseUrl: string; readonly tlsUrl: string; readonly hungUrl: string; readonly ca: string };

/** The service for bench/probe.ts, in a separate process. */
const server = await startReference({ apiKey: process.env['KEY'] ?? '', seedAnimals: 30 });
const { key, cert } = makeCertificate({ name: 'localhost' });
const ca = process.env['CA_FILE'] ?? '';
writeFileSync(ca, cert);

function listen(one: Server): Promise<number> {
  return new Promise((done) => one.listen(0, '127.0.0.1', () => done((one.address() as AddressInfo).port)));
}

const hung = createServer((socket) => socket.on('error', () => undefined));
const tls = createTlsServer({ key, cert }, (socket) => {
  const plain = connect(server.port, '127.0.0.1');
  socket.on('error', () => plain.destroy());
  plain.on('error', () => socket.destroy());
  socket.pipe(plain).pipe(socket);
});
const [hungPort, tlsPort] = await Promise.all([listen(hung), listen(tls)]);

let seen: Seen[] | undefined;
channel('http.server.response.finish').subscribe((message) => {
  const { request, response } = message as { readonly request: IncomingMessage; readonly response: ServerResponse };
  const { method = '', url: path = '', headers } = request;
  seen?.push({ method, path, authorization: headers.authorization, status: response.statusCode });
});
// The first message starts the recording, the next one ends it.
process.on('message', () => {
  if (seen === undefined) seen = [];
  else {
    process.send?.(seen);
    seen = undefined;
  }
});
const addresses: Addresses = {
  baseUrl: server.baseUrl,
  tlsUrl: `https://localhost:${tlsPort}/v1`,
  hungUrl: `http://127.0.0.1:${hungPort}/v1`,
  ca,
};
process.send?.(addresses);
