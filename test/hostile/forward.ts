import { Agent, request as httpRequest } from 'node:http';
import { type ReferenceServer, startReference } from '../../src/reference/server.ts';
import { CANARY } from '../secrets/spellings.ts';
import type { Attacker } from './attack.ts';
import { type RawRequest, rawServer } from './raw-server.ts';

/** The response of a conforming server. */
export type Genuine = { readonly status: number; readonly headers: readonly string[]; readonly body: Buffer };

/** Sends a received request to the reference server. */
export function ask(reference: ReferenceServer, request: RawRequest, agent: Agent): Promise<Genuine> {
  return new Promise((resolve, reject) => {
    const { method, target: path, headers } = request;
    const forwarded = httpRequest({ host: '127.0.0.1', port: reference.port, method, path, headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.rawHeaders, body: Buffer.concat(chunks) }));
    });
    forwarded.on('error', reject);
    forwarded.end(request.body);
  });
}

/** A response as bytes, framed by its length. */
export function bytesOf({ status, headers, body }: Genuine, extra = ''): Buffer {
  const fields: string[] = [];
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? '';
    if (!/^(?:content-length|transfer-encoding|connection|keep-alive)$/i.test(name)) fields.push(`${name}: ${headers[at + 1]}\r\n`);
  }
  return Buffer.concat([
    Buffer.from(`HTTP/1.1 ${status} x\r\n${fields.join('')}${extra}Content-Length: ${body.length}\r\n\r\n`, 'latin1'),
    body,
  ]);
}

/** How a request is handled: `genuine` responds as a conforming server does. */
export type Deal = (request: RawRequest, genuine: () => void) => void;

/** Every attack is judged with the key that the leak tests search for. */
export const HOSTILE_KEY = CANARY;

/** A conforming server behind a socket that the attack controls. */
export async function conformingUntil(deal: Deal, options: { apiKey?: string; seedAnimals?: number } = {}): Promise<Attacker> {
  const { apiKey = HOSTILE_KEY, seedAnimals = 7 } = options;
  const reference = await startReference({ apiKey, seedAnimals });
  const agent = new Agent({ keepAlive: true });
  const front = await rawServer((request) => {
    deal(request, () => {
      ask(reference, request, agent).then(
        (genuine) => request.socket.writable && request.socket.write(bytesOf(genuine)),
        () => request.socket.destroy(),
      );
    });
  });
  return {
    baseUrl: front.baseUrl,
    async close() {
      await front.close();
      agent.destroy();
      await reference.close();
    },
  };
}
