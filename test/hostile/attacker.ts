// What attacks are made of: a server that controls each byte, and a conforming one that turns hostile.

import { Agent, request as httpRequest } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { type ReferenceServer, startReference } from '../../src/reference/server.ts';
import { CANARY } from '../secrets/spellings.ts';
import type { Tool } from '../support/tool.ts';

/** An attacking server, while it listens. */
export type Attacker = {
  readonly baseUrl: string;
  close(): Promise<void>;
  /** What the client wrongly did: followed a redirect, sent a cookie back. One sentence each. */
  readonly misdeeds?: () => readonly string[];
};

/** One way to harm an HTTP client, and how a run against it must end. */
export type Attack = {
  /** Unique, kebab-case. */
  readonly name: string;
  /** What the server does, in one sentence. */
  readonly does: string;
  /** 1: it was judged and failed. 3: it could never be reached. 0 only if the server is within its rights. */
  readonly exits: readonly number[];
  /** The true cause, as the output must name it. */
  readonly names: RegExp;
  /** Tools that the machine needs for it. */
  readonly needs?: readonly Tool[];
  readonly start: () => Promise<Attacker>;
};

/** A request as read from the socket, and the socket for the response. */
export type RawRequest = {
  readonly socket: Socket;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Counts the requests of the server from 1, and those of this connection from 1. */
  readonly number: number;
  readonly onConnection: number;
};

type Head = Pick<RawRequest, 'method' | 'target' | 'headers'> & { readonly end: number };

function readHead(bytes: Buffer): Head | undefined {
  const at = bytes.indexOf('\r\n\r\n');
  if (at === -1) return undefined;
  const [line = '', ...fields] = bytes.subarray(0, at).toString('latin1').split('\r\n');
  const [method = '', target = ''] = line.split(' ');
  const headers = Object.fromEntries(
    fields.map((field) => {
      const colon = field.indexOf(':');
      // Not `trim`: a no-break space is part of a value.
      return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).replace(/^[ \t]+|[ \t]+$/g, '')];
    }),
  );
  return { method, target, headers, end: at + 4 };
}

type Read = Pick<RawRequest, 'method' | 'target' | 'headers' | 'body'> & { readonly rest: Buffer };

/** The chunks of a body, joined; undefined until the last one has arrived. */
function readChunks(bytes: Buffer): Pick<Read, 'body' | 'rest'> | undefined {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const line = bytes.indexOf('\r\n', at);
    const size = line === -1 ? Number.NaN : Number.parseInt(bytes.toString('latin1', at, line), 16);
    const end = line + 2 + size;
    if (Number.isNaN(size) || bytes.length < end + 2) return undefined;
    if (size === 0) return { body: Buffer.concat(chunks), rest: bytes.subarray(end + 2) };
    chunks.push(bytes.subarray(line + 2, end));
    at = end + 2;
  }
}

/** The first request in the bytes, once it is complete. */
function readRequest(bytes: Buffer): Read | undefined {
  const head = readHead(bytes);
  if (head === undefined) return undefined;
  const { end, ...request } = head;
  const rest = bytes.subarray(end);
  if (request.headers['transfer-encoding'] !== undefined) {
    const read = readChunks(rest);
    return read === undefined ? undefined : { ...request, ...read };
  }
  const length = Number(request.headers['content-length'] ?? 0);
  return rest.length < length ? undefined : { ...request, body: rest.subarray(0, length), rest: rest.subarray(length) };
}

function serve(socket: Socket, counter: { requests: number }, respond: (request: RawRequest) => void): void {
  let pending: Buffer = Buffer.alloc(0);
  let onConnection = 0;
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    for (let read = readRequest(pending); read !== undefined; read = readRequest(pending)) {
      const { rest, ...request } = read;
      pending = rest;
      counter.requests += 1;
      onConnection += 1;
      respond({ ...request, socket, number: counter.requests, onConnection });
    }
  });
}

/** Listens on a free port of the host and keeps track of the sockets, to destroy them at the end. */
export async function attackWith(server: Server, options: { host?: string; scheme?: string; name?: string } = {}): Promise<Attacker> {
  const { host = '127.0.0.1', scheme = 'http' } = options;
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, host, () => resolve()));
  const { port } = server.address() as AddressInfo;
  const shown = options.name ?? (host.includes(':') ? `[${host}]` : host);
  return {
    baseUrl: `${scheme}://${shown}:${port}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** A server that responds to each complete request by writing to its socket. */
export function rawServer(respond: (request: RawRequest) => void, options: { host?: string } = {}): Promise<Attacker> {
  const counter = { requests: 0 };
  return attackWith(
    createServer((socket) => serve(socket, counter, respond)),
    options,
  );
}

/** Passes on each connection as it is accepted. */
export function connectionServer(accept: (socket: Socket) => void): Promise<Attacker> {
  return attackWith(createServer(accept));
}

/** Reads requests from a socket that something else accepted (TLS). */
export function respondOn(socket: Socket, respond: (request: RawRequest) => void): void {
  serve(socket, { requests: 0 }, respond);
}

const JSON_HEADERS = 'Content-Type: application/json\r\n';

/** A response with a correct Content-Length; the first line and headers as given. */
export function message(status: string, body: string | Buffer, headers = JSON_HEADERS): Buffer {
  const bytes = Buffer.from(body);
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${headers}Content-Length: ${bytes.length}\r\n\r\n`, 'latin1'), bytes]);
}

/** Writes text repeatedly while the other side reads. */
export function pour(socket: Socket, chunk: string | Buffer): void {
  const bytes = Buffer.from(chunk);
  const more = (): void => {
    while (!socket.destroyed && socket.writable) if (!socket.write(bytes)) return;
  };
  socket.on('drain', more);
  more();
}

/** One byte at a time, every `pause` milliseconds; the rest is not sent once the socket is closed. */
export function drip(socket: Socket, text: string, pause = 200): void {
  let at = 0;
  const timer = setInterval(() => {
    if (socket.destroyed || at >= text.length) clearInterval(timer);
    else socket.write(text.charAt(at));
    at += 1;
  }, pause);
}

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

const CONFORMS_FOR = 20;
const EVERY = 3;

/** What a credential contains: the whole header, and the key alone. */
export type Credential = { readonly header: string; readonly key: string };
type Respond = (credential: Credential, request: RawRequest) => string | Buffer;

/**
 * Conforms for its first requests, so that the run continues, and from then on sends one of these responses, in turn, to every third
 * request with a credential. They need the credential, because they return it.
 */
export function nowAndThen(...responses: readonly Respond[]): Attack['start'] {
  return () => {
    let turn = 0;
    return conformingUntil((request, genuine) => {
      const header = request.headers['authorization'];
      if (header === undefined || request.number < CONFORMS_FOR || request.number % EVERY !== 0) return genuine();
      const respond = responses[turn % responses.length];
      turn += 1;
      if (respond !== undefined) request.socket.write(respond({ header, key: header.replace(/^Bearer /, '') }, request));
    });
  };
}
