import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { Monitor } from '../monitor.ts';
import { createMonitorApp } from './app.ts';

export type MonitorServer = { readonly url: string; close(): Promise<void> };

const LONGEST_REQUEST = 130_000;

/** Listens where the configuration says. Rejects with what `listen` throws. */
export async function serveMonitor(monitor: Monitor): Promise<MonitorServer> {
  const { host, port } = monitor.config().server;
  const server = createAdaptorServer({ fetch: createMonitorApp(monitor).fetch, overrideGlobalObjects: false }) as Server;
  server.requestTimeout = LONGEST_REQUEST;
  server.headersTimeout = 10_000;
  server.maxHeadersCount = 100;
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
