// Servers that stand in front of the reference server, or in its place.

import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { KEY } from '../../proof/judge-reference.ts';
import { startReference } from '../../proof/server.ts';

export type Front = { readonly baseUrl: string; close(): Promise<void> };

/** A server that gives every request the same response. */
export async function startSame(response: {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}): Promise<Front> {
  const server = createServer((incoming, outgoing) => {
    incoming.resume();
    outgoing.writeHead(response.status, response.headers);
    outgoing.end(response.body);
  });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => {
        server.close(done);
      });
    },
  };
}

/** A response in transit, with its request. */
export type Passing = {
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: IncomingHttpHeaders;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

/** A request that has arrived completely. */
export type Asked = { readonly method: string; readonly url: string; readonly headers: IncomingHttpHeaders; readonly body: string };

export type FrontOptions = {
  /** Reference servers behind it, each with a store of its own, chosen in an order that matches no pattern of requests. */
  readonly instances?: number;
  /** What these servers have besides the API key of tests and seven animals, or instead. */
  readonly service?: Partial<Parameters<typeof startReference>[0]>;
  /** The Authorization header that they get instead of the one that was sent. */
  readonly authorize?: (sent: string) => string;
  /** Whether the connection is closed instead of passing the request on. */
  readonly breaksOff?: () => boolean;
  /** Handles a request itself; true if it is not to be passed on. */
  readonly instead?: (asked: Asked, response: ServerResponse) => boolean | Promise<boolean>;
  /** Changes a response in transit. */
  readonly change?: (passing: Passing) => Partial<Pick<Passing, 'status' | 'headers' | 'body'>>;
};

type Onward = { readonly port: number; readonly authorize: (sent: string) => string; readonly body: Buffer | undefined };

/** Sends a request on: with its body, or as it arrives. */
function ask(incoming: IncomingMessage, { port, authorize, body }: Onward): Promise<IncomingMessage> {
  const { method, url } = incoming;
  const { authorization: sent } = incoming.headers;
  const headers = { ...incoming.headers, ...(sent === undefined ? {} : { authorization: authorize(sent) }) };
  return new Promise((resolve, reject) => {
    const onward = request({ host: '127.0.0.1', port, method, path: url, headers }, resolve);
    onward.on('error', reject);
    if (body === undefined) incoming.pipe(onward);
    else onward.end(body);
  });
}

/** Set bits: even and odd in an order without a period (Thue and Morse). */
const onesOf = (value: number): number => value.toString(2).replaceAll('0', '').length;

/** A proxy in front of reference servers that changes what passes, as frameworks, gateways, and load balancers do. */
export async function startFront({
  instances = 1,
  service = {},
  authorize = (sent) => sent,
  breaksOff = () => false,
  instead,
  change = () => ({}),
}: FrontOptions): Promise<Front> {
  const references = await Promise.all(
    Array.from({ length: instances }, () => startReference({ apiKey: KEY, seedAnimals: 7, ...service })),
  );
  let turn = 0;
  const front = createServer((incoming, outgoing) => {
    if (breaksOff()) {
      incoming.socket.destroy();
      return;
    }
    turn += 1;
    const port = references[onesOf(turn) % instances]?.port ?? 0;
    const pass = async (): Promise<void> => {
      const { method = '', url = '', headers: requestHeaders } = incoming;
      const sent = instead === undefined ? undefined : await buffer(incoming);
      if (sent !== undefined && (await instead?.({ method, url, headers: requestHeaders, body: sent.toString('utf8') }, outgoing)) === true)
        return;
      const response = await ask(incoming, { port, authorize, body: sent });
      const { statusCode: status = 502, headers } = response;
      const body = (await buffer(response)).toString('utf8');
      const changed = { status, headers, body, ...change({ method, url, requestHeaders, status, headers, body }) };
      const { 'content-length': _length, 'transfer-encoding': _coding, ...kept } = changed.headers;
      outgoing.writeHead(changed.status, { ...kept, 'content-length': Buffer.byteLength(changed.body) });
      outgoing.end(changed.body);
    };
    pass().catch(() => outgoing.destroy());
  });
  await new Promise<void>((done) => {
    front.listen(0, '127.0.0.1', done);
  });
  return {
    baseUrl: `http://127.0.0.1:${(front.address() as AddressInfo).port}/v1`,
    async close() {
      front.closeAllConnections();
      await new Promise((done) => {
        front.close(done);
      });
      await Promise.all(references.map((reference) => reference.close()));
    },
  };
}
