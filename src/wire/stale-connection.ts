import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

type Sent = { readonly socket: Socket; readonly bytesRead: number };

const sent = new WeakMap<object, Sent>();
const stale = new WeakSet<object>();
const CLOSED = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

// undici's errors do not say whether the connection had been used before, nor whether the answer had begun; its diagnostics do.
subscribe('undici:client:sendHeaders', (message) => {
  const { request, socket } = message as { request: object; socket: Socket };
  sent.set(request, { socket, bytesRead: socket.bytesRead });
});
subscribe('undici:request:error', (message) => {
  const { request, error } = message as { request: object; error: Error & { code?: string } };
  const before = sent.get(request);
  if (before === undefined || !CLOSED.has(error.code ?? '')) return;
  if (before.bytesRead > 0 && before.socket.bytesRead === before.bytesRead) stale.add(error);
});

/** True when a connection that had served before was closed by the other side before any byte of this answer (RFC 9112, section 9.3.1). */
export function isStaleConnection(error: unknown): boolean {
  return typeof error === 'object' && error !== null && stale.has(error);
}
