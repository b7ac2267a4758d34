// Connections: how they are made, and what undici does not tell about them.

import { X509Certificate } from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { readFileSync } from 'node:fs';
import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createSecureContext, getCACertificates, type PeerCertificate, type SecureContext, TLSSocket } from 'node:tls';
import { errors } from 'undici';
import { addressFor, type Route } from './route.ts';

/** The number of certificate files that one process uses at a time; a monitor has few. */
const MOST_CONTEXTS = 16;

const kept = new Map<string, SecureContext>();

function keep(names: string, make: () => SecureContext): SecureContext {
  const known = kept.get(names);
  if (known !== undefined) return known;
  const made = make();
  if (kept.size >= MOST_CONTEXTS) kept.delete(kept.keys().next().value ?? '');
  kept.set(names, made);
  return made;
}

const latestContexts = new Map<string, SecureContext>();

/**
 * What connections trust, and what they present: what Node trusts (the public roots, NODE_EXTRA_CA_CERTS) and the certificates of `ca`, which TLS
 * alone would use in place of these, and a client certificate. Files are read each time, but the same certificates are parsed once: for 150 roots,
 * that takes longer than a handshake. Undefined if there are none. Throws if a file can't be used; while files are being replaced, or are not valid any more, those read
 * last are used.
 */
export function secureContextOf({ ca, cert, key }: Pick<Route, 'ca' | 'cert' | 'key'>): SecureContext | undefined {
  if (ca === undefined && cert === undefined) return undefined;
  const files = JSON.stringify([ca, cert, key]);
  try {
    const [trusted, certificate, privateKey] = [ca, cert, key ?? cert].map((file) =>
      file === undefined ? undefined : readFileSync(file, 'utf8'),
    );
    const context = keep(JSON.stringify([trusted, certificate, privateKey]), () => {
      // OpenSSL ignores what it cannot read.
      if (trusted !== undefined) new X509Certificate(trusted);
      return createSecureContext({
        ...(trusted === undefined ? {} : { ca: [...getCACertificates(), trusted] }),
        ...(certificate === undefined ? {} : { cert: certificate, key: privateKey }),
      });
    });
    latestContexts.set(files, context);
    return context;
  } catch (error) {
    const last = latestContexts.get(files);
    if (last === undefined) throw error;
    return last;
  }
}

type LookupCallback = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void;

const underWay = new Map<string, LookupCallback[]>();

/**
 * dns.lookup with one query per name at a time: while a resolver is silent for ten seconds, waiting connections must not pile up, nor block
 * one of the few threads each.
 */
export function sharedLookup(hostname: string, options: LookupOptions, found: LookupCallback): void {
  const key = JSON.stringify([hostname, options]);
  const others = underWay.get(key);
  if (others !== undefined) {
    others.push(found);
    return;
  }
  const waiting = [found];
  underWay.set(key, waiting);
  lookup(hostname, options, (error, address, family) => {
    underWay.delete(key);
    for (const one of waiting) one(error, address, family);
  });
}

const FAMILY_CODE = 'NO_ADDRESS_OF_FAMILY';

/** The error for a host name that has addresses, but none of the wanted family. */
export const hasNoAddressOf = (error: { readonly code?: string }): boolean => error.code === FAMILY_CODE;

/** How connections to the host and port of an address find out where to go. */
export function lookupFor(route: Pick<Route, 'resolve' | 'family'>, url: URL): typeof sharedLookup {
  const { family } = route;
  const address = addressFor(route, url);
  if (address !== undefined)
    return (_hostname, { all }, found) => {
      const known = { address, family: isIP(address) };
      if (all === true) found(null, [known]);
      else found(null, known.address, known.family);
    };
  if (family === undefined) return sharedLookup;
  return (hostname, options, found) =>
    sharedLookup(hostname, { ...options, family }, (error, ...result) => {
      if (error === null) return found(null, ...result);
      sharedLookup(hostname, {}, (failure) =>
        found(failure === null ? Object.assign(new Error(`no IPv${family} address`), { code: FAMILY_CODE }) : error, ...result),
      );
    });
}

/** Facts about the connection of a response that undici does not pass on. */
export type ConnectionDetails = {
  /** The number of the connection in this process, from 1. */
  readonly id: number;
  /** The number of its request on the connection, from 1. */
  readonly turn: number;
  /** The version in the status line, if it is not HTTP/1.0 or HTTP/1.1. */
  readonly version?: string;
  /** The certificate names its host only in the common name, and has no name or address in subjectAltName. */
  readonly commonNameOnly?: true;
};

const USUAL = new Set(['HTTP/1.0', 'HTTP/1.1']);

const versions = new WeakMap<Duplex, string>();
const certificates = new WeakMap<Duplex, boolean>();
const connections = new WeakMap<object, Duplex>();
const facts = new WeakMap<object, ConnectionDetails>();
const places = new WeakMap<Duplex, { readonly id: number; turn: number }>();
let opened = 0;

function takeTurn(socket: Duplex): void {
  const place = places.get(socket);
  if (place !== undefined) {
    place.turn += 1;
    return;
  }
  opened += 1;
  places.set(socket, { id: opened, turn: 1 });
}

function noteStatusLine(socket: Duplex, begin: Buffer): void {
  const [version = ''] = /^HTTP\/\d\.\d(?= )/.exec(begin.toString('latin1', 0, 'HTTP/1.1 '.length)) ?? [];
  versions.set(socket, version);
}

function hasCommonNameOnly(socket: Duplex): boolean {
  const known = certificates.get(socket);
  if (known !== undefined) return known;
  const certificate: Partial<PeerCertificate> = socket instanceof TLSSocket ? socket.getPeerCertificate() : {};
  const nameless = certificate.subject !== undefined && certificate.subjectaltname === undefined;
  certificates.set(socket, nameless);
  return nameless;
}

/** The first bytes of the last response on a connection. */
const responseHeads = new WeakMap<Duplex, Buffer>();

// The raw headers are the one object that undici passes both to its diagnostics and to its handlers.
subscribe('undici:client:sendHeaders', (message) => {
  const { request, socket } = message as { request: object; socket: Duplex };
  connections.set(request, socket);
  takeTurn(socket);
});
subscribe('undici:request:headers', (message) => {
  const { request, response } = message as { request: object; response: { headers: object } };
  const socket = connections.get(request);
  if (socket === undefined) return;
  const version = versions.get(socket) ?? '';
  const unusual = version !== '' && !USUAL.has(version);
  const commonNameOnly = hasCommonNameOnly(socket);
  const { id, turn } = places.get(socket) ?? { id: 0, turn: 1 };
  facts.set(response.headers, { id, turn, ...(unusual ? { version } : {}), ...(commonNameOnly ? { commonNameOnly } : {}) });
});

export function connectionFacts(rawHeaders: unknown): ConnectionDetails | undefined {
  return typeof rawHeaders === 'object' && rawHeaders !== null ? facts.get(rawHeaders) : undefined;
}

type Asked = { readonly body?: { readonly byteLength?: number } | null };
type Sent = { readonly socket: Socket; readonly bytesRead: number };

const sent = new WeakMap<object, Sent>();
const stale = new WeakSet<object>();
const unsent = new WeakSet<object>();
const begun = new WeakSet<object>();
const ofConnecting = new WeakSet<object>();
const firstErrors = new WeakMap<Duplex, Error>();
const rejections = new WeakMap<object, Error>();
const headsBefore = new WeakMap<object, string>();
/** Bytes of a request that a socket writes completely or not at all. */
const ONE_WRITE = 8 * 1024;
const CLOSED = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);
const TLS_ALERT = /SSL alert number/;

/** Whether the body is sent together with the headers: a body in parts is not. */
function isOneWrite({ body }: Asked): boolean {
  return body === undefined || body === null || (body.byteLength ?? ONE_WRITE) < ONE_WRITE;
}

/** Notes how a request failed: whether a response had begun, and whether TLS was rejected after the handshake. */
function noteBeginning(error: Error & { code?: string }, { socket, bytesRead }: Sent): void {
  if (socket.bytesRead !== bytesRead) begun.add(error);
  const cause = firstErrors.get(socket);
  if (cause !== undefined && TLS_ALERT.test(cause.message)) rejections.set(error, cause);
  const head = error.code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' ? responseHeads.get(socket)?.toString('latin1') : undefined;
  if (head !== undefined) headsBefore.set(error, head.split('\r\n\r\n', 1)[0] ?? '');
}

// undici's errors do not say whether the connection had been used before, nor whether the response had begun; its diagnostics do.
subscribe('undici:client:connected', (message) => {
  const { socket } = message as { socket: Duplex };
  socket.once('error', (error) => firstErrors.set(socket, error));
});
subscribe('undici:client:sendHeaders', (message) => {
  const { request, socket } = message as { request: object; socket: Socket };
  sent.set(request, { socket, bytesRead: socket.bytesRead });
});
subscribe('undici:client:connectError', (message) => {
  ofConnecting.add((message as { error: Error }).error);
});
subscribe('undici:request:error', (message) => {
  const { request, error } = message as { request: Asked; error: Error & { code?: string } };
  const before = sent.get(request);
  if (before !== undefined) noteBeginning(error, before);
  if (!CLOSED.has(error.code ?? '')) return;
  if (before === undefined) {
    // It waited for a kept-alive connection that was reset before anything was written to it.
    if (!ofConnecting.has(error)) {
      stale.add(error);
      unsent.add(error);
    }
    return;
  }
  if (begun.has(error)) return;
  if (before.bytesRead > 0) stale.add(error);
  if (error.code === 'EPIPE' && isOneWrite(request)) unsent.add(error);
});

export function hasBegun(error: unknown): boolean {
  return typeof error === 'object' && error !== null && begun.has(error);
}

/** The alert with which the other side rejected TLS, if that is why the connection was closed: with TLS 1.3 it follows the handshake. */
export function rejectionBehind(error: unknown): Error | undefined {
  return typeof error === 'object' && error !== null ? rejections.get(error) : undefined;
}

/** Status line and headers of a response whose length is wrong. */
export function headBefore(error: object): string | undefined {
  return headsBefore.get(error);
}

/** Whether the other side closed a used connection before the first byte of this response (RFC 9112, section 9.3.1). */
export function isStaleConnection(error: unknown): boolean {
  return typeof error === 'object' && error !== null && stale.has(error);
}

/**
 * Whether the connection was closed, for whatever reason, before the first byte of the request left this machine: the service has seen
 * nothing of it, so it may be sent again, whatever its method (RFC 9110, section 9.2.2).
 */
export function wasNeverSent(error: unknown): boolean {
  return typeof error === 'object' && error !== null && unsent.has(error);
}

const HEAD_END = Buffer.from('\r\n\r\n');
/** `HTTP/1.1 1xx`, except 101, which is final. */
const INTERIM = /^HTTP\/1\.[01] 1(?!01)\d\d[ \r]/;
/** Completes a beginning that is too short to decide. */
const EXAMPLE = 'HTTP/1.1 100 ';
const TOLD_BY = EXAMPLE.length;
const LONGEST_HEAD = 64 * 1024;
/** Bytes of interim responses before one response: whoever sends more keeps this process busy, and never responds. */
const MOST_INTERIM = 64 * 1024;

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
export function skipInterimResponses(socket: Duplex): void {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  const write = socket.write.bind(socket) as (...args: readonly unknown[]) => boolean;
  let atStart = true;
  let held: Buffer = Buffer.alloc(0);
  let skipped = 0;

  /** The held bytes that can be passed on; undefined while they are undecided. */
  function release(): Buffer | undefined {
    while (held.length >= TOLD_BY && INTERIM.test(held.toString('latin1', 0, TOLD_BY))) {
      const end = held.indexOf(HEAD_END);
      if (end === -1) return held.length > LONGEST_HEAD ? held : undefined;
      held = held.subarray(end + HEAD_END.length);
      skipped += end + HEAD_END.length;
    }
    if (skipped > MOST_INTERIM) socket.destroy(new errors.HTTPParserError('interim responses without end'));
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
      responseHeads.set(socket, released);
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
      skipped = 0;
      return write(...args);
    },
  });
}
