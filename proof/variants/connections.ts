import type { ServerResponse } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { type Patch, pause, type Reply } from '../../src/reference/core/parts.ts';
import { variantsOf } from './variant.ts';

function framed(wire: (reply: Reply, outgoing: ServerResponse) => void | Promise<void>): Patch {
  return () => ({ send: wire });
}

function slow(delay: () => number): Patch {
  return (parts) => ({
    handle: async (context) => {
      await pause(delay());
      return await parts.handle(context);
    },
  });
}

const CODERS = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync };
type Coding = keyof typeof CODERS;

/** Encodes bodies in the first of these codings that the client accepts. */
function coded(codings: readonly Coding[]): Patch {
  return (parts) => ({
    handle: async (context) => {
      const reply = await parts.handle(context);
      const accepted = String(context.call.headers['accept-encoding'] ?? '').split(/\s*,\s*/);
      const coding = codings.find((name) => accepted.some((one) => one === name || (one.startsWith(`${name};`) && !/;q=0$/.test(one))));
      if (coding === undefined) return reply;
      const codedBefore = reply.headers['content-encoding'];
      const contentEncoding = codedBefore === undefined ? coding : `${codedBefore}, ${coding}`;
      return {
        ...reply,
        body: CODERS[coding](reply.body),
        headers: { ...reply.headers, 'content-encoding': contentEncoding, vary: 'accept-encoding' },
      };
    },
  });
}

function plainHead(reply: Reply, version: string): string {
  const lines = Object.entries({ ...reply.headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${version} ${reply.status} \r\n${lines.join('')}\r\n`;
}

/** Ways to write a response to the connection. */
export const connectionVariants = {
  ...variantsOf('HTTP itself: how messages are framed and connections kept', {
    chunked: [
      'Bodies are chunked.',
      framed((reply, outgoing) => {
        outgoing.writeHead(reply.status, { ...reply.headers });
        outgoing.write(reply.body.slice(0, 1));
        outgoing.end(reply.body.slice(1));
      }),
      { seedAnimals: 30 },
    ],
    'chunked-slowly': [
      'Bodies are sent in four chunks with pauses.',
      framed(async (reply, outgoing) => {
        outgoing.writeHead(reply.status, { ...reply.headers });
        const bytes = Buffer.from(reply.body);
        const step = Math.ceil(bytes.length / 4) || 1;
        for (let start = 0; start < bytes.length; start += step) {
          outgoing.write(bytes.subarray(start, start + step));
          await pause(15);
        }
        outgoing.end();
      }),
      { seedAnimals: 30 },
    ],
    'body-until-close': [
      'Bodies end when the connection closes, as in HTTP/1.0, and there is no reason phrase.',
      framed((reply, outgoing) => {
        const { socket } = outgoing;
        socket?.write(plainHead(reply, 'HTTP/1.0'));
        socket?.end(reply.body);
      }),
      { seedAnimals: 30 },
    ],
    'no-reason-phrase': [
      'The status line has no reason phrase.',
      framed((reply, outgoing) => {
        const length = Buffer.byteLength(reply.body);
        outgoing.socket?.write(plainHead({ ...reply, headers: { ...reply.headers, 'content-length': String(length) } }, 'HTTP/1.1'));
        outgoing.socket?.end(reply.body);
      }),
      { seedAnimals: 30 },
    ],
    'white-space-around-values': [
      'Header values have spaces and tabs around them, Content-Length included.',
      framed((reply, outgoing) => {
        const headers = { ...reply.headers, 'content-length': String(Buffer.byteLength(reply.body)) };
        outgoing.writeHead(reply.status, Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, `\t ${value} \t `])));
        outgoing.end(reply.body);
      }),
      { seedAnimals: 30 },
    ],
    gzip: ['Bodies are compressed when the client accepts gzip.', coded(['gzip']), { seedAnimals: 30 }],
    'best-coding': [
      'Bodies are compressed with the newest coding that the client accepts: Zstandard, Brotli, gzip or deflate.',
      coded(['zstd', 'br', 'gzip', 'deflate']),
      { seedAnimals: 8 },
    ],
    'gzip-for-all-who-do-not-say': [
      'Bodies are compressed for clients without Accept-Encoding, who accept any coding.',
      (parts) => ({
        handle: async (context) => {
          const reply = await parts.handle(context);
          if (context.call.headers['accept-encoding'] !== undefined) return reply;
          return { ...reply, body: gzipSync(reply.body), headers: { ...reply.headers, 'content-encoding': 'gzip' } };
        },
      }),
      { seedAnimals: 8 },
    ],
    'coded-twice': [
      'A proxy compresses the compressed body once more, and Content-Encoding says so.',
      (parts) => coded(['br'])({ ...parts, ...coded(['gzip'])(parts) }),
      { seedAnimals: 8 },
    ],
    'connection-close': [
      'Each connection serves one request.',
      (parts) => ({ headers: (given, reply, call) => ({ ...parts.headers(given, reply, call), connection: 'close' }) }),
      { seedAnimals: 8 },
    ],
    'connection-of-five-requests': [
      'Each connection serves five requests.',
      (parts) => {
        const served = new WeakMap<object, number>();
        return {
          headers: (given, reply, call) => {
            const count = (served.get(call.connection) ?? 0) + 1;
            served.set(call.connection, count);
            return { ...parts.headers(given, reply, call), ...(count >= 5 ? { connection: 'close' } : {}) };
          },
        };
      },
      { seedAnimals: 8 },
    ],
    'early-hints': [
      'A 103 precedes each response.',
      (parts) => ({
        send: (reply, outgoing, call) => {
          outgoing.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' });
          return parts.send(reply, outgoing, call);
        },
      }),
    ],
    'unasked-continue': [
      'A 100 and a 102 precede each response, requested or not.',
      (parts) => ({
        send: (reply, outgoing, call) => {
          outgoing.writeContinue();
          outgoing.writeProcessing();
          return parts.send(reply, outgoing, call);
        },
      }),
    ],
  }),
  ...variantsOf('duration of a response: not shown', {
    'latency-400-ms': ['Each response takes 400 ms.', slow(() => 400), { seedAnimals: 8 }],
    'latency-jitter': ['Responses take up to 300 ms, at random.', slow(() => Math.random() * 300), { seedAnimals: 8 }],
    'slow-creation': [
      'A creation takes a second.',
      (parts) => ({
        insert: async (store, pet) => {
          await pause(1000);
          return await parts.insert(store, { ...pet, createdAt: Date.now() });
        },
      }),
    ],
  }),
};
