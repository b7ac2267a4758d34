// How connections reach a service, apart from what its address says.

import { isIP } from 'node:net';

export const FAMILIES = [4, 6] as const;
export type Family = (typeof FAMILIES)[number];

export type Route = {
  /** PEM file of certificates to trust in addition to those that Node trusts. */
  readonly ca: string | undefined;
  readonly proxy: string | undefined;
  /** PEM file of a client certificate. */
  readonly cert: string | undefined;
  /** PEM file of its private key; undefined if `cert` contains it. */
  readonly key: string | undefined;
  /** `HOST:PORT:ADDRESS`, as curl writes it: connect to that address in place of those that the host name has. */
  readonly resolve: readonly string[];
  /** The only version of IP to use. */
  readonly family: Family | undefined;
  readonly unixSocket: string | undefined;
};

/** To whatever the host name resolves to. */
export const DIRECT: Route = {
  ca: undefined,
  proxy: undefined,
  cert: undefined,
  key: undefined,
  resolve: [],
  family: undefined,
  unixSocket: undefined,
};

/** The part of some options that says how a service is reached. */
export const routeOf = ({ ca, proxy, cert, key, resolve, family, unixSocket }: Route): Route => ({
  ca,
  proxy,
  cert,
  key,
  resolve,
  family,
  unixSocket,
});

type Resolved = { readonly host: string; readonly port: number; readonly address: string };

const bare = (host: string): string => host.replace(/^\[|\]$/g, '').toLowerCase();

/** Reads `HOST:PORT:ADDRESS`; undefined for anything else. */
function readResolve(text: string): Resolved | undefined {
  const [, host = '', port = '', address = ''] = /^([^:[\]*\s]+):(\d{1,5}):(\[[^\]]+\]|[^[\]]+)$/.exec(text) ?? [];
  return host === '' || Number(port) > 65_535 || isIP(bare(address)) === 0
    ? undefined
    : { host: bare(host), port: Number(port), address: bare(address) };
}

export const portOf = ({ port, protocol }: URL): number => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port));

/** The entries that are about the host and port of an address. */
function entriesFor(resolve: readonly string[], url: URL): readonly Resolved[] {
  return resolve.flatMap((text) => readResolve(text) ?? []).filter(({ host, port }) => host === bare(url.hostname) && port === portOf(url));
}

/** The address that connections to the host and port of a URL go to; undefined if its name decides that. */
export function addressFor({ resolve }: Pick<Route, 'resolve'>, url: URL): string | undefined {
  return entriesFor(resolve, url)[0]?.address;
}

export type RouteOption = 'cert' | 'key' | 'resolve' | 'family' | 'unixSocket';
/** What is wrong with an option, as a sentence that follows its name. */
export type RouteFault = { readonly option: RouteOption; readonly text: string };

/** What a kernel takes for the path of a socket, in bytes: 104 or 108 with the zero at its end. */
const LONGEST_SOCKET = process.platform === 'darwin' ? 103 : 107;

function resolveFault(resolve: readonly string[], url: URL): string | undefined {
  const wrong = resolve.find((text) => readResolve(text) === undefined);
  if (wrong !== undefined)
    return `"${wrong}" is not HOST:PORT:ADDRESS, such as petstore.example.com:443:10.0.0.7 (an IPv6 address in brackets)`;
  const here = `${url.hostname}:${portOf(url)}`;
  if (isIP(bare(url.hostname)) !== 0)
    return `the service is named by its address, ${here}; put the other address into the base URL instead`;
  const [first, ...others] = entriesFor(resolve, url);
  if (first === undefined) return `names another host or port than the service, which is at ${here}`;
  const other = others.find(({ address }) => address !== first.address);
  return other === undefined
    ? undefined
    : `names both ${first.address} and ${other.address} for ${here}; name one, since each is judged by itself`;
}

function familyFault(family: Family, route: Route, url: URL): string | undefined {
  const address = [addressFor(route, url), bare(url.hostname)].find((one) => one !== undefined && isIP(one) !== 0);
  return address === undefined || isIP(address) === family
    ? undefined
    : `the service is at ${address}, which is not an IPv${family} address`;
}

const NO_PROXY = 'name none (--proxy none; for a target, an entry in NO_PROXY)';

/** What is wrong with how a service at that address is to be reached: an option that can't be meant, or two that contradict each other. */
export function routeFault(route: Route, baseUrl: string): RouteFault | undefined {
  const url = new URL(baseUrl);
  const { cert, key, resolve, family, unixSocket, proxy } = route;
  const way = unixSocket !== undefined ? 'unixSocket' : resolve.length > 0 ? 'resolve' : family === undefined ? undefined : 'family';
  if (proxy !== undefined && way !== undefined) {
    const text = `the proxy ${new URL(proxy).host} connects to the service, and not this process: ${NO_PROXY}`;
    return { option: way, text };
  }
  if (unixSocket !== undefined && Buffer.byteLength(unixSocket) > LONGEST_SOCKET)
    return { option: 'unixSocket', text: `the path has ${Buffer.byteLength(unixSocket)} bytes; a socket has at most ${LONGEST_SOCKET}` };
  if (unixSocket !== undefined && (resolve.length > 0 || family !== undefined))
    return { option: 'unixSocket', text: `a socket has no IP address: remove ${resolve.length > 0 ? 'resolve' : 'family'}` };
  const ofResolve = resolve.length === 0 ? undefined : resolveFault(resolve, url);
  if (ofResolve !== undefined) return { option: 'resolve', text: ofResolve };
  const ofFamily = family === undefined ? undefined : familyFault(family, route, url);
  if (ofFamily !== undefined) return { option: 'family', text: ofFamily };
  if (key !== undefined && cert === undefined)
    return { option: 'key', text: 'is the private key of a client certificate: name that with cert' };
  return cert !== undefined && url.protocol !== 'https:'
    ? { option: 'cert', text: `a client certificate is presented in TLS, and the base URL is ${url.protocol}//` }
    : undefined;
}

/** How connections reach the service, in sentences for a report; none if its address says it all. */
export function describeRoute(route: Route, baseUrl: string): readonly string[] {
  const url = new URL(baseUrl);
  const { cert, family, unixSocket } = route;
  const address = addressFor(route, url);
  return [
    ...(unixSocket === undefined ? [] : [`Connections go through the Unix socket ${unixSocket} (--unix-socket)`]),
    ...(address === undefined ? [] : [`Connections go to ${address} port ${portOf(url)}, under the name ${url.hostname} (--resolve)`]),
    ...(family === undefined ? [] : [`Connections use IPv${family} alone (--family)`]),
    ...(cert === undefined ? [] : ['Connections present a client certificate (--cert)']),
  ];
}
