import { createServer as createTlsServer } from 'node:tls';
import { IPV6 } from '../../support/tool.ts';
import type { Attack, Attacker } from '../attack.ts';
import { type CertificateOptions, makeCertificate } from '../certificate.ts';
import { answerOn, attackWith, connectionServer, message, rawServer } from '../raw-server.ts';

function tls(certificate: CertificateOptions): Attack['start'] {
  return () => {
    const server = createTlsServer(makeCertificate(certificate), (socket) => answerOn(socket, () => socket.write(message('200 OK', '[]'))));
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
    names: /within 1000 ms|Connect Timeout/i,
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
    does: 'listens on ::1 only, and answers 200 [] to everything',
    exits: [1],
    names: /create\./,
    needs: [IPV6],
    start: () => rawServer(({ socket }) => socket.write(message('200 OK', '[]')), { host: '::1' }),
  },
];
