import { subscribe } from 'node:diagnostics_channel';
import type { Duplex } from 'node:stream';
import { type PeerCertificate, TLSSocket } from 'node:tls';

/** What the connection of a response shows and undici does not hand on. */
export type ConnectionFacts = {
  /** Which one it is: connections of this process are counted from 1. */
  readonly id: number;
  /** The place of its request among those on the connection, from 1. */
  readonly turn: number;
  /** The version in the status line, where that is not HTTP/1.0 or HTTP/1.1. */
  readonly version?: string;
  /** The certificate names its host in the common name only, and no name or address in subjectAltName. */
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

/** Keeps the version with which the next response on a connection begins. */
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

// The raw headers are the one object that both undici's diagnostics and its handlers are given.
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

/** The connection of a response, by its raw headers; undefined where it is not known. */
export function connectionFacts(rawHeaders: unknown): ConnectionFacts | undefined {
  return typeof rawHeaders === 'object' && rawHeaders !== null ? facts.get(rawHeaders) : undefined;
}
