import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Front = { readonly baseUrl: string; close(): Promise<void> };

/** A server that gives every request the same response. */
export async function startSame(response: {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}): Promise<Front> {
  const server = createServer((incoming, outgoing) => {
    incoming.resume();
    outgoing.writeHead(response.status, response.headers);
    outgoing.end(response.body);
  });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => {
        server.close(done);
      });
    },
  };
}
