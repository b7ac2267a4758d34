import type { Environment } from './option-spec.ts';

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;
const PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** Whether an entry of NO_PROXY matches: a host and all its subdomains, with or without a port; `*` is everything. */
function exempts(entry: string, { hostname, port }: { hostname: string; port: string }): boolean {
  if (entry === '*') return true;
  const [, host = '', wantedPort] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  const bare = host.replace(/^\*?\./, '');
  if (bare === '' || (wantedPort !== undefined && wantedPort !== port)) return false;
  return hostname === bare || hostname.endsWith(`.${bare}`);
}

/** The proxy that the environment names for an address (HTTPS_PROXY, HTTP_PROXY, NO_PROXY, also in lower case), or undefined. */
export function systemProxy(address: string, environment: Environment): string | undefined {
  const { protocol, hostname, port } = new URL(address);
  if (LOOPBACK.test(hostname)) return undefined;
  const variable = (name: string): string | undefined => environment[name.toLowerCase()] ?? environment[name];
  const target = { hostname, port: port === '' ? (PORTS[protocol] ?? '') : port };
  const exempt = (variable('NO_PROXY') ?? '').toLowerCase().split(/[\s,]+/);
  if (exempt.some((entry) => exempts(entry, target))) return undefined;
  return variable(protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY') ?? variable('ALL_PROXY');
}
