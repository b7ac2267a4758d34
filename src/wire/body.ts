import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib';
import type { Answer } from './exchange.ts';
import { type JsonReading, readJson } from './json.ts';
import { createSemaphore } from './semaphore.ts';
import { BodyTooLargeError, ContentCodingError } from './transport-failure.ts';

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

/** More codings than anybody stacks in earnest: each costs up to a whole decoded body, and a header has room for thousands. */
const MOST_CODINGS = 3;

/** Undoes Content-Encoding (RFC 9110, section 8.4), last coding first, within the cap. */
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
      throw new ContentCodingError(`the body does not decode as ${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return decoded;
}

const NO_BODY: JsonReading = { ok: false, problem: 'there is no body' };

type Body = Pick<Answer, 'size' | 'text' | 'json'>;

type TextReader = (text: string, size: number) => Body;

const readText: TextReader = (text, size) => ({ size, text, json: readJson(text) });

/** Characters of texts that a reader remembers. */
const MOST_REMEMBERED = 1024 * 1024;

/**
 * Reads each text once: most bodies of a run came before, as errors, animals, and lists that did not change meanwhile. What was read of equal
 * texts is one value, and so is whatever is remembered of that value.
 */
export function createTextReader(): TextReader {
  const known = new Map<string, Body>();
  let remembered = 0;
  return (text, size) => {
    const body = known.get(text);
    if (body !== undefined) return body;
    const read = readText(text, size);
    if (text.length > MOST_REMEMBERED) return read;
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

/** Undefined where the bytes are not UTF-8. */
function textOf(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The body as text and as JSON: strict UTF-8, a byte order mark kept (and refused by the JSON reader). */
export function readBody(bytes: Buffer, read = readText): Body {
  if (bytes.length === 0) return { size: 0, text: '', json: NO_BODY };
  const size = bytes.length;
  const text = textOf(bytes);
  if (text !== undefined) return read(text, size);
  const marked = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return { size, text, json: { ok: false, problem: marked ? 'the bytes are UTF-16, not UTF-8' : 'the bytes are not UTF-8' } };
}

/**
 * Joins the pieces of a body as they come. A service may send each byte as a chunk of its own, and a small array costs a hundred times what it
 * holds: so there is one buffer, which doubles when it is full. What is no longer needed is given back at once, not when memory is collected.
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

/** Bytes up to which bodies are taken in side by side. */
const LIGHT = 256 * 1024;
/** Bytes that a body of more than one piece has room for at first. */
const FIRST_SIZE = 4 * 1024;

/** The connection that a body comes on. */
export type Source = { pause(): void; resume(): void };

/** One body on its way. */
export type BodySink = {
  /** Takes in the next bytes; throws BodyTooLargeError as soon as there is more than the cap. */
  write(chunk: Uint8Array): void;
  /** Nothing more comes: decodes and reads what came. */
  end(): Promise<Pick<Answer, 'size' | 'text' | 'json'>>;
  /** Nothing more comes, and what came is of no use. */
  abandon(): void;
};

/** Makes the sink of a body with that content coding; one large body is held at a time, so that a service of large bodies does not fill the memory. */
export function createBodySinks(cap: number): (coding: string, source: Source) => BodySink {
  const alone = createSemaphore(() => 1);
  const readOnce = createTextReader();
  return (coding, source) => {
    const done = Promise.withResolvers<void>();
    const joiner = createJoiner(cap);
    let size = 0;
    let large = false;
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
        if (large || size <= LIGHT) return;
        large = true;
        source.pause();
        void alone(() => {
          source.resume();
          return done.promise;
        });
      },
      end() {
        if (!large) return coding === '' ? read() : alone(read);
        return read().finally(done.resolve);
      },
      abandon: done.resolve,
    };
  };
}
