import { placeholderIn } from '../secrets/placeholder.ts';
import { hasLogin, receiverFault } from '../wire/login.ts';
import { LOOPBACK, readProxy, systemProxy } from '../wire/proxy.ts';
import { createRedactor, isShortKey } from '../wire/redact.ts';
import { type Environment, text as filledIn, UsageError } from './option-spec.ts';

const EXAMPLE = 'https://staging.example.com/v1';
const HOST_NAME = /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*$/;
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
  const placeholder = placeholderIn(text);
  if (placeholder !== undefined) throw new UsageError(`${what} contains ${placeholder}, a placeholder that nobody filled in`);
  const meant = withScheme(text, key);
  if (meant !== undefined) throw new UsageError(`${what} has no scheme; did you mean ${meant}?`);
  const url = text.includes('://') ? URL.parse(text) : null;
  if (url === null) throw new UsageError(`${what} is ${showAddress(text, key)}, which is not a URL; it looks like ${EXAMPLE}`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new UsageError(`${what} is ${showAddress(text, key)}; only http: and https: can be judged`);
  }
  if (hasLogin(text)) {
    throw new UsageError(`${what} contains a user name or password; remove them, and put the API key into PETSTORE_API_KEY`);
  }
  if (url.search !== '' || url.hash !== '') {
    throw new UsageError(`${what} is ${showAddress(text, key)} with a query or a fragment; remove everything from "?" or "#" on`);
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** The address of a heartbeat service. Its path may be a secret, so it is never repeated. */
export function parsePingUrl(text: string): string {
  const fault = receiverFault(filledIn(text));
  if (fault === undefined) return text;
  throw new UsageError(`expected an http or https URL such as https://hc.example.com/0b1c; the address ${fault}`);
}

/** The proxy to use: the configured one, or else that of the environment. */
export function resolveProxy(named: string | undefined, address: string, environment: Environment): string | undefined {
  if (named === 'none') return undefined;
  const text = named ?? systemProxy(address, environment);
  if (text === undefined) return undefined;
  const source = named === undefined ? 'the proxy of the environment' : '--proxy';
  const placeholder = placeholderIn(text);
  if (placeholder !== undefined) throw new UsageError(`${source} contains ${placeholder}, a placeholder that nobody filled in`);
  const proxy = readProxy(text);
  if ('address' in proxy) return proxy.address;
  throw new UsageError(`${source} ${proxy.fault}; "--proxy none" or an entry in NO_PROXY goes without`);
}
