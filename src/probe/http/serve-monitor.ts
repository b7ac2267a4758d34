import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Monitor } from '../monitor.ts';
import { createMonitorApp } from './app.ts';

export type MonitorServer = { readonly url: string; close(): Promise<void> };

/** What clients may take of a monitor, so that none of them keeps others from it. */
export type ServerLimits = {
  readonly connections: number;
  readonly requestsPerConnection: number;
  /** Requests of one connection that wait for their responses at a time: nobody's client sends more than one. */
  readonly pipelined: number;
  /** Milliseconds in which the headers of a request must be complete. */
  readonly headers: number;
  /** Milliseconds for which a client may read nothing of a response that is ready. */
  readonly unread: number;
};

const LIMITS: ServerLimits = { connections: 1_000, requestsPerConnection: 100, pipelined: 4, headers: 10_000, unread: 30_000 };
/** Milliseconds between two looks at connections whose headers are late. */
const LOOK_EVERY = 1_000;
/** No route reads a body: whoever sends one need not be waited for. */
const REQUEST_PATIENCE = 15_000;
const MOST_HEADERS = 100;

type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>;

/** Ends connections that send request after request without waiting, or that do not read. */
function bounded(listener: Listener, { pipelined, unread }: ServerLimits) {
  const waiting = new WeakMap<Socket, number>();
  return (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    const count = (waiting.get(socket) ?? 0) + 1;
    waiting.set(socket, count);
    response.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
    if (count > pipelined) {
      socket.destroy();
      return;
    }
    void listener(request, response).finally(() => {
      // The server sets a time of its own once the response is out.
      if (!response.writableFinished && !socket.destroyed) socket.setTimeout(unread);
    });
  };
}

/** Listens where the configuration says. Rejects with what `listen` throws. */
export async function serveMonitor(monitor: Monitor, limits: ServerLimits = LIMITS): Promise<MonitorServer> {
  const { host, port } = monitor.config().server;
  const times = { headersTimeout: limits.headers, requestTimeout: REQUEST_PATIENCE, connectionsCheckingInterval: LOOK_EVERY };
  const listener = getRequestListener(createMonitorApp(monitor).fetch, { overrideGlobalObjects: false });
  const server = createServer(times, bounded(listener, limits));
  server.maxConnections = limits.connections;
  server.maxRequestsPerSocket = limits.requestsPerConnection;
  server.maxHeadersCount = MOST_HEADERS;
  // Node says `Connection: close` with the last of them, and would refuse one after the other for a client that does not listen.
  server.on('dropRequest', (_request, socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
