// Ways to a server of this machine that something guards or leads elsewhere, each there until the test is over.

import { writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer, type TLSSocket, type TlsOptions } from 'node:tls';
import { onTestFinished } from 'vitest';
import { type CertificateOptions, makeCertificate } from './certificate.ts';

type Place = { readonly port: number; readonly host: string } | { readonly path: string };

const onwardTo =
  (port: number) =>
  (socket: Socket): void => {
    const onward = connect(port, '127.0.0.1');
    socket.pipe(onward).pipe(socket);
    for (const end of [socket, onward])
      end
        .on('error', () => undefined)
        .on('close', () => {
          socket.destroy();
          onward.destroy();
        });
  };

async function open(server: Server, place: Place): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(place, resolve);
  });
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return 'path' in place ? 0 : (server.address() as AddressInfo).port;
}

/** Leads connections on, as they are, to a port of this machine; returns its own. */
export function startEntrance(to: number, place: Place = { port: 0, host: '127.0.0.1' }): Promise<number> {
  return open(createServer(onwardTo(to)), place);
}

/** Leads connections on to a port of this machine, and speaks TLS with whoever connects; returns its own port. */
export function startTlsEntrance(
  to: number,
  { onSecure, ...options }: TlsOptions & { readonly onSecure?: (socket: TLSSocket) => unknown },
): Promise<number> {
  const lead = onwardTo(to);
  const server = createTlsServer(options, (socket) => {
    onSecure?.(socket);
    lead(socket);
  });
  return open(
    server.on('tlsClientError', () => undefined),
    { port: 0, host: '127.0.0.1' },
  );
}

export type CertificateFiles = {
  readonly cert: string;
  readonly key: string;
  readonly pem: { readonly cert: string; readonly key: string };
};

/** A new certificate and its private key, and the files in a folder that have them. */
export function certificateFiles(folder: string, name: string, options: Omit<CertificateOptions, 'name'> = {}): CertificateFiles {
  const pem = makeCertificate({ name, ...options });
  const [cert, key] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  writeFileSync(cert, pem.cert);
  writeFileSync(key, pem.key, { mode: 0o600 });
  return { cert, key, pem };
}
