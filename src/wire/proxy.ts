// Which proxy a request goes through.

import { BlockList, isIP } from 'node:net';
import { loginFault } from './login.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** The address of an HTTP proxy, or why it is none, as the end of a sentence; neither the address nor its login is repeated. */
export type ReadProxy = { readonly address: string } | { readonly fault: string };

/** Reads the address of a proxy. Without a scheme, a port distinguishes it from a word. */
export function readProxy(text: string): ReadProxy {
  const address = text.includes('://') || !/:\d+\/?$/.test(text) ? text : `http://${text}`;
  const url = URL.parse(address);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    return { fault: 'is not an HTTP proxy such as http://proxy.example.com:3128' };
  const fault = loginFault(address);
  if (fault !== undefined) return { fault };
  if (url.search !== '' || url.hash !== '') return { fault: 'has a query or a fragment, which a proxy never gets; remove it' };
  return { address };
}

export const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;
const PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Whether an address is in a range such as 10.96.0.0/12 or fd00::/8; a range that can't be one contains nothing. */
function isInRange(host: string, range: string): boolean {
  const [, network = '', bits = ''] = /^\[?([^\]/]+)\]?\/(\d{1,3})$/.exec(range) ?? [];
  const length = isIP(network) === 6 ? 128 : 32;
  if (isIP(host) === 0 || isIP(network) === 0 || Number(bits) > length) return false;
  const list = new BlockList();
  list.addSubnet(network, Number(bits), familyOf(network));
  return list.check(host, familyOf(host));
}

/**
 * Whether an entry of NO_PROXY matches: a host and all its subdomains, with or without a port, or a range of addresses; `*` is everything.
 * An IPv6 address may have brackets.
 */
function exempts(entry: string, { host, port }: { readonly host: string; readonly port: string }): boolean {
  if (entry === '*') return true;
  if (entry.includes('/')) return isInRange(host, entry);
  const [, named = '', wantedPort] = isIP(entry) === 6 ? [entry, entry] : (/^(.*?)(?::(\d+))?$/.exec(entry) ?? []);
  const bare = named.replace(/^\*?\./, '').replace(/^\[|\]$/g, '');
  if (bare === '' || (wantedPort !== undefined && wantedPort !== port)) return false;
  return host === bare || host.endsWith(`.${bare}`) || (isIP(bare) !== 0 && isInRange(host, `${bare}/${isIP(bare) === 6 ? 128 : 32}`));
}

/** The proxy that the environment names for an address (HTTPS_PROXY, HTTP_PROXY, NO_PROXY, also in lower case) as curl reads it, or undefined. */
export function systemProxy(address: string, environment: Variables): string | undefined {
  const { protocol, hostname, port } = new URL(address);
  if (LOOPBACK.test(hostname)) return undefined;
  const variable = (name: string): string | undefined => environment[name.toLowerCase()] ?? environment[name];
  const target = { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? (PORTS[protocol] ?? '') : port };
  const exempt = (variable('NO_PROXY') ?? '').toLowerCase().split(/[\s,]+/);
  if (exempt.some((entry) => exempts(entry, target))) return undefined;
  return variable(protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY') ?? variable('ALL_PROXY');
}

/** The proxy of the environment for an address; undefined if there is none. Throws TypeError if it can't be used. */
export function environmentProxy(address: string, environment: Variables): string | undefined {
  const text = systemProxy(address, environment);
  const proxy = text === undefined ? undefined : readProxy(text);
  if (proxy === undefined) return undefined;
  if ('fault' in proxy) throw new TypeError(`the proxy of the environment ${proxy.fault}; correct it, or list the host in NO_PROXY`);
  return proxy.address;
}
