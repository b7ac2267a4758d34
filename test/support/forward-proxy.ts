// A forward proxy, and what it was asked for.

import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import { type AddressInfo, connect, type Server } from 'node:net';
import { onTestFinished } from 'vitest';

/** Listens on a free port of this machine until the test is over. */
async function listen(server: Server): Promise<number> {
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  return (server.address() as AddressInfo).port;
}

export type ForwardProxy = {
  /** Its host and port. */
  readonly host: string;
  /** Requests in absolute form, and CONNECT requests. */
  readonly seen: readonly { readonly url: string; readonly headers: IncomingHttpHeaders }[];
};

/** A proxy that leads every name to this machine, for the time of a test. */
export async function startForwardProxy(): Promise<ForwardProxy> {
  const seen: { url: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer((incoming, outgoing) => {
    seen.push({ url: String(incoming.url), headers: incoming.headers });
    const { port, pathname, search } = new URL(String(incoming.url));
    const { 'proxy-authorization': _own, ...headers } = incoming.headers;
    const onward = request({ host: '127.0.0.1', port, path: pathname + search, method: String(incoming.method), headers }, (response) =>
      response.pipe(outgoing.writeHead(response.statusCode ?? 502, response.headers)),
    );
    onward.on('error', () => outgoing.writeHead(502).end());
    incoming.pipe(onward);
  }).on('connect', (incoming, socket) => {
    seen.push({ url: String(incoming.url), headers: incoming.headers });
    const onward = connect(Number(String(incoming.url).split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket);
      socket.pipe(onward);
    });
    for (const end of [socket, onward]) end.on('error', () => undefined);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { host: `127.0.0.1:${await listen(server)}`, seen };
}
