import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { Answer } from './exchange.ts';
import { type JsonReading, readJson } from './json.ts';
import { createSemaphore } from './semaphore.ts';
import { BodyTooLargeError, ContentCodingError } from './transport-failure.ts';

const DECODERS = { gzip: promisify(gunzip), 'x-gzip': promisify(gunzip), deflate: promisify(inflate), br: promisify(brotliDecompress) };

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
  if (applied.length > MOST_CODINGS) throw new ContentCodingError(`the body has ${applied.length} content codings on top of each other`);
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

/** The body as text and as JSON: strict UTF-8, a byte order mark kept (and refused by the JSON reader). */
export function readBody(bytes: Buffer): Pick<Answer, 'size' | 'text' | 'json'> {
  if (bytes.length === 0) return { size: 0, text: '', json: NO_BODY };
  const size = bytes.length;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { size, text, json: readJson(text) };
  } catch {
    const marked = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
    return { size, text: undefined, json: { ok: false, problem: marked ? 'the bytes are UTF-16, not UTF-8' : 'the bytes are not UTF-8' } };
  }
}

/** Bytes up to which bodies are read side by side. */
const LIGHT = 256 * 1024;

/** Reads a body to its end and decodes it; BodyTooLargeError as soon as there is more of it than the cap. */
export type BodyReader = (stream: AsyncIterable<Uint8Array>, coding: string) => Promise<Pick<Answer, 'size' | 'text' | 'json'>>;

/** A reader that holds one large body at a time, so that a service of large bodies does not fill the memory. */
export function createBodyReader(cap: number): BodyReader {
  const alone = createSemaphore(() => 1);
  return async (stream, coding) => {
    const iterator = stream[Symbol.asyncIterator]();
    const chunks: Uint8Array[] = [];
    let size = 0;
    let ended = false;
    const readTo = async (most: number): Promise<void> => {
      while (!ended && size <= most) {
        const next = await iterator.next();
        if (next.done === true) ended = true;
        else {
          size += next.value.length;
          if (size > cap) throw tooLarge(cap);
          chunks.push(next.value);
        }
      }
    };
    const finish = async () => {
      await readTo(cap);
      return readBody(await decodeContent(Buffer.concat(chunks), { coding, cap }));
    };
    await readTo(LIGHT);
    return ended && coding === '' ? finish() : alone(finish);
  };
}
