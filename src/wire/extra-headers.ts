// Headers that each request to the service gets in addition: what something in front of it asks for. Their values are secret.

import { USER_AGENT } from './exchange.ts';
import { describeCharacter } from './wording.ts';

type Headers = readonly (readonly [name: string, value: string])[];

/** Names as they are sent, each once. */
export type ExtraHeaders = Headers;

export const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

const FRAMING = 'belongs to each request itself';
const METHOD = 'may change the method of a request, and the suite never sends anything but GET and POST';
const CONDITION = 'changes which responses are right';
const each = (names: readonly string[], why: string): (readonly [string, string])[] => names.map((name) => [name, why]);
/** Why no request gets headers of these names. */
const RESERVED: ReadonlyMap<string, string> = new Map([
  ['authorization', 'holds the API key: give that with PETSTORE_API_KEY or --api-key-file (`apiKey` of a target)'],
  ['proxy-authorization', 'is for a proxy: give its login in its address, http://USER:PASSWORD@HOST:PORT'],
  [
    'host',
    'follows from the base URL: give that the name of the service, and the address to connect to with --resolve (`resolve` of a target)',
  ],
  ['traceparent', 'is another one in each request'],
  ...each(['connection', 'content-encoding', 'content-length', 'content-type', 'expect', 'http2-settings', 'keep-alive'], FRAMING),
  ...each(['proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'], FRAMING),
  ...each(['x-http-method', 'x-http-method-override', 'x-method-override'], METHOD),
  ...each(['if-match', 'if-modified-since', 'if-none-match', 'if-range', 'if-unmodified-since', 'range'], CONDITION),
]);

/** Why no request can get a header of that name, as the end of a sentence that begins with it; undefined if each can. */
export function headerNameFault(name: string): string | undefined {
  if (!HEADER_NAME.test(name)) return 'is not the name of a header: it has characters that none has';
  const why = RESERVED.get(name.toLowerCase());
  return why === undefined ? undefined : `can't be added: it ${why}`;
}

/** Why a value can't stand in a header, as the end of a sentence that begins with where it was found; the value is not repeated. */
export function headerValueFault(value: string): string | undefined {
  if (value === '') return 'is empty';
  const at = value.search(/[^\x20-\x7e]/);
  if (at === -1) return undefined;
  return `can't stand in a header (${describeCharacter(value, at)})`;
}

/** Headers of every request that says nothing else, which an extra one replaces. */
const USUAL: ReadonlyMap<string, string> = new Map([
  ['accept', 'application/json'],
  ['user-agent', USER_AGENT],
]);

/** Those of the extra headers that a request gets: none that it sends itself, or leaves out, to see what the service does then. */
export function extraFor(headers: Headers, extra: ExtraHeaders): ExtraHeaders {
  if (extra.length === 0) return extra;
  const own = new Map(headers.map(([name, value]) => [name.toLowerCase(), value]));
  return extra.filter(([name]) => {
    const known = name.toLowerCase();
    // Cookies add up.
    return known === 'cookie' || own.get(known) === USUAL.get(known);
  });
}

export function withExtra(headers: Headers, extra: ExtraHeaders): Headers {
  const more = extraFor(headers, extra);
  if (more.length === 0) return headers;
  const names = new Set(more.map(([name]) => name.toLowerCase()));
  const cookies = headers.find(([name]) => name.toLowerCase() === 'cookie')?.[1];
  return [
    ...headers.filter(([name]) => !names.has(name.toLowerCase())),
    ...more.map(
      ([name, value]) => [name, name.toLowerCase() === 'cookie' && cookies !== undefined ? `${value}; ${cookies}` : value] as const,
    ),
  ];
}

/** The variable that holds the value of an extra header in the command lines of reports. */
export const variableOfHeader = (name: string): string => `HEADER_${name.toUpperCase().replaceAll(/\W|_/g, '_')}`;

/** What reports say about extra headers, in a sentence; none without them. */
export function describeExtra(extra: ExtraHeaders): readonly string[] {
  const names = extra.map(([name]) => name).join(', ');
  return names === '' ? [] : [`Each request had ${names} (--header), except where a check sends or leaves out that very header`];
}
