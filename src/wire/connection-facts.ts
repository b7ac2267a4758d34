import { subscribe } from 'node:diagnostics_channel';
import type { Duplex } from 'node:stream';
import { type PeerCertificate, TLSSocket } from 'node:tls';

/** Facts about the connection of a response that undici does not pass on. */
export type ConnectionFacts = {
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
const facts = new WeakMap<object, ConnectionFacts>();
const places = new WeakMap<Duplex, { readonly id: number; turn: number }>();
let opened = 0;

/** Counts a request on its connection. */
function takeTurn(socket: Duplex): void {
  const place = places.get(socket);
  if (place !== undefined) {
    place.turn += 1;
    return;
  }
  opened += 1;
  places.set(socket, { id: opened, turn: 1 });
}

/** Stores the version in the status line of the next response on a connection. */
export function noteStatusLine(socket: Duplex, begin: Buffer): void {
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

/** The connection of a response, by its raw headers; undefined if it is unknown. */
export function connectionFacts(rawHeaders: unknown): ConnectionFacts | undefined {
  return typeof rawHeaders === 'object' && rawHeaders !== null ? facts.get(rawHeaders) : undefined;
}
