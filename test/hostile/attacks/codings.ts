import { promisify } from 'node:util';
import { brotliCompress, gzip, gzipSync } from 'node:zlib';
import type { Attack } from '../attack.ts';
import { message, rawServer } from '../raw-server.ts';

// On threads of their own: other attackers of this process must go on answering meanwhile.
const gzipped = promisify(gzip);
const brotlied = promisify(brotliCompress);
const blank = (megabytes: number): Buffer => Buffer.alloc(megabytes * 1024 * 1024, 0x20);

const bomb = (): Promise<Buffer> => gzipped(blank(256));
const nestedBomb = async (): Promise<Buffer> => gzipped(await bomb());
const brotliBomb = (): Promise<Buffer> => brotlied(blank(64));

function coded(coding: string, body: () => Promise<Buffer> | Buffer | string): Attack['start'] {
  return async () => {
    const bytes = message('200 OK', await body(), `Content-Type: application/json\r\nContent-Encoding: ${coding}\r\n`);
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
