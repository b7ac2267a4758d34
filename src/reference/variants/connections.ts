import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Parts, Reply } from '../core/parts.ts';
import { type Variant, variant } from './variant.ts';

const leaves = 'HTTP itself: how messages are framed and connections kept';

function pause(milliseconds: number): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, milliseconds);
  });
}

function framed(name: string, summary: string, wire: (reply: Reply, outgoing: ServerResponse) => void | Promise<void>): Variant {
  return variant(name, leaves, summary, () => ({ send: wire }), { seedAnimals: 30 });
}

function slow(name: string, summary: string, delay: () => number): Variant {
  const replace = (parts: Parts): Partial<Parts> => ({
    handle: async (context) => {
      await pause(delay());
      return await parts.handle(context);
    },
  });
  return variant(name, 'duration of an answer: not shown', summary, replace, { seedAnimals: 8 });
}

function plainHead(reply: Reply, version: string): string {
  const lines = Object.entries({ ...reply.headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${version} ${reply.status} \r\n${lines.join('')}\r\n`;
}

/** Ways of putting an answer on the wire. */
export const connectionVariants: readonly Variant[] = [
  framed('chunked', 'Bodies are chunked.', (reply, outgoing) => {
    outgoing.writeHead(reply.status, { ...reply.headers });
    outgoing.write(reply.body.slice(0, 1));
    outgoing.end(reply.body.slice(1));
  }),
  framed('chunked-slowly', 'Bodies come in four chunks with pauses.', async (reply, outgoing) => {
    outgoing.writeHead(reply.status, { ...reply.headers });
    const bytes = Buffer.from(reply.body);
    const step = Math.ceil(bytes.length / 4) || 1;
    for (let start = 0; start < bytes.length; start += step) {
      outgoing.write(bytes.subarray(start, start + step));
      await pause(15);
    }
    outgoing.end();
  }),
  framed('body-until-close', 'Bodies end where the connection ends, as in HTTP/1.0, and there is no reason phrase.', (reply, outgoing) => {
    const { socket } = outgoing;
    socket?.write(plainHead(reply, 'HTTP/1.0'));
    socket?.end(reply.body);
  }),
  framed('no-reason-phrase', 'The status line has no reason phrase.', (reply, outgoing) => {
    const length = Buffer.byteLength(reply.body);
    outgoing.socket?.write(plainHead({ ...reply, headers: { ...reply.headers, 'content-length': String(length) } }, 'HTTP/1.1'));
    outgoing.socket?.end(reply.body);
  }),
  variant(
    'gzip',
    leaves,
    'Bodies are compressed when the client accepts gzip.',
    (parts) => ({
      handle: async (context) => {
        const reply = await parts.handle(context);
        if (!String(context.call.headers['accept-encoding'] ?? '').includes('gzip')) return reply;
        return { ...reply, body: gzipSync(reply.body), headers: { ...reply.headers, 'content-encoding': 'gzip', vary: 'accept-encoding' } };
      },
    }),
    { seedAnimals: 30 },
  ),
  variant(
    'connection-close',
    leaves,
    'Each connection serves one request.',
    (parts) => ({
      headers: (given, reply, call) => ({ ...parts.headers(given, reply, call), connection: 'close' }),
    }),
    { seedAnimals: 8 },
  ),
  variant(
    'connection-of-five-requests',
    leaves,
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
  ),
  variant('early-hints', leaves, 'A 103 comes before each answer.', (parts) => ({
    send: (reply, outgoing, call) => {
      outgoing.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' });
      return parts.send(reply, outgoing, call);
    },
  })),
  variant('unasked-continue', leaves, 'A 100 and a 102 come before each answer, asked for or not.', (parts) => ({
    send: (reply, outgoing, call) => {
      outgoing.writeContinue();
      outgoing.writeProcessing();
      return parts.send(reply, outgoing, call);
    },
  })),
  slow('latency-400-ms', 'Each answer takes 400 ms.', () => 400),
  slow('latency-jitter', 'Answers take up to 300 ms, at random.', () => Math.random() * 300),
  variant('slow-creation', 'duration of an answer: not shown', 'A creation takes a second.', (parts) => ({
    insert: async (store, pet) => {
      await pause(1000);
      return await parts.insert(store, { ...pet, createdAt: Date.now() });
    },
  })),
];
