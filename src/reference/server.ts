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
import type { Fault, FaultNeeds } from './faults/fault.ts';
import type { Variant } from './variants/variant.ts';

/** How to start a reference server. Only the key is needed. */
export type ReferenceOptions = {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** Defaults to 127.0.0.1. */
  readonly host?: string;
  readonly apiKey: string;
  /** The initial number of animals; defaults to what the variants need, else 0. */
  readonly seedAnimals?: number;
  /** Defaults to `/v1`. */
  readonly basePath?: string;
  /** Names of `faults`. */
  readonly faults?: readonly string[];
  /** Names of `variants`. */
  readonly variants?: readonly string[];
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

type Resolved = Required<Omit<ReferenceOptions, 'faults' | 'variants' | 'store'>> & {
  readonly parts: Parts;
  readonly categories: readonly bigint[];
};

/** The deviations with those names: a conforming server loads none. */
async function variantsNamed(names: readonly string[]): Promise<readonly Variant[]> {
  if (names.length === 0) return [];
  const { variants } = await import('./variants/index.ts');
  return names.map((name) => lookUp('variant', variants, name));
}

async function faultsNamed(names: readonly string[]): Promise<readonly Fault[]> {
  if (names.length === 0) return [];
  const { faults } = await import('./faults/index.ts');
  return names.map((name) => lookUp('fault', faults, name));
}

/** What all of these faults need to show. Throws UnknownNameError for one that does not exist. */
export async function needsOf(names: readonly string[]): Promise<FaultNeeds> {
  const needs = (await faultsNamed(names)).map((fault) => fault.needs);
  const animals = needs.flatMap(({ seedAnimals }) => seedAnimals ?? []);
  const now = needs.find((one) => one.now !== undefined)?.now;
  return { ...(animals.length === 0 ? {} : { seedAnimals: Math.max(...animals) }), ...(now === undefined ? {} : { now }) };
}

async function resolve(options: ReferenceOptions): Promise<Resolved> {
  const chosen = await variantsNamed(options.variants ?? []);
  const broken = await faultsNamed(options.faults ?? []);
  const setting = Object.assign({}, ...chosen) as Partial<Variant>;
  // Faults come last: they break whatever the variants choose.
  const parts = [...chosen, ...broken].reduce((made, { apply }) => apply(made), baseParts);
  return {
    port: options.port ?? 0,
    host: options.host ?? setting.host ?? '127.0.0.1',
    apiKey: options.apiKey,
    seedAnimals: options.seedAnimals ?? setting.seedAnimals ?? 0,
    basePath: options.basePath ?? broken.find(({ basePath }) => basePath !== undefined)?.basePath ?? setting.basePath ?? '/v1',
    now: options.now ?? setting.now ?? (() => new Date()),
    parts,
    categories: setting.categories ?? [1n, 2n, 3n, 4n, 5n],
  };
}

/** Handles one request; an exception becomes a 500, as in a framework. */
async function respond(resolved: Resolved, store: Store, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { parts, apiKey, now } = resolved;
  const call = readCall(incoming, resolved.basePath);
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

/**
 * Starts a conforming server of the pet-store interface on a socket, with the named deviations. Throws UnknownNameError for a fault or
 * variant that does not exist, and the errors of `listen`.
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
export async function startReference(options: ReferenceOptions): Promise<ReferenceServer> {
  const resolved = await resolve(options);
  const store = options.store ?? createStore();
  if (options.store === undefined) seed(store, resolved.parts, resolved.seedAnimals, resolved.categories);
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.all('*', async (context) => {
    await respond(resolved, store, context.env.incoming, context.env.outgoing);
    // Responses are written by hand, so that a fault can send what no framework would.
    return RESPONSE_ALREADY_SENT;
  });
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
  const { port } = await listen(server, resolved.port, resolved.host);
  const host = resolved.host.includes(':') ? `[${resolved.host}]` : resolved.host;
  return {
    baseUrl: `http://${host}:${port}${resolved.basePath}`,
    port,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** Thrown for a fault or variant name that is not in the registry. */
export class UnknownNameError extends Error {
  override readonly name = 'UnknownNameError';
  readonly wanted: string;
  readonly near: readonly string[];
  constructor(kind: string, wanted: string, near: readonly string[]) {
    const meant = near.length === 0 ? ';' : `: did you mean ${near.join(', ')}?`;
    super(`there is no ${kind} "${wanted}"${meant} \`petstore-conformance explain ${kind}s\` shows all of them`);
    this.wanted = wanted;
    this.near = near;
  }
}

/** The entry with this name. Throws UnknownNameError with up to five near matches. */
export function lookUp<T extends { readonly name: string }>(kind: string, entries: readonly T[], wanted: string): T {
  const found = entries.find((entry) => entry.name === wanted);
  if (found !== undefined) return found;
  throw new UnknownNameError(
    kind,
    wanted,
    similarNames(
      wanted,
      entries.map(({ name }) => name),
    ),
  );
}
