import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

/** The name by which this machine reaches itself, of all that it has. */
const HERE = 'localhost';

/** An IPv4 address that is written as an IPv6 one, as the URL parser writes it. */
function unmapped(address: string): string {
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address) ?? [];
  if (high === undefined || low === undefined) return address;
  return [high, low].flatMap((pair) => [Number.parseInt(pair, 16) >> 8, Number.parseInt(pair, 16) & 0xff]).join('.');
}

/** A name or an address in one spelling; all that lead to this machine alone are one. */
function canonical(hostname: string): string {
  const name = unmapped(hostname.replace(/^\[|\]$/g, '').replace(/\.$/, ''));
  return name === '::1' || name === '::' || /^(?:127(?:\.\d+){3}|0\.0\.0\.0|(?:.+\.)?localhost)$/.test(name) ? HERE : name;
}

/** Host and port of an address, by which it is known whether two addresses are of one service: another path is no other store. Undefined for no address. */
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
 * Whether two addresses are of one host, by another name too: where one of them is an address of IP or of this machine, the other one is looked up. Two
 * names stay two hosts wherever they lead: many services stand behind one load balancer, which tells them apart by name.
 */
export async function isSameHost(one: string, other: string): Promise<boolean> {
  if (hostOf(one) === hostOf(other)) return true;
  const urls = [one, other].map((address) => URL.parse(address));
  const [first, second] = urls.map((url) => (url === null ? undefined : { name: canonical(url.hostname), port: url.port }));
  if (first === undefined || second === undefined || first.port !== second.port) return false;
  if (![first, second].some(({ name }) => name === HERE || isIP(name) !== 0)) return false;
  return !(await addressesOf(first.name)).isDisjointFrom(await addressesOf(second.name));
}
