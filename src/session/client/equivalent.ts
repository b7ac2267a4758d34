import { isJsonObject, readJson, writeJson } from '../../wire/json.ts';
import { TRACE_HEADERS } from '../../wire/redacted-exchange.ts';
import { createRandom } from '../numbers.ts';
import type { CallOptions } from './api.ts';

/** Another way to send the same request: the correct response does not change. */
export type Equivalent = Pick<CallOptions, 'headers' | 'fields' | 'spelling' | 'divided'> & {
  /** Completes "a request …". */
  readonly what: string;
};

const withHeader = (name: string, value: string): Equivalent => ({ what: `with ${name}: ${value}`, headers: [[name, value]] });

/**
 * What HTTP clients send in addition, none of which changes what a JSON interface returns: preferences (RFC 9110, section 12.5), caching
 * and conditions that can't hold (RFC 9111, section 5.2.1; RFC 9110, section 13.1), what browsers, libraries, and tracing add, and cookies
 * of other services.
 */
const HEADERS: readonly Equivalent[] = [
  withHeader('accept-encoding', 'gzip, deflate, br'),
  withHeader('accept', '*/*'),
  withHeader('accept', 'application/json, text/plain, */*'),
  ...['de-DE,de;q=0.9,en;q=0.5', 'ar', 'ja', 'hi-IN', 'ru,uk;q=0.8'].map((languages) => withHeader('accept-language', languages)),
  withHeader('cache-control', 'no-cache'),
  withHeader('if-none-match', '"none-of-yours"'),
  withHeader('if-modified-since', 'Sat, 01 Jan 2000 00:00:00 GMT'),
  withHeader('user-agent', 'kube-probe/1.30'),
  withHeader('user-agent', 'python-requests/2.32.3'),
  {
    what: 'with an X-Request-ID and an X-Correlation-ID',
    headers: [
      ['x-request-id', '7f1c9d62-0b64-4b39-9d34-5a0f1c2e8b17'],
      ['x-correlation-id', 'a1d5c3f0-5b0e-4f6a-9a77-3d2f9c1b6e44'],
    ],
  },
  {
    what: 'from a client that takes any language, and must not be tracked',
    headers: [
      ['accept-language', '*'],
      ['dnt', '1'],
    ],
  },
  {
    what: 'from a browser that saves data',
    headers: [
      ['save-data', 'on'],
      ['ect', '2g'],
      ['viewport-width', '360'],
      ['sec-ch-ua-mobile', '?1'],
    ],
  },
  withHeader('te', 'trailers'),
  withHeader('cookie', 'theme=dark; _ga=GA1.2.3'),
];

const BY_SCRIPT = ['x-requested-with', 'XMLHttpRequest'] as const;
const OF_SCRIPT: Equivalent = withHeader(...BY_SCRIPT);
/** Some libraries set the header once, for all requests. */
const OF_SCRIPT_WITHOUT_BODY: Equivalent = {
  what: 'of a script, with a Content-Type although it has no body',
  headers: [BY_SCRIPT, ['content-type', 'application/json']],
};

/** The same header fields in another form (RFC 9110, sections 5.1, 5.3, and 8.3.1; RFC 9112, section 5.1). */
const FORMS: readonly Equivalent[] = [
  { what: 'with its header fields in reverse order', fields: (headers) => headers.toReversed() },
  { what: 'with its header fields in capitals', fields: (headers) => headers.map(([name, value]) => [name.toUpperCase(), value]) },
  {
    what: 'with white space around the values of its header fields',
    fields: (headers) => headers.map(([name, value]) => [name, ` ${value}\t`]),
  },
  { ...withHeader('accept', 'Application/JSON'), what: 'with its Accept header in other letter case' },
];

/** After many others, as browsers and tracing send them: parsers have tables for sixteen headers or more. */
export const AFTER_MANY: Equivalent = {
  what: `after ${TRACE_HEADERS.length} other header fields`,
  fields: (headers) => [...TRACE_HEADERS.map((name) => [name, 'on'] as const), ...headers],
};

/** `GET /pets?`: no parameters, as form libraries write it. */
export const EMPTY_QUERY = { what: 'with an empty query', path: '/pets?' } as const;

/** A letter of a value, percent-encoded (RFC 3986, section 6.2.2.2: unreserved characters mean the same). */
function encodeLetters(query: string): string {
  return query.replace(/=([a-z])/g, (_match, letter: string) => `=%${letter.charCodeAt(0).toString(16)}`);
}

const reverse = (query: string): string => query.split('&').reverse().join('&');

const QUERIES: readonly Equivalent[] = [
  { what: 'with its parameters in another order', spelling: reverse },
  { what: 'with a percent-encoded letter in its query', spelling: encodeLetters },
];

function respell(text: string, spell: (members: readonly (readonly [name: string, value: string])[]) => string): string {
  const reading = readJson(text);
  if (!reading.ok || !isJsonObject(reading.value)) return text;
  return spell(Object.entries(reading.value).map(([name, value]) => [JSON.stringify(name), writeJson(value)] as const));
}

const objectOf = (members: readonly (readonly [name: string, value: string])[]): string =>
  `{${members.map(([name, value]) => `${name}:${value}`).join(',')}}`;

/** The first letter of a JSON string as an escape (RFC 8259, section 7). */
const escapeFirst = (text: string): string =>
  text.replace(/^"([A-Za-z])/, (_match, letter: string) => `"\\u00${letter.charCodeAt(0).toString(16)}`);

/** Bodies with the same meaning (RFC 8259, sections 2, 4, and 7; RFC 9112, section 7): order of members, white space, escapes, pieces. */
const BODIES: readonly Equivalent[] = [
  { what: 'with its members in reverse order', spelling: (text) => respell(text, (members) => objectOf(members.toReversed())) },
  {
    what: 'with its first member last',
    spelling: (text) => respell(text, ([first, ...others]) => objectOf(first === undefined ? [] : [...others, first])),
  },
  {
    what: 'with white space in its JSON',
    spelling: (text) => respell(text, (members) => `{\r\n${members.map(([name, value]) => `\t${name} : ${value}`).join(' ,\n')}\n}\n`),
  },
  {
    what: 'with escaped letters in its values',
    spelling: (text) => respell(text, (members) => objectOf(members.map(([name, value]) => [name, escapeFirst(value)]))),
  },
  {
    what: 'with an escaped letter in the names of its members',
    spelling: (text) => respell(text, (members) => objectOf(members.map(([name, value]) => [escapeFirst(name), value]))),
  },
  { what: 'whose body arrives in two pieces', divided: true },
  { ...withHeader('content-type', 'Application/JSON'), what: 'with its Content-Type in other letter case' },
];

const USUAL: Equivalent = { what: 'as usual' };

export const EQUIVALENTS = {
  list: [...HEADERS, OF_SCRIPT_WITHOUT_BODY, ...FORMS, ...QUERIES],
  read: [...HEADERS, OF_SCRIPT_WITHOUT_BODY, ...FORMS],
  creation: [...HEADERS, OF_SCRIPT, ...FORMS, ...BODIES],
  body: BODIES,
} as const;

/**
 * How consecutive requests are sent: each equivalent in turn, and as many in the usual form, so that a difference can show. The seed
 * decides the order. The length of a round is odd, so that an equivalent meets another parameter in the next one.
 */
export function equivalentsOf(of: keyof typeof EQUIVALENTS, seed: number): (turn: number) => Equivalent {
  const table: readonly Equivalent[] = EQUIVALENTS[of];
  const round = [...table, ...table.map(() => USUAL), USUAL];
  const random = createRandom(seed);
  const order = round.map((one) => ({ one, place: random() })).toSorted((a, b) => a.place - b.place);
  return (turn) => order[turn % order.length]?.one ?? USUAL;
}
