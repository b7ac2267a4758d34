// What a request has for a credential.

import type { Sent } from '../session/vector.ts';
import { COMMON_PLACES, type KeyPlace, RARER_PLACES } from '../wire/key-places.ts';
import { reversed, swapAlike } from '../wire/key-spellings.ts';
import { membersIn } from './body-facts.ts';
import { headersNamed } from './client-facts.ts';

/** `valid`: exactly `Bearer <API_KEY>`. `open`: 401 or accepted. `malformed`: 401 or 400. All others: 401. */
export type CredentialFacts =
  | { readonly kind: 'valid' }
  | { readonly kind: 'open'; readonly how: 'letter case of the scheme' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'elsewhere'; readonly places: readonly (KeyPlace['kind'] | 'body')[] }
  | { readonly kind: 'scheme' }
  | { readonly kind: 'wrong'; readonly how: DifferenceFromKey }
  | { readonly kind: 'malformed'; readonly by: 'token' | 'scheme' };

export type DifferenceFromKey =
  | 'no token'
  | 'prefix'
  | 'suffix'
  | 'letter case'
  | 'more characters'
  | 'repeated'
  | 'one character'
  | 'rearranged'
  | 'alike'
  | 'punctuation'
  | 'encoded'
  | 'unrelated';

const WHERE: Readonly<Record<KeyPlace['kind'] | 'body', string>> = {
  ...{ 'query parameter': 'a query parameter', header: 'another header', cookie: 'a cookie', body: 'the body' },
};

/** In words that follow "with", and never with the key. */
export function describeCredential(credential: CredentialFacts): string {
  switch (credential.kind) {
    case 'valid':
      return 'the API key';
    case 'open':
      return 'the API key after the scheme in another letter case';
    case 'absent':
      return 'no credential';
    case 'elsewhere':
      return `the API key in ${credential.places.map((place) => WHERE[place]).join(' and ')}`;
    case 'scheme':
      return 'another scheme';
    case 'wrong':
      return `a wrong key (${credential.how})`;
    case 'malformed':
      return 'a malformed credential';
    default:
      return credential satisfies never;
  }
}

const BEARER = /^bearer$/i;
/** RFC 6750, section 2.1; equals signs may follow. */
const TOKEN_CHARACTER = /[A-Za-z0-9\-._~+/]/;

export function credentialOf(
  sent: Sent,
  { apiKey, query }: { readonly apiKey: string; readonly query: string | undefined },
): CredentialFacts {
  const [value, ...more] = headersNamed(sent.headers, 'authorization').filter((one) => one !== '');
  if (more.length > 0) return { kind: 'malformed', by: 'token' };
  if (value !== undefined) return authorizationOf(value, apiKey);
  const places = new Set(keyPlacesOf(sent, { apiKey, query }).map(({ kind }) => kind));
  return places.size === 0 ? { kind: 'absent' } : { kind: 'elsewhere', places: [...places] };
}

function authorizationOf(value: string, apiKey: string): CredentialFacts {
  if (value === `Bearer ${apiKey}`) return { kind: 'valid' };
  const [, scheme = '', token = ''] = /^(\S+)\s*(.*)$/.exec(value) ?? [];
  // What the key itself has beyond a token is no mistake.
  const isToken = [...token.replace(/=+$/, '')].every((one) => TOKEN_CHARACTER.test(one) || apiKey.includes(one));
  if (BEARER.test(scheme)) {
    if (token === apiKey) return { kind: 'open', how: 'letter case of the scheme' };
    if (!isToken || token === `${apiKey}=`) return { kind: 'malformed', by: 'token' };
    return { kind: 'wrong', how: wrongKeyOf(token, apiKey) };
  }
  // Scheme and key are there, and only what stands between them is not a space.
  const behind = /^bearer:?\s*(.*)$/i.exec(value)?.[1];
  return behind === apiKey ? { kind: 'malformed', by: 'scheme' } : { kind: 'scheme' };
}

const letters = (text: string): string => text.replace(/[^a-z0-9]/gi, '');
const sorted = (text: string): string => [...text].sort().join('');

/** How many characters two texts have in common at the start and the end, without overlap. */
function countCommonEnds(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let start = 0;
  while (start < most && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < most - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  return start + end;
}

function wrongKeyOf(token: string, key: string): DifferenceFromKey {
  if (token === '') return 'no token';
  if (token === key + key) return 'repeated';
  if (key.startsWith(token)) return 'prefix';
  if (key.endsWith(token)) return 'suffix';
  if (token.toLowerCase() === key.toLowerCase()) return 'letter case';
  if (token.startsWith(key) || token.endsWith(key)) return 'more characters';
  if (countCommonEnds(token, key) >= Math.max(token.length, key.length) - 1) return 'one character';
  if (token === Buffer.from(key).toString('base64')) return 'encoded';
  if (token === swapAlike(key)) return 'alike';
  if (token === reversed(key) || sorted(token) === sorted(key)) return 'rearranged';
  return letters(token) === letters(key) && letters(key) !== '' ? 'punctuation' : 'unrelated';
}

const PLACES: readonly KeyPlaceOfRequest[] = [...COMMON_PLACES, ...RARER_PLACES.flat()];
const KEY_HEADERS = new Set(PLACES.flatMap(({ kind, name }) => (kind === 'header' ? [name] : [])));

type KeyPlaceOfRequest = { readonly kind: KeyPlace['kind'] | 'body'; readonly name: string };

/** Where the key is, but for the Authorization header. */
export function keyPlacesOf(
  { headers, body }: Sent,
  { apiKey, query = '' }: { readonly apiKey: string; readonly query: string | undefined },
): readonly KeyPlaceOfRequest[] {
  const isKey = (value: unknown): boolean => value === apiKey || value === encodeURIComponent(apiKey);
  const inPairs = (kind: KeyPlace['kind'], pairs: readonly string[]): readonly KeyPlaceOfRequest[] =>
    pairs.flatMap((pair) => {
      const end = pair.indexOf('=');
      return isKey(pair.slice(end + 1)) ? [{ kind, name: pair.slice(0, Math.max(0, end)) }] : [];
    });
  const inHeaders = headers
    .map(([name, value]) => ({ name: name.toLowerCase(), value: value.trim().replace(/^Bearer /, '') }))
    .filter(({ name, value }) => KEY_HEADERS.has(name) && isKey(value));
  const cookies = headersNamed(headers, 'cookie').flatMap((cookie) => cookie.split(/;\s*/));
  return [
    ...inPairs('query parameter', query.split('&')),
    ...inHeaders.map(({ name }) => ({ kind: 'header', name }) as const),
    ...inPairs('cookie', cookies),
    ...membersIn(body).flatMap(([name, value]) => (isKey(value) ? [{ kind: 'body', name } as const] : [])),
  ];
}
