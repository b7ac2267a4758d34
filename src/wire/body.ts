import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib';
import { createSemaphore } from './concurrency.ts';
import type { HttpResponse } from './exchange.ts';
import { type JsonReading, readJson } from './json.ts';
import { BodyTooLargeError, ContentCodingError } from './transport-failure.ts';
import { messageOf } from './wording.ts';

const DECODERS = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
};

function tooLarge(cap: number): BodyTooLargeError {
  return new BodyTooLargeError(`the body is larger than ${cap} bytes`);
}

/** More codings than any real service stacks: each costs up to a whole decoded body, and a header has room for thousands. */
const MOST_CODINGS = 3;

/** Undoes Content-Encoding (RFC 9110, section 8.4), last coding first, within the size limit. */
export async function decodeContent(bytes: Buffer, options: { coding: string | undefined; cap: number }): Promise<Buffer> {
  const codings = (options.coding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  const applied = codings.filter((part) => part !== '' && part !== 'identity').reverse();
  if (applied.length > MOST_CODINGS) throw new ContentCodingError(`the body has ${applied.length} nested content codings`);
  let decoded = bytes;
  for (const name of applied) {
    const decode = Object.hasOwn(DECODERS, name) ? DECODERS[name as keyof typeof DECODERS] : undefined;
    if (decode === undefined) throw new ContentCodingError(`the body has the unknown content coding "${name.slice(0, 40)}"`);
    if (decoded.length === 0) continue;
    try {
      decoded = await decode(decoded, { maxOutputLength: options.cap });
    } catch (error) {
      if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(options.cap);
      throw new ContentCodingError(`the body does not decode as ${name}: ${messageOf(error)}`);
    }
  }
  return decoded;
}

const NO_BODY: JsonReading = { ok: false, problem: 'there is no body' };

type Body = Pick<HttpResponse, 'size' | 'text' | 'json'>;

type TextReader = (text: string, size: number) => Body;

const readText: TextReader = (text, size) => ({ size, text, json: readJson(text) });

const MOST_REMEMBERED = 1024 * 1024;

/**
 * Reads each text once, since most bodies of a run repeat: equal texts give the same value, so anything that is cached for a value is shared too. Of
 * large ones, the last is remembered: a history that keeps all responses keeps one body of a service that sends the same one each time.
 */
export function createTextReader(): TextReader {
  const known = new Map<string, Body>();
  let large: Body | undefined;
  let remembered = 0;
  return (text, size) => {
    const body = text === large?.text ? large : known.get(text);
    if (body !== undefined) return body;
    const read = readText(text, size);
    if (text.length > MOST_REMEMBERED) {
      large = read;
      return read;
    }
    remembered += text.length;
    if (remembered > MOST_REMEMBERED) {
      known.clear();
      remembered = text.length;
    }
    known.set(text, read);
    return read;
  };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function textOf(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The body as text and as JSON: strict UTF-8, with a byte order mark kept (and rejected by the JSON reader). */
export function readBody(bytes: Buffer, read = readText): Body {
  if (bytes.length === 0) return { size: 0, text: '', json: NO_BODY };
  const size = bytes.length;
  const text = textOf(bytes);
  if (text !== undefined) return read(text, size);
  const marked = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return { size, text, json: { ok: false, problem: marked ? 'the bytes are UTF-16, not UTF-8' : 'the bytes are not UTF-8' } };
}

/**
 * Joins the pieces of a body. A service may send each byte as a chunk of its own, and a small array costs a hundred times its content: so
 * there is one buffer, which doubles when it is full, and is freed at once and not at the next garbage collection.
 */
function createJoiner(cap: number): { add(piece: Uint8Array): void; bytes(): Buffer; free(): void } {
  /** Most bodies are one piece, which is not copied. */
  let first: Uint8Array | undefined;
  let own = new Uint8Array(0);
  let size = 0;
  const resize = (length: number): void => {
    own = new Uint8Array(own.buffer.transfer(length));
  };
  const append = (piece: Uint8Array): void => {
    const needed = size + piece.length;
    if (needed > own.length) resize(Math.min(cap, Math.max(needed, 2 * own.length, FIRST_SIZE)));
    own.set(piece, size);
    size = needed;
  };
  return {
    add(piece) {
      if (size === 0 && first === undefined) {
        first = piece;
        return;
      }
      if (size === 0 && first !== undefined) append(first);
      append(piece);
    },
    bytes: () =>
      size === 0 && first !== undefined ? Buffer.from(first.buffer, first.byteOffset, first.length) : Buffer.from(own.buffer, 0, size),
    free() {
      resize(0);
      first = undefined;
      size = 0;
    },
  };
}

/** Bytes up to which bodies are received concurrently. */
const SMALL_BODY = 256 * 1024;
const FIRST_SIZE = 4 * 1024;

export type Source = { pause(): void; resume(): void };

export type BodySink = {
  /** Receives the next bytes; throws BodyTooLargeError as soon as the limit is exceeded. */
  write(chunk: Uint8Array): void;
  /** Decodes and reads the complete body. */
  end(): Promise<Pick<HttpResponse, 'size' | 'text' | 'json'>>;
  /** Discards what was received. */
  abandon(): void;
};

/** Creates the sinks of bodies; one large body is held at a time, so that a service with large bodies does not fill the memory. */
export function createBodySinks(cap: number): (coding: string, source: Source) => BodySink {
  const alone = createSemaphore(() => 1);
  const readOnce = createTextReader();
  return (coding, source) => {
    const done = Promise.withResolvers<void>();
    const joiner = createJoiner(cap);
    let size = 0;
    let isLarge = false;
    const read = async () => {
      try {
        return readBody(await decodeContent(joiner.bytes(), { coding, cap }), readOnce);
      } finally {
        joiner.free();
      }
    };
    return {
      write(chunk) {
        size += chunk.length;
        if (size > cap) throw tooLarge(cap);
        joiner.add(chunk);
        if (isLarge || size <= SMALL_BODY) return;
        isLarge = true;
        source.pause();
        void alone(() => {
          source.resume();
          return done.promise;
        });
      },
      end() {
        if (!isLarge) return coding === '' ? read() : alone(read);
        return read().finally(done.resolve);
      },
      abandon: done.resolve,
    };
  };
}
