import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

type Asked = { readonly body?: { readonly byteLength?: number } | null };
type Sent = { readonly socket: Socket; readonly bytesRead: number };

const sent = new WeakMap<object, Sent>();
const stale = new WeakSet<object>();
const unsent = new WeakSet<object>();
const ofConnecting = new WeakSet<object>();
/** Bytes of a request that a socket writes completely or not at all. */
const ONE_WRITE = 8 * 1024;
const CLOSED = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** Whether the body is sent together with the headers: a body in parts is not. */
function isOneWrite({ body }: Asked): boolean {
  return body === undefined || body === null || (body.byteLength ?? ONE_WRITE) < ONE_WRITE;
}

// undici's errors do not say whether the connection had been used before, nor whether the response had begun; its diagnostics do.
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
  if (!CLOSED.has(error.code ?? '')) return;
  if (before === undefined) {
    // It waited for a kept-alive connection that was reset before anything was written to it.
    if (!ofConnecting.has(error)) {
      stale.add(error);
      unsent.add(error);
    }
    return;
  }
  if (before.socket.bytesRead !== before.bytesRead) return;
  if (before.bytesRead > 0) stale.add(error);
  if (error.code === 'EPIPE' && isOneWrite(request)) unsent.add(error);
});

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
