import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Attack } from '../attack.ts';
import { message, rawServer } from '../raw-server.ts';

const once = <Value>(make: () => Value): (() => Value) => {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

const bomb = once(() => gzipSync(Buffer.alloc(256 * 1024 * 1024, 0x20)));
const nestedBomb = once(() => gzipSync(gzipSync(Buffer.alloc(256 * 1024 * 1024, 0x20))));
const brotliBomb = once(() => brotliCompressSync(Buffer.alloc(64 * 1024 * 1024, 0x20)));

function coded(coding: string, body: () => Buffer | string): Attack['start'] {
  return () => {
    const bytes = message('200 OK', body(), `Content-Type: application/json\r\nContent-Encoding: ${coding}\r\n`);
    return rawServer(({ socket }) => socket.write(bytes));
  };
}

/** Servers that send a body in a content coding. */
export const codings: readonly Attack[] = [
  { name: 'gzip-bomb', does: 'sends 256 KB of gzip that are 256 MB', exits: [1], names: /body is larger than/, start: coded('gzip', bomb) },
  {
    name: 'gzip-bomb-nested',
    does: 'sends gzip in gzip that is 256 MB',
    exits: [1],
    names: /body is larger than/,
    start: coded('gzip, gzip', nestedBomb),
  },
  { name: 'brotli-bomb', does: 'sends brotli that is 64 MB', exits: [1], names: /body is larger than/, start: coded('br', brotliBomb) },
  {
    name: 'gzip-that-is-none',
    does: 'says gzip and sends plain JSON',
    exits: [1],
    names: /does not decode as gzip/,
    start: coded('gzip', () => '[]'),
  },
  {
    name: 'gzip-cut-off',
    does: 'sends half a gzip body',
    exits: [1],
    names: /does not decode as gzip/,
    start: coded('gzip', () => gzipSync('[]'.padEnd(4000, ' ')).subarray(0, 20)),
  },
  {
    name: 'thousand-codings',
    does: 'names a thousand content codings on top of each other',
    exits: [1],
    names: /1000 content codings on top of each other/,
    start: coded('gzip,'.repeat(1000), () => gzipSync('[]')),
  },
  {
    name: 'unknown-coding',
    does: 'uses a content coding nobody knows',
    exits: [1],
    names: /unknown content coding/,
    start: coded('constructor', () => '[]'),
  },
];
