import { channel } from 'node:diagnostics_channel';
import { expect, test } from 'vitest';
import { isStaleConnection, wasNeverSent } from './stale-connection.ts';

type Request = { readonly body?: unknown };

/** A request that fails as undici reports it: on a socket that had read this many bytes before it, and this many when it fails. */
function fail(code: string, { body = null, before, after }: Request & { readonly before: number; readonly after: number }): Error {
  const [request, socket] = [{ body }, { bytesRead: before }];
  const error = Object.assign(new Error(code), { code });
  channel('undici:client:sendHeaders').publish({ request, socket });
  socket.bytesRead = after;
  channel('undici:request:error').publish({ request, error });
  return error;
}

test('a kept connection that is closed before any byte of the response is stale', () => {
  expect(isStaleConnection(fail('UND_ERR_SOCKET', { before: 90, after: 90 }))).toBe(true);
  expect(isStaleConnection(fail('UND_ERR_SOCKET', { before: 90, after: 91 }))).toBe(false);
  expect(isStaleConnection(fail('UND_ERR_SOCKET', { before: 0, after: 0 }))).toBe(false);
});

test('what the kernel did not accept was never sent', () => {
  expect(wasNeverSent(fail('EPIPE', { before: 0, after: 0 }))).toBe(true);
  expect(wasNeverSent(fail('EPIPE', { before: 0, after: 0, body: Buffer.from('{"name":"Rex"}') }))).toBe(true);
});

test('a request that waited for a kept-alive connection that was reset was never sent; one that waited for a new connection says something about the service', () => {
  const [waiting, connecting] = ['read ECONNRESET', 'reset before secure TLS connection'].map((text) =>
    Object.assign(new Error(text), { code: 'ECONNRESET' }),
  );
  channel('undici:client:connectError').publish({ error: connecting });
  for (const error of [waiting, connecting]) channel('undici:request:error').publish({ request: {}, error });
  expect([isStaleConnection(waiting), wasNeverSent(waiting)]).toEqual([true, true]);
  expect([isStaleConnection(connecting), wasNeverSent(connecting)]).toEqual([false, false]);
});

test.each<[string, string, Parameters<typeof fail>[1]]>([
  ['reset by the service', 'ECONNRESET', { before: 0, after: 0 }],
  ['closed once a response had begun', 'EPIPE', { before: 0, after: 12 }],
  ['with a body larger than one write', 'EPIPE', { before: 0, after: 0, body: Buffer.alloc(70_000) }],
  ['with a body in parts', 'EPIPE', { before: 0, after: 0, body: { pipe: () => undefined } }],
])('a request that was %s may have been seen by the service', (_what, code, how) => {
  expect(wasNeverSent(fail(code, how))).toBe(false);
});
