import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { type BodySink, createBodySinks, createTextReader, decodeContent, readBody } from './body.ts';
import { BodyTooLargeError, ContentCodingError } from './transport-failure.ts';

const TEXT = '{"name":"Rex"}';
const CAP = 1_000;

const STEADY = { pause: () => undefined, resume: () => undefined };

async function take(sink: BodySink, bytes: Buffer, size: number): ReturnType<BodySink['end']> {
  for (let at = 0; at < bytes.length; at += size) sink.write(bytes.subarray(at, at + size));
  return sink.end();
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
    ['more than anybody stacks', 'gzip, gzip, gzip, gzip', Buffer.from(TEXT), /4 nested content codings/],
  ])('are rejected when they are %s', async (_name, coding, bytes, words) => {
    const decoding = decodeContent(bytes, { coding, cap: CAP });
    await expect(decoding).rejects.toBeInstanceOf(ContentCodingError);
    await expect(decoding).rejects.toThrow(words);
  });

  test('may not unpack to more than the limit', async () => {
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
  ])('that is %s is not JSON, and the reason is named', (_name, bytes, problem) => {
    expect(readBody(bytes).json).toEqual({ ok: false, problem });
  });

  test('with a byte order mark keeps it, and is not JSON', () => {
    const { text, json } = readBody(Buffer.from('\uFEFF{}'));
    expect(text).toBe('\uFEFF{}');
    expect(json.ok).toBe(false);
  });
});

describe('a reader of texts', () => {
  const valueIn = ({ json }: ReturnType<typeof readBody>) => (json.ok ? json.value : undefined);

  test('reads equal texts once, up to a megabyte of them', () => {
    const read = createTextReader();
    const list = valueIn(read('[{"id":1}]', 10));
    expect(list).toEqual([{ id: 1 }]);
    expect(valueIn(read('[{"id":1}]', 10))).toBe(list);
    expect(valueIn(read('[{"id":2}]', 10))).toEqual([{ id: 2 }]);
    const half = `[${' '.repeat(600_000)}]`;
    const long = valueIn(read(half, half.length));
    expect(valueIn(read(half, half.length))).toBe(long);
    const other = `[${'\t'.repeat(600_000)}]`;
    read(other, other.length);
    expect(valueIn(read(half, half.length))).not.toBe(long);
  });

  test('remembers the last text of more than a megabyte', () => {
    const read = createTextReader();
    const [long, other] = [`[${' '.repeat(2 ** 20)}]`, `[${'\t'.repeat(2 ** 20)}]`];
    const first = valueIn(read(long, long.length));
    expect(valueIn(read(long, long.length))).toBe(first);
    read(other, other.length);
    expect(valueIn(read(long, long.length))).not.toBe(first);
  });
});

describe('a body sink', () => {
  test.each([1, 7, 100_000])('accepts chunks of %i bytes up to the limit, and one byte more is too large', async (size) => {
    const sinkFor = createBodySinks(CAP);
    const whole = Buffer.from(JSON.stringify('a'.repeat(CAP - 2)));
    expect(await take(sinkFor('', STEADY), whole, size)).toMatchObject({ size: CAP, json: { ok: true } });
    await expect(take(sinkFor('', STEADY), Buffer.concat([whole, Buffer.from(' ')]), size)).rejects.toBeInstanceOf(BodyTooLargeError);
  });

  test('undoes the content coding', async () => {
    expect(await take(createBodySinks(CAP)('gzip', STEADY), gzipSync(TEXT), 5)).toMatchObject({ text: TEXT });
  });

  test('holds one large body at a time, and the next when that one is read or abandoned', async () => {
    const sinkFor = createBodySinks(1_000_000);
    const turns = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    const resumed: number[] = [];
    const source = (index: 0 | 1 | 2) => ({
      pause: () => undefined,
      resume: () => {
        resumed.push(index);
        turns[index].resolve();
      },
    });
    const sinks = [sinkFor('', source(0)), sinkFor('', source(1)), sinkFor('', source(2))] as const;
    for (const sink of sinks) sink.write(Buffer.alloc(300_000, 0x20));
    await turns[0].promise;
    expect(resumed).toEqual([0]);
    expect((await sinks[0].end()).size).toBe(300_000);
    await turns[1].promise;
    expect(resumed).toEqual([0, 1]);
    sinks[1].abandon();
    await turns[2].promise;
    expect(resumed).toEqual([0, 1, 2]);
  });

  test('never pauses the connection of a small body', async () => {
    const pause = vi.fn();
    await take(createBodySinks(1_000_000)('', { pause, resume: pause }), Buffer.alloc(200_000, 0x20), 10_000);
    expect(pause).not.toHaveBeenCalled();
  });
});
