import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createBodyReader, decodeContent, readBody } from './body.ts';
import { BodyTooLargeError, ContentCodingError } from './transport-failure.ts';

const TEXT = '{"name":"Rex"}';
const CAP = 1_000;

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe('content codings', () => {
  test.each([
    ['none', undefined, Buffer.from(TEXT)],
    ['identity', 'identity', Buffer.from(TEXT)],
    ['gzip', 'gzip', gzipSync(TEXT)],
    ['x-gzip in capitals', 'X-GZIP', gzipSync(TEXT)],
    ['deflate', 'deflate', deflateSync(TEXT)],
    ['brotli', 'br', brotliCompressSync(TEXT)],
    ['two, the last one first', 'deflate, gzip', gzipSync(deflateSync(TEXT))],
  ])('are undone: %s', async (_name, coding, bytes) => {
    expect(String(await decodeContent(bytes, { coding, cap: CAP }))).toBe(TEXT);
  });

  test.each([
    ['unknown', 'zstd-of-ours', Buffer.from(TEXT), /unknown content coding "zstd-of-ours"/],
    ['a member of every object', 'constructor', Buffer.from(TEXT), /unknown content coding/],
    ['not what was sent', 'gzip', Buffer.from(TEXT), /does not decode as gzip/],
    ['cut off', 'gzip', gzipSync(TEXT).subarray(0, 15), /does not decode as gzip/],
    ['more than anybody stacks', 'gzip, gzip, gzip, gzip', Buffer.from(TEXT), /4 content codings/],
  ])('are refused when they are %s', async (_name, coding, bytes, words) => {
    const decoding = decodeContent(bytes, { coding, cap: CAP });
    await expect(decoding).rejects.toBeInstanceOf(ContentCodingError);
    await expect(decoding).rejects.toThrow(words);
  });

  test('may not unpack to more than the cap', async () => {
    const bomb = gzipSync(Buffer.alloc(CAP + 1));
    await expect(decodeContent(bomb, { coding: 'gzip', cap: CAP })).rejects.toBeInstanceOf(BodyTooLargeError);
    expect(await decodeContent(gzipSync(Buffer.alloc(CAP)), { coding: 'gzip', cap: CAP })).toHaveLength(CAP);
  });
});

describe('a body', () => {
  test('is text and JSON', () => {
    expect(readBody(Buffer.from('"é"'))).toEqual({ size: 4, text: '"é"', json: expect.objectContaining({ ok: true, value: 'é' }) });
  });

  test.each([
    ['empty', Buffer.alloc(0), 'there is no body'],
    ['Latin-1', Buffer.from('"é"', 'latin1'), 'the bytes are not UTF-8'],
    ['UTF-16 with its mark', Buffer.from('\uFEFF"a"', 'utf16le'), 'the bytes are UTF-16, not UTF-8'],
  ])('that is %s is no JSON, and the reason is named', (_name, bytes, problem) => {
    expect(readBody(bytes).json).toEqual({ ok: false, problem });
  });

  test('with a byte order mark keeps it, and is no JSON', () => {
    const { text, json } = readBody(Buffer.from('\uFEFF{}'));
    expect(text).toBe('\uFEFF{}');
    expect(json.ok).toBe(false);
  });
});

describe('a body reader', () => {
  test.each([1, 7, 100_000])('reads chunks of %i bytes up to the cap, and one byte more is too large', async (size) => {
    const read = createBodyReader(CAP);
    const whole = Buffer.from(JSON.stringify('a'.repeat(CAP - 2)));
    expect(await read(inChunks(whole, size), '')).toMatchObject({ size: CAP, json: { ok: true } });
    await expect(read(inChunks(Buffer.concat([whole, Buffer.from(' ')]), size), '')).rejects.toBeInstanceOf(BodyTooLargeError);
  });

  test('holds one large body at a time', async () => {
    const read = createBodyReader(1_000_000);
    let open = 0;
    let most = 0;
    async function* large(): AsyncGenerator<Uint8Array> {
      yield Buffer.alloc(300_000, 0x20);
      open += 1;
      most = Math.max(most, open);
      yield Buffer.alloc(300_000, 0x20);
      open -= 1;
    }
    await Promise.all([read(large(), ''), read(large(), ''), read(large(), '')]);
    expect(most).toBe(1);
  });

  test('goes on with the next after one that was too large', async () => {
    const read = createBodyReader(400_000);
    await expect(read(inChunks(Buffer.alloc(500_000), 100_000), '')).rejects.toBeInstanceOf(BodyTooLargeError);
    expect((await read(inChunks(Buffer.alloc(300_000, 0x20), 100_000), '')).size).toBe(300_000);
  });
});
