import { promisify } from 'node:util';
import { brotliCompress, deflate, deflateRaw, gzip, gzipSync } from 'node:zlib';
import { type Attack, message, rawServer } from '../attacker.ts';

// On separate threads: other attackers of this process must be able to respond in the meantime.
const gzipped = promisify(gzip);
const brotlied = promisify(brotliCompress);
const deflated = promisify(deflate);
const deflatedRaw = promisify(deflateRaw);
const blank = (megabytes: number): Buffer => Buffer.alloc(megabytes * 1024 * 1024, 0x20);

const bomb = (): Promise<Buffer> => gzipped(blank(256));
const nestedBomb = async (): Promise<Buffer> => gzipped(await bomb());
const mixedBomb = async (): Promise<Buffer> => deflated(await gzipped(await brotlied(blank(64))));
const brotliBomb = (): Promise<Buffer> => brotlied(blank(64));

function coded(coding: string, body: () => Promise<Buffer> | Buffer | string): Attack['start'] {
  return async () => {
    const bytes = message('200 OK', await body(), `Content-Type: application/json\r\nContent-Encoding: ${coding}\r\n`);
    return rawServer(({ socket }) => socket.write(bytes));
  };
}

/** Servers that send a body in a content coding. */
export const codings: readonly Attack[] = [
  { name: 'gzip-bomb', does: 'sends 256 KB of gzip that are 256 MB', exits: [3], names: /body is larger than/, start: coded('gzip', bomb) },
  {
    name: 'gzip-bomb-nested',
    does: 'sends gzip in gzip that is 256 MB',
    exits: [3],
    names: /body is larger than/,
    start: coded('gzip, gzip', nestedBomb),
  },
  { name: 'brotli-bomb', does: 'sends brotli that is 64 MB', exits: [3], names: /body is larger than/, start: coded('br', brotliBomb) },
  {
    name: 'deflate-bomb',
    does: 'sends deflate that is 256 MB',
    exits: [3],
    names: /body is larger than/,
    start: coded('deflate', () => deflated(blank(256))),
  },
  {
    name: 'raw-deflate-bomb',
    does: 'sends deflate without its frame, as some clients take it, that would be 256 MB',
    exits: [1],
    names: /does not decode as deflate/,
    start: coded('deflate', () => deflatedRaw(blank(256))),
  },
  {
    name: 'mixed-bomb',
    does: 'sends brotli in gzip in deflate that is 64 MB',
    exits: [3],
    names: /body is larger than/,
    start: coded('br, gzip, deflate', mixedBomb),
  },
  {
    name: 'ninety-thousand-gzip-members',
    does: 'sends ninety thousand gzip members of nothing, one after the other',
    exits: [1],
    names: /./,
    start: coded('gzip', () => Buffer.concat([...Array(90_000).fill(gzipSync('')), gzipSync('[]')])),
  },
  {
    name: 'unknown-bomb',
    does: 'says zstd, and sends a frame that is cut short',
    exits: [1],
    names: /does not decode as zstd|zstd/,
    start: coded('zstd', () => Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0, 0])),
  },
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
    does: 'names a thousand nested content codings',
    exits: [1],
    names: /1000 nested content codings/,
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
