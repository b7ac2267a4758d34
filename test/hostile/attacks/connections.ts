import type { Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { type CertificateOptions, makeCertificate } from '../../support/certificate.ts';
import { IPV6 } from '../../support/tool.ts';
import { type Attack, type Attacker, attackWith, conformingUntil, connectionServer, message, rawServer, respondOn } from '../attacker.ts';

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n';
const CLOSED = /connection was closed|not valid HTTP/;

const reset = (socket: Socket): void => void socket.resetAndDestroy();

/** Servers that drop connections. */
export const connections: readonly Attack[] = [
  {
    name: 'reset-at-connect',
    does: 'resets each connection as it comes',
    exits: [3],
    names: CLOSED,
    start: () => connectionServer(reset),
  },
  {
    name: 'close-at-connect',
    does: 'closes each connection as it comes',
    exits: [3],
    names: CLOSED,
    start: () => connectionServer((socket) => socket.end()),
  },
  {
    name: 'reset-at-request',
    does: 'resets when a request has come',
    exits: [3],
    names: CLOSED,
    start: () => rawServer(({ socket }) => reset(socket)),
  },
  {
    name: 'reset-in-headers',
    does: 'resets in the middle of the headers',
    exits: [1],
    names: CLOSED,
    start: () => rawServer(({ socket }) => void socket.write(HEAD, () => reset(socket))),
  },
  {
    name: 'reset-in-body',
    does: 'resets in the middle of the body',
    exits: [1],
    names: CLOSED,
    start: () => rawServer(({ socket }) => void socket.write(`${HEAD}\r\n[`, () => reset(socket))),
  },
  {
    name: 'drops-every-tenth-request',
    does: 'conforms, but resets on every tenth request',
    exits: [1],
    names: /errors\.answers[\s\S]*connection was closed/,
    start: () => conformingUntil((request, genuine) => (request.number % 10 === 0 ? reset(request.socket) : genuine())),
  },
  {
    name: 'closes-every-second-use',
    does: 'conforms, but closes a kept connection instead of responding to its second request (within its rights for reads)',
    exits: [0],
    names: /Reads repeated because the service had closed a kept-alive connection: \d+/,
    start: () => conformingUntil((request, genuine) => (request.onConnection % 2 === 0 ? request.socket.destroy() : genuine())),
  },
  {
    name: 'loses-every-post-answer',
    does: 'conforms, stores each POST and drops its response',
    exits: [1],
    names: /errors\.answers/,
    start: () =>
      conformingUntil((request, genuine) => {
        if (request.method !== 'POST') return genuine();
        request.socket.write = () => {
          request.socket.destroy();
          return true;
        };
        genuine();
      }),
  },
];

function tls(certificate: CertificateOptions): Attack['start'] {
  return () => {
    const server = createTlsServer(makeCertificate(certificate), (socket) =>
      respondOn(socket, () => socket.write(message('200 OK', '[]'))),
    );
    server.on('tlsClientError', () => undefined);
    return attackWith(server, { scheme: 'https', name: 'localhost' });
  };
}

async function nowhere(baseUrl: string): Promise<Attacker> {
  return { baseUrl, close: async () => undefined };
}

/** Failures below HTTP. */
export const network: readonly Attack[] = [
  {
    name: 'tls-expired',
    does: 'shows an expired certificate',
    exits: [3],
    names: /TLS.*expired/i,
    start: tls({ name: 'localhost', expired: true }),
  },
  {
    name: 'tls-self-signed',
    does: 'shows a self-signed certificate',
    exits: [3],
    names: /TLS.*self.signed/i,
    start: tls({ name: 'localhost' }),
  },
  {
    name: 'tls-other-name',
    does: 'shows a certificate for another name',
    exits: [3],
    names: /TLS/i,
    start: tls({ name: 'elsewhere.example' }),
  },
  {
    name: 'tls-never-answers',
    does: 'accepts the connection and never shakes hands',
    exits: [3],
    names: /within 1000 ms/,
    start: async () => {
      const attacker = await connectionServer((socket) => void socket.resume());
      return { ...attacker, baseUrl: attacker.baseUrl.replace('http:', 'https:') };
    },
  },
  {
    name: 'plain-http-on-the-tls-port',
    does: 'speaks plain HTTP where TLS is spoken',
    exits: [3],
    names: /the port speaks plain HTTP, not TLS; did you mean http:\/\//,
    start: async () => {
      const attacker = await connectionServer((socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'));
      return { ...attacker, baseUrl: attacker.baseUrl.replace('http:', 'https:') };
    },
  },
  {
    name: 'nobody-listens',
    does: 'refuses connections',
    exits: [3],
    names: /cannot reach 127\.0\.0\.1 port 9: no connection/,
    start: () => nowhere('http://127.0.0.1:9/v1'),
  },
  {
    name: 'name-does-not-resolve',
    does: 'has a name that does not resolve',
    exits: [3],
    names: /host name does not resolve/,
    start: () => nowhere('http://no-such-host.invalid/v1'),
  },
  {
    name: 'ipv6-only',
    does: 'listens on ::1 only, and returns 200 [] for everything',
    exits: [1],
    names: /create\./,
    needs: [IPV6],
    start: () => rawServer(({ socket }) => socket.write(message('200 OK', '[]')), { host: '::1' }),
  },
];
