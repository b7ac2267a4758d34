import { createRedactor, isShortKey } from '../wire/redact.ts';
import { type Environment, UsageError } from './option-spec.ts';

const EXAMPLE = 'https://staging.example.com/v1';
const HOST_NAME = /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*$/;
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;
/** How much of a text that is not an address is shown: enough to recognize it, too little of a key. */
const SHOWN = 4;
/** Masks a key that a message would repeat; a short one may be any word. */
export function maskKey(text: string, key: string | undefined): string {
  return key === undefined || isShortKey(key) ? text : createRedactor(key)(text);
}

/**
 * Scheme and host of a text that was meant to be an address, or its first characters: a user name, a password, a secret path, and a key
 * pasted into the wrong place are not repeated.
 */
function showAddress(text: string, key: string | undefined): string {
  const masked = maskKey(text, key);
  const [, scheme, host = ''] = /^([a-z][a-z0-9+.-]*:\/\/)(?:.*@)?([^/?#]*)/is.exec(masked) ?? [];
  if (scheme !== undefined) return `"${scheme}${host}…"`;
  if (masked !== text) return masked;
  return `"${text.slice(0, Math.min(SHOWN, Math.floor(text.length / 2)))}…" (${text.length} characters)`;
}

/** The address that a text without a scheme was meant to be, or undefined if it looks like none. */
function withScheme(text: string, key: string | undefined): string | undefined {
  if (text.includes('://') || maskKey(text, key) !== text) return undefined;
  const url = URL.parse(`http://${text}`);
  if (url === null || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return undefined;
  const { hostname, host, port, pathname } = url;
  const looksLikeHost =
    hostname.startsWith('[') || (HOST_NAME.test(hostname) && (hostname === 'localhost' || hostname.includes('.') || port !== ''));
  if (!looksLikeHost) return undefined;
  const scheme = LOOPBACK.test(hostname) || (port !== '' && !port.endsWith('443')) ? 'http' : 'https';
  return `${scheme}://${host}${pathname === '/' ? '' : pathname}`;
}

/** The base address without a trailing slash, or a usage error that says what is wrong with it. `key` is never repeated. */
export function parseBaseUrl(text: string, { what, key }: { readonly what: string; readonly key?: string | undefined }): string {
  const meant = withScheme(text, key);
  if (meant !== undefined) throw new UsageError(`${what} has no scheme; did you mean ${meant}?`);
  const url = text.includes('://') ? URL.parse(text) : null;
  if (url === null) throw new UsageError(`${what} is ${showAddress(text, key)}, which is not a URL; it looks like ${EXAMPLE}`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new UsageError(`${what} is ${showAddress(text, key)}; only http: and https: can be judged`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(`${what} contains a user name or password; remove them, and put the API key into PETSTORE_API_KEY`);
  }
  if (url.search !== '' || url.hash !== '') {
    throw new UsageError(`${what} is ${showAddress(text, key)} with a query or a fragment; remove everything from "?" or "#" on`);
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** The address of a heartbeat service. Its path may be a secret, so it is never repeated. */
export function parsePingUrl(text: string): string {
  const protocol = URL.parse(text)?.protocol;
  if (protocol === 'http:' || protocol === 'https:') return text;
  throw new UsageError('expected an http or https URL such as https://hc.example.com/0b1c');
}

/** The proxy to use: the configured one, or else that of the environment, read as curl does. */
export function resolveProxy(named: string | undefined, address: string, environment: Environment): string | undefined {
  if (named === 'none') return undefined;
  const text = named ?? systemProxy(address, environment);
  if (text === undefined) return undefined;
  // Without a scheme, a port distinguishes an address from a word.
  const proxy = text.includes('://') || !/:\d+\/?$/.test(text) ? text : `http://${text}`;
  const url = URL.parse(proxy);
  if (url !== null && (url.protocol === 'http:' || url.protocol === 'https:')) return proxy;
  const source = named === undefined ? 'the proxy of the environment' : '--proxy';
  throw new UsageError(`${source} is not an HTTP proxy such as http://proxy.example.com:3128; "--proxy none" goes without`);
}

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
