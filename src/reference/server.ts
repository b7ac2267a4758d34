import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import { similarNames } from '../clause/similar-names.ts';
import { baseParts, seed } from './core/base.ts';
import { readCall } from './core/incoming.ts';
import { type Context, type Parts, Problem, problemReply } from './core/parts.ts';
import { createStore, type Store } from './core/store.ts';
import { FAULTS, type Fault } from './faults.ts';

/** How to start a reference server. Only the key is needed. */
export type ReferenceOptions = {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** Defaults to 127.0.0.1. */
  readonly host?: string;
  readonly apiKey: string;
  /** The initial number of animals; defaults to 0. */
  readonly seedAnimals?: number;
  /** Defaults to `/v1`. */
  readonly basePath?: string;
  /** Names of defects to give it; `petstore-conformance explain faults` lists them. */
  readonly faults?: readonly string[];
  /** The clock of the service, by which operations are deprecated and removed. */
  readonly now?: () => Date;
  /** The store of an earlier server, with its content; by default a new one with the initial animals. */
  readonly store?: Store;
};

/** A running reference server. */
export type ReferenceServer = {
  /** Ends in the base path, without a trailing slash. */
  readonly baseUrl: string;
  readonly port: number;
  /** Stops listening and destroys the open sockets too. */
  close(): Promise<void>;
};

type Served = Pick<ReferenceOptions, 'apiKey'> & {
  readonly parts: Parts;
  readonly basePath: string;
  readonly now: () => Date;
};

/** Handles one request; an exception becomes a 500, as in a framework. */
async function respond(served: Served, store: Store, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { parts, apiKey, now } = served;
  const call = readCall(incoming, served.basePath);
  const context: Context = { call, store, parts, apiKey, now };
  try {
    await parts.send(await parts.handle(context), outgoing, call);
  } catch {
    if (outgoing.headersSent || outgoing.destroyed) outgoing.destroy();
    else await parts.send(problemReply(context, new Problem(500, 'internal', 'Something went wrong')), outgoing, call);
  }
}

function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((done, failed) => {
    server.once('error', failed);
    server.listen(port, host, () => {
      server.off('error', failed);
      done(server.address() as AddressInfo);
    });
  });
}

/** A server with these parts, of which a conforming one has `baseParts`. */
export type PartsOptions = Omit<ReferenceOptions, 'faults'> & {
  readonly parts: Parts;
  /** The categories of the initial animals; 1 to 5 by default. */
  readonly categories?: readonly bigint[];
};

/** Serves parts on a socket. Throws the errors of `listen`. */
export async function serveParts(options: PartsOptions): Promise<ReferenceServer> {
  const { parts, apiKey, port: wanted = 0, host = '127.0.0.1', basePath = '/v1', now = () => new Date() } = options;
  const { seedAnimals = 0, categories = [1n, 2n, 3n, 4n, 5n] } = options;
  const store = options.store ?? createStore();
  if (options.store === undefined) seed(store, parts, seedAnimals, categories);
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.all('*', async (context) => {
    await respond({ parts, apiKey, basePath, now }, store, context.env.incoming, context.env.outgoing);
    // Responses are written by hand, so that a fault can send what no framework would.
    return RESPONSE_ALREADY_SENT;
  });
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
  const { port } = await listen(server, wanted, host);
  return {
    baseUrl: `http://${host.includes(':') ? `[${host}]` : host}:${port}${basePath}`,
    port,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/**
 * Starts a conforming server of the pet-store interface on a socket, with the named defects. Throws UnknownFaultError for one that does
 * not exist, and the errors of `listen`.
 *
 * @example
 * ```ts
 * import { startReference } from '@petstore-conformance/cli';
 *
 * const server = await startReference({ apiKey: 'secret', seedAnimals: 7 });
 * console.log(`a client can be tested against ${server.baseUrl}`);
 * await server.close();
 * ```
 */
export async function startReference({ faults = [], ...options }: ReferenceOptions): Promise<ReferenceServer> {
  return serveParts({ ...options, parts: faults.map(faultNamed).reduce(broken, baseParts) });
}

/** Thrown for the name of a fault that does not exist. */
export class UnknownFaultError extends Error {
  override readonly name = 'UnknownFaultError';
  constructor(wanted: string) {
    const near = similarNames(wanted, Object.keys(FAULTS));
    const meant = near.length === 0 ? ';' : `: did you mean ${near.join(', ')}?`;
    super(`there is no fault "${wanted}"${meant} \`petstore-conformance explain faults\` shows all of them`);
  }
}

const broken = (parts: Parts, { patch }: Fault): Parts => ({ ...parts, ...patch(parts) });

function faultNamed(name: string): Fault {
  const found = Object.entries<Fault>(FAULTS).find(([one]) => one === name);
  if (found === undefined) throw new UnknownFaultError(name);
  return found[1];
}
