// What runs of the proof are told, and servers of parts of the reference server.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { seed } from '../src/reference/core/base.ts';
import { readCall } from '../src/reference/core/incoming.ts';
import { type Context, type Parts, Problem, problemReply } from '../src/reference/core/parts.ts';
import { createStore } from '../src/reference/core/store.ts';
import type { SessionOptions } from '../src/session/session.ts';
import { DIRECT } from '../src/wire/route.ts';

export const KEY = 'pk-7Hq2XvR9sLmT4wZa';

/** What a standard run is told, but for what a test changes. */
export function sessionOptions(baseUrl: string, changes: Partial<SessionOptions> = {}): SessionOptions {
  return {
    baseUrl,
    apiKey: KEY,
    readOnly: false,
    intrusive: true,
    maxCreates: 250,
    runTag: 'prove',
    leftoverIds: [],
    categoryIds: [],
    depth: 'standard',
    seed: 20261121,
    now: new Date(),
    concurrency: 8,
    timeout: 3_000,
    consistencyWindow: 2_000,
    waitForReady: 0,
    rate: 0,
    maxBody: 16 * 1024 * 1024,
    ...DIRECT,
    headers: [],
    ...changes,
  };
}

const BASE_PATH = '/v1';
const CATEGORIES = [1n, 2n, 3n, 4n, 5n];

/** A server with these parts on a socket, without the framework of the reference server. */
export async function startParts(parts: Parts, { seedAnimals }: { readonly seedAnimals: number }) {
  const store = createStore();
  seed(store, parts, seedAnimals, CATEGORIES);
  const server = createServer(async (incoming, outgoing) => {
    const call = readCall(incoming, BASE_PATH);
    const context: Context = { call, store, parts, apiKey: KEY, now: () => new Date() };
    try {
      await parts.send(await parts.handle(context), outgoing, call);
    } catch {
      if (outgoing.headersSent || outgoing.destroyed) outgoing.destroy();
      else await parts.send(problemReply(context, new Problem(500, 'internal', 'Something went wrong')), outgoing, call);
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${BASE_PATH}`,
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
