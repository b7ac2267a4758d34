// The query of a list, and parameters that the document does not show.

import { CHOICES_OF_MEMBERS, LARGEST_LIMIT, OTHER_LIMITS } from '../../src/clause/limits.ts';
import type { ParametersPart, Table, Value } from '../../src/session/vector.ts';
import { PET_STATUSES } from '../../src/wire/exchange.ts';
import { type About, block, literals } from './block.ts';

const READ: About = { effect: 'read', since: '2.0' };
const WRITE: About = { effect: 'write', since: '2.0' };

/** Each of them once, by its own percent-encoded text: `limit=5.0` is the value "5.0". */
const encoded = (texts: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(texts.map((text) => [text === '' ? 'empty' : text, encodeURIComponent(text)]));

export const NO_LIMIT = literals<'none', string | undefined>(READ, { none: undefined });

/** 1 to 100: what the document allows. A row names them by number, as `limit: 37`. */
export const LIMITS: readonly number[] = Array.from({ length: LARGEST_LIMIT }, (_unused, index) => index + 1);

/** Open: the document types limit as an integer and does not state the response to anything else. */
export const LIMITS_IN_OTHER_SPELLINGS = literals(READ, encoded(['abc', '', '1.5', '5.0', '+5', '05', '5abc', '5e0', '５', 'many', '🐶']));

/** Open: `limit` is from 1 to 100. */
export const LIMITS_OUT_OF_RANGE = literals(READ, {
  ...encoded(['0', '-1', '101', '1000', '2147483648', '9223372036854775808', '99999999999999999999']),
  '400 digits': '9'.repeat(400),
});

/** `limit: 37`, or `limit: '=abc'` for a text before encoding. */
const limitOf = (drawn: string | number): Value<string | undefined> => ({ ...READ, make: () => encodeURIComponent(String(drawn)) });

export const LIMIT: Table<string | undefined> = {
  usual: 'none',
  values: { ...NO_LIMIT, ...LIMITS_IN_OTHER_SPELLINGS, ...LIMITS_OUT_OF_RANGE },
  drawn: limitOf,
};

export const NO_FILTER = literals<'none', string | undefined>(READ, { none: undefined });

export const FILTERS = literals(READ, Object.fromEntries(PET_STATUSES.map((status) => [status, status])));

/** Open: `status` is one of three. */
export const OTHER_FILTERS = literals(READ, {
  // The last one has quotation marks and a backslash, which an Error that repeats it must escape.
  ...encoded(['unknown', '', 'SOLD', ' sold', 'available,sold', 'null', String.raw`"sold\"`, 'ü']),
  '1,000 letters': 'a'.repeat(1_000),
  'not UTF-8': '%E9',
});

export const FILTER: Table<string | undefined> = {
  usual: 'none',
  values: { ...NO_FILTER, ...FILTERS, ...OTHER_FILTERS },
};

export const NO_PARAMETERS = literals<'none', ParametersPart>(READ, { none: {} });

const each = (names: readonly string[], value: string): string => names.map((name) => `${name}=${value}`).join('&');

/** Parameters that the document does not show: neither `limit` nor `status` changes its meaning. */
export const OTHER_PARAMETERS = literals<string, ParametersPart>(READ, {
  unknown: { after: 'unknown=1' },
  'page 2': { after: 'page=2' },
  'page 0': { after: 'page=0' },
  'offset 1': { after: 'offset=1' },
  'offset 0': { after: 'offset=0' },
  cursor: { after: 'cursor=none' },
  sort: { after: 'sort=name' },
  callback: { after: 'callback=show' },
  ampersands: { after: '&&&' },
  'page 51 times': { after: `page=${'2&page='.repeat(50)}2` },
  'other names of a page size': { after: each(OTHER_LIMITS, '5') },
  'choices of members': { after: each(CHOICES_OF_MEMBERS, 'name') },
  // A search for the name in the whole query finds the wrong one.
  'page_limit before': { before: 'page_limit=50' },
  'last_status before': { before: 'last_status=sold' },
  // For requests that are compared with others that have a query, and for URLs that no cache holds.
  nothing: { after: 'nothing=' },
  fresh: { after: 'fresh=' },
});

/** Open: a parameter of the document twice, as an array, or in other letter case. */
export const REPEATED_PARAMETERS = literals<string, ParametersPart>(READ, {
  'limit=1&limit=2': { after: 'limit=1&limit=2' },
  'limit=2&limit=2': { after: 'limit=2&limit=2' },
  // Brackets are encoded: RFC 3986, section 3.4, does not allow them in a query.
  'limit[]=2': { after: 'limit%5B%5D=2' },
  'limit=1,2': { after: 'limit=1,2' },
  'status=available&status=sold': { after: 'status=available&status=sold' },
  'status=sold&status=sold': { after: 'status=sold&status=sold' },
  'status[]=sold': { after: 'status%5B%5D=sold' },
  'Limit=2': { after: 'Limit=2' },
  'limit without a value': { after: 'limit' },
});

/** Fields of a NewPet in the query, where a mapper may look for them besides the body. The last two are for rows that lack that member. */
export const FIELD_PARAMETERS = block<string, ParametersPart>(WRITE, {
  fields: () => ({ after: 'name=elsewhere&categoryId=987654&status=sold&id=987654' }),
  name: ({ plainName }) => ({ after: `name=${plainName}` }),
  categoryId: ({ categoryId }) => ({ after: `categoryId=${categoryId}` }),
});

/** Another id in the query of a read: the path says which animal it is. */
export const ID_PARAMETERS = block<'id of another animal', ParametersPart>(READ, {
  'id of another animal': ({ knownIds }) => ({ after: `petId=${knownIds.at(-1) ?? 1n}&id=${knownIds.at(-1) ?? 1n}` }),
});

export const PARAMETERS: Table<ParametersPart> = {
  usual: 'none',
  values: { ...NO_PARAMETERS, ...OTHER_PARAMETERS, ...REPEATED_PARAMETERS },
};

export const GET_PARAMETERS: Table<ParametersPart> = {
  usual: 'none',
  values: { ...NO_PARAMETERS, ...OTHER_PARAMETERS, ...ID_PARAMETERS },
};

export const CREATE_PARAMETERS: Table<ParametersPart> = {
  usual: 'none',
  values: { ...NO_PARAMETERS, ...OTHER_PARAMETERS, ...FIELD_PARAMETERS },
};

/** A letter of a value, percent-encoded (RFC 3986, section 6.2.2.2: unreserved characters mean the same). */
const encodeLetters = (query: string): string =>
  query.replace(/=([a-z])/g, (_match, letter: string) => `=%${letter.charCodeAt(0).toString(16)}`);

/** The same parameters in other forms. */
export const QUERY: Table<(pairs: readonly string[]) => string> = {
  usual: 'limit first',
  values: literals(READ, {
    'limit first': (pairs: readonly string[]) => pairs.join('&'),
    'status first': (pairs: readonly string[]) => pairs.toReversed().join('&'),
    'encoded letter': (pairs: readonly string[]) => encodeLetters(pairs.join('&')),
  }),
};
