import { isJsonObject, readJson, writeJson } from '../../wire/json.ts';
import { createRandom } from '../fixtures/random.ts';
import type { CallOptions } from './api.ts';

/** Another way to send the same request: what a right response is does not change. */
export type Equivalent = Pick<CallOptions, 'headers' | 'spelling' | 'divided'> & {
  /** Completes "a request …". */
  readonly what: string;
};

const withHeader = (name: string, value: string): Equivalent => ({ what: `with ${name}: ${value}`, headers: [[name, value]] });

/** What HTTP clients send besides what is asked (RFC 9110, section 12.5; RFC 9111, section 5.2.1): none of it changes what a JSON interface returns. */
const HEADERS: readonly Equivalent[] = [
  withHeader('accept-encoding', 'gzip, deflate, br'),
  withHeader('accept', '*/*'),
  withHeader('accept', 'application/json, text/plain, */*'),
  ...['de-DE,de;q=0.9,en;q=0.5', 'ar', 'ja', 'hi-IN', 'ru,uk;q=0.8'].map((languages) => withHeader('accept-language', languages)),
  withHeader('cache-control', 'no-cache'),
];

/** A letter of a value, percent-encoded (RFC 3986, section 6.2.2.2: unreserved characters mean the same). */
function encodeLetters(query: string): string {
  return query.replace(/=([a-z])/g, (_match, letter: string) => `=%${letter.charCodeAt(0).toString(16)}`);
}

const reverse = (query: string): string => query.split('&').reverse().join('&');

/** Queries that mean the same: parameters in another order, encoded letters. */
const QUERIES: readonly Equivalent[] = [
  { what: 'with its parameters in another order', spelling: reverse },
  { what: 'with a percent-encoded letter in its query', spelling: encodeLetters },
];

/** The members of a JSON object in another text. */
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

/** Bodies that mean the same (RFC 8259, sections 2, 4 and 7; RFC 9112, section 7): order of members, white space, escapes, pieces. */
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
];

const USUAL: Equivalent = { what: 'as usual' };

/** Equivalents by what they are of. */
export const EQUIVALENTS = {
  list: [...HEADERS, ...QUERIES],
  read: HEADERS,
  creation: [...HEADERS, ...BODIES],
} as const;

/**
 * How requests are sent one after the other: each equivalent in its turn, and as many as usual, so that a difference has something to differ from.
 * The order is the seed's. The round is odd, so that in the next one an equivalent falls on another parameter.
 */
export function equivalentsOf(of: keyof typeof EQUIVALENTS, seed: number): (turn: number) => Equivalent {
  const table: readonly Equivalent[] = EQUIVALENTS[of];
  const round = [...table, ...table.map(() => USUAL), USUAL];
  const random = createRandom(seed);
  const order = round.map((one) => ({ one, place: random() })).toSorted((a, b) => a.place - b.place);
  return (turn) => order[turn % order.length]?.one ?? USUAL;
}
