import type { Duplex } from 'node:stream';
import { noteStatusLine } from './connection-facts.ts';

const HEAD_END = Buffer.from('\r\n\r\n');
/** `HTTP/1.1 1xx`, except 101, which is final. */
const INTERIM = /^HTTP\/1\.[01] 1(?!01)\d\d[ \r]/;
/** Completes a beginning that is too short to decide. */
const EXAMPLE = 'HTTP/1.1 100 ';
const TOLD_BY = EXAMPLE.length;
const LONGEST_HEAD = 64 * 1024;

/** Whether bytes may be the beginning of an interim response. */
function mayBeInterim(bytes: Buffer): boolean {
  const text = bytes.toString('latin1', 0, TOLD_BY);
  return INTERIM.test(text + EXAMPLE.slice(text.length));
}

const TAB = 0x09;
const SPACE = 0x20;

/**
 * The same bytes with a space for each tab at the end of a field line in the head. White space there is not part of the value (RFC 9112,
 * section 5), but undici's parser only knows spaces.
 */
function withSpacesForTabs(bytes: Buffer): Buffer {
  if (!bytes.includes(TAB)) return bytes;
  const end = bytes.indexOf(HEAD_END);
  const head = bytes.toString('latin1', 0, end === -1 ? bytes.length : end + HEAD_END.length);
  for (const { index, 0: space } of head.matchAll(/[ \t]+(?=\r\n)/g)) bytes.fill(SPACE, index, index + space.length);
  return bytes;
}

/**
 * Removes the interim responses before each response that is read from an HTTP/1 connection. A client must accept them "even if the client
 * does not expect one" (RFC 9110, section 15.2); undici closes a connection on an unexpected 100. The head of each response gets the form
 * of white space that undici reads.
 */
export function skipInterimAnswers(socket: Duplex): void {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  const write = socket.write.bind(socket) as (...args: readonly unknown[]) => boolean;
  let atStart = true;
  let held: Buffer = Buffer.alloc(0);

  /** The held bytes that can be passed on; undefined while they are undecided. */
  function release(): Buffer | undefined {
    while (held.length >= TOLD_BY && INTERIM.test(held.toString('latin1', 0, TOLD_BY))) {
      const end = held.indexOf(HEAD_END);
      if (end === -1) return held.length > LONGEST_HEAD ? held : undefined;
      held = held.subarray(end + HEAD_END.length);
    }
    return held.length < TOLD_BY && mayBeInterim(held) ? undefined : held;
  }

  function readOn(size?: number): Buffer | null {
    for (;;) {
      const chunk = read(size);
      if (chunk === null || !atStart) return chunk;
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      const released = release();
      if (released === undefined) continue;
      noteStatusLine(socket, released);
      atStart = false;
      held = Buffer.alloc(0);
      return withSpacesForTabs(released);
    }
  }

  Object.assign(socket, {
    read: readOn,
    write(...args: readonly unknown[]): boolean {
      // A request is sent: the next bytes are the beginning of a response.
      atStart = true;
      return write(...args);
    },
  });
}
