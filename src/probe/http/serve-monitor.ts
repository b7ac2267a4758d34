import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Monitor } from '../monitor.ts';
import { createMonitorApp } from './app.ts';

export type MonitorServer = { readonly url: string; close(): Promise<void> };

/** Limits for clients of a monitor, so that none of them blocks the others. */
export type ServerLimits = {
  readonly connections: number;
  readonly requestsPerConnection: number;
  /** Requests of one connection that wait for their responses at a time: no real client sends more than one. */
  readonly pipelined: number;
  /** Milliseconds in which the headers of a request must be complete. */
  readonly headers: number;
  /** Milliseconds for which a client may read nothing of a response that is ready. */
  readonly unread: number;
};

const LIMITS: ServerLimits = { connections: 1_000, requestsPerConnection: 100, pipelined: 4, headers: 10_000, unread: 30_000 };
/** Milliseconds between two checks for connections whose headers are late. */
const LOOK_EVERY = 1_000;
/** A body is a few sentences at most: slower clients are cut off. */
const REQUEST_PATIENCE = 15_000;
const MOST_HEADERS = 100;

/**
 * A limit for open connections. One too many replaces the one that has waited longest without a complete request: clients that hold idle
 * connections block nobody. If all of them wait for responses, the new one is closed.
 */
function createPlaces(most: number) {
  /** How many complete requests of each connection wait for a response. */
  const open = new Map<Socket, number>();
  /** Connections without such a request, in the order in which they became idle. */
  const idle = new Set<Socket>();
  const leave = (socket: Socket): void => {
    open.delete(socket);
    idle.delete(socket);
  };
  return {
    enter(socket: Socket): void {
      open.set(socket, 0);
      idle.add(socket);
      socket.once('close', () => leave(socket));
      if (open.size <= most) return;
      const [oldest = socket] = idle;
      leave(oldest);
      oldest.destroy();
    },
    /** A request is complete. */
    asks(socket: Socket): void {
      const asked = open.get(socket);
      if (asked === undefined) return;
      open.set(socket, asked + 1);
      idle.delete(socket);
    },
    /** A complete request has its response. */
    waits(socket: Socket): void {
      const asked = open.get(socket);
      if (asked === undefined) return;
      open.set(socket, asked - 1);
      if (asked === 1) idle.add(socket);
    },
  };
}

/** Whether a body follows the headers (RFC 9112, section 6.3). */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>;

/** Closes connections that send request after request without waiting, or that do not read. */
function withClientLimits(listener: Listener, places: ReturnType<typeof createPlaces>, { pipelined, unread }: ServerLimits) {
  const waiting = new WeakMap<Socket, number>();
  return (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    const count = (waiting.get(socket) ?? 0) + 1;
    waiting.set(socket, count);
    let isComplete = false;
    const complete = (): void => {
      isComplete = true;
      places.asks(socket);
    };
    // Whoever sends a body piece by piece waits for nothing.
    if (hasBody(request)) request.once('end', complete);
    else complete();
    response.once('close', () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
      request.off('end', complete);
      if (isComplete) places.waits(socket);
    });
    if (count > pipelined) {
      socket.destroy();
      return;
    }
    // The server sets its own timeout once the response is sent.
    const limitReading = (): void => {
      if (!response.writableFinished && !socket.destroyed) socket.setTimeout(unread);
    };
    listener(request, response).then(limitReading, () => socket.destroy());
  };
}

/** Rejects with the errors of `listen`. */
export async function serveMonitor(monitor: Monitor, limits: ServerLimits = LIMITS): Promise<MonitorServer> {
  const { host, port } = monitor.config().server;
  const times = { headersTimeout: limits.headers, requestTimeout: REQUEST_PATIENCE, connectionsCheckingInterval: LOOK_EVERY };
  const listener = getRequestListener(createMonitorApp(monitor).fetch, { overrideGlobalObjects: false });
  const places = createPlaces(limits.connections);
  const server = createServer(times, withClientLimits(listener, places, limits));
  server.on('connection', places.enter);
  server.maxRequestsPerSocket = limits.requestsPerConnection;
  server.maxHeadersCount = MOST_HEADERS;
  // Node sends `Connection: close` with the last of them, and would reject one after the other for a client that ignores it.
  server.on('dropRequest', (_request, socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      // A connection that could not be accepted, for want of file descriptors: the client tries again, and others are served.
      server.on('error', () => undefined);
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
