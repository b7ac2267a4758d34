import { Resolver } from 'node:dns/promises';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls, type DetailedPeerCertificate, type TLSSocket } from 'node:tls';
import { lookupFor, secureContextOf, sharedLookup } from '../wire/connection.ts';
import { portOf, type Route } from '../wire/route.ts';
import type { Phases } from './sample.ts';

/** What a separate connection shows about the path to the service, before requests are sent on others. */
export type ConnectionReport = {
  readonly phases: Phases;
  readonly certificateExpiry?: number;
  readonly isUnresolved: boolean;
};

const MOST_CHAIN = 10;

/** The earliest end of validity in a chain, in seconds since 1970: the first certificate to expire is not always the leaf. */
export function earliestExpiry(leaf: DetailedPeerCertificate): number | undefined {
  const ends: number[] = [];
  let one: DetailedPeerCertificate | undefined = leaf;
  for (let depth = 0; one?.valid_to !== undefined && depth < MOST_CHAIN; depth += 1) {
    ends.push(Date.parse(one.valid_to) / 1000);
    // A root is its own issuer.
    one = one.issuerCertificate === one ? undefined : one.issuerCertificate;
  }
  const known = ends.filter(Number.isFinite);
  return known.length === 0 ? undefined : Math.min(...known);
}

function until(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(event, () => resolve());
    socket.once('error', reject);
    signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
  });
}

type Inspecting = { readonly route: Route; readonly signal: AbortSignal };

async function secure(socket: Socket, host: string, { route, signal }: Inspecting): Promise<TLSSocket> {
  const secureContext = secureContextOf(route);
  const name = /^[\d.]+$|:/.test(host) ? {} : { servername: host };
  // The checks report an untrusted chain; its dates are useful anyway.
  const tls = connectTls({ socket, ...name, ...(secureContext === undefined ? {} : { secureContext }), rejectUnauthorized: false });
  await until(tls, 'secureConnect', signal);
  return tls;
}

/** The first address of a name. A resolver may hang longer than any deadline, and can't be stopped: it is then left running. */
function resolveName(
  host: string,
  { signal, lookup = sharedLookup }: { signal: AbortSignal; lookup?: typeof sharedLookup },
): Promise<string> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
    lookup(host, {}, (error, address) => (error === null ? resolve(String(address)) : reject(error)));
  });
}

/** Resolves, connects, and does the TLS handshake once, with the time of each phase. Never rejects: the checks meet the same failures. */
export async function inspectConnection(baseUrl: string, options: Inspecting): Promise<ConnectionReport> {
  const { route, signal } = options;
  const url = new URL(baseUrl);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const phases: { resolve?: number; connect?: number; tls?: number } = {};
  let mark = performance.now();
  const lap = (): number => {
    const now = performance.now();
    const seconds = (now - mark) / 1000;
    mark = now;
    return seconds;
  };
  let socket: Socket | undefined;
  try {
    const { unixSocket } = route;
    if (unixSocket === undefined) {
      const address = await resolveName(host, { signal, lookup: lookupFor(route, url) });
      phases.resolve = lap();
      socket = connectTcp({ host: address, port: portOf(url) });
    } else socket = connectTcp({ path: unixSocket });
    await until(socket, 'connect', signal);
    phases.connect = lap();
    if (url.protocol !== 'https:') return { phases, isUnresolved: false };
    const tls = await secure(socket, host, options);
    phases.tls = lap();
    const expiry = earliestExpiry(tls.getPeerCertificate(true));
    tls.destroy();
    return { phases, isUnresolved: false, ...(expiry === undefined ? {} : { certificateExpiry: expiry }) };
  } catch {
    return { phases, isUnresolved: route.unixSocket === undefined && phases.resolve === undefined };
  } finally {
    socket?.on('error', () => undefined).destroy();
  }
}

/** Milliseconds in which a working resolver responds. */
const RESOLVER_PATIENCE = 2_000;
/** Errors that mean that no DNS server responded, whatever the query. */
const SILENCE = new Set(['ECONNREFUSED', 'ETIMEOUT', 'ECANCELLED']);

/**
 * Whether this machine's resolver is broken, and not the service's name: a name that must resolve does not either. Without such a name:
 * nobody responds to a query for the DNS root, not even with an error.
 */
export async function isResolverBroken(controlName: string | undefined): Promise<boolean> {
  if (controlName !== undefined) {
    const signal = AbortSignal.timeout(RESOLVER_PATIENCE);
    return resolveName(controlName, { signal }).then(
      () => false,
      () => true,
    );
  }
  const resolver = new Resolver({ timeout: RESOLVER_PATIENCE, tries: 1 });
  const timer = setTimeout(() => resolver.cancel(), RESOLVER_PATIENCE);
  return resolver
    .resolveNs('.')
    .then(
      () => false,
      (error: NodeJS.ErrnoException) => SILENCE.has(error.code ?? ''),
    )
    .finally(() => clearTimeout(timer));
}
