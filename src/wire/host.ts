import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

const HERE = 'localhost';

/** The IPv4 address in an IPv4-mapped IPv6 address, as the URL parser spells it. */
function unmapped(address: string): string {
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address) ?? [];
  if (high === undefined || low === undefined) return address;
  return [high, low].flatMap((pair) => [Number.parseInt(pair, 16) >> 8, Number.parseInt(pair, 16) & 0xff]).join('.');
}

/** The canonical spelling of a name or an address; all that lead to this machine alone have the same one. */
function canonical(hostname: string): string {
  const name = unmapped(hostname.replace(/^\[|\]$/g, '').replace(/\.$/, ''));
  return name === '::1' || name === '::' || /^(?:127(?:\.\d+){3}|0\.0\.0\.0|(?:.+\.)?localhost)$/.test(name) ? HERE : name;
}

/**
 * The host and port of an address, by which two addresses belong to the same service: another path is not another store. Undefined for an
 * invalid address.
 */
export function hostOf(address: string): string | undefined {
  const url = URL.parse(address);
  return url === null ? undefined : `${canonical(url.hostname)}:${url.port}`;
}

async function addressesOf(name: string): Promise<ReadonlySet<string>> {
  if (name === HERE || isIP(name) !== 0) return new Set([name]);
  const found = await lookup(name, { all: true }).catch(() => []);
  return new Set(found.map(({ address }) => canonical(address)));
}

/**
 * Whether two addresses have the same host, even by different names: if one of them is an IP address or this machine, the other one is
 * looked up. Two different names are two hosts, wherever they lead: many services share a load balancer, which distinguishes them by name.
 */
export async function isSameHost(one: string, other: string): Promise<boolean> {
  if (hostOf(one) === hostOf(other)) return true;
  const urls = [one, other].map((address) => URL.parse(address));
  const [first, second] = urls.map((url) => (url === null ? undefined : { name: canonical(url.hostname), port: url.port }));
  if (first === undefined || second === undefined || first.port !== second.port) return false;
  if (![first, second].some(({ name }) => name === HERE || isIP(name) !== 0)) return false;
  return !(await addressesOf(first.name)).isDisjointFrom(await addressesOf(second.name));
}
