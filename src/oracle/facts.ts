// What the document says about a request, read back from its bytes: nothing else decides, no label and no plan.

import type { INVALID_BODY_CLAUSES } from '../clause/clause-ids.ts';
import { PLAIN_LIMIT } from '../clause/limits.ts';
import { asStatus } from '../schema/pet.ts';
import { INT64_MAX, INT64_MIN } from '../schema/validators.ts';
import type { Framing, Header, Sent } from '../session/rows.ts';
import type { Operation, PetStatus } from '../wire/exchange.ts';
import { duplicateMember, isJsonObject } from '../wire/json.ts';
import { COMMON_PLACES, type Place, RARER_PLACES } from '../wire/key-places.ts';
import { reversed, swapAlike } from '../wire/key-spellings.ts';

export type Facts = {
  readonly operation: Operation;
  /** `respelled`: a path that a router may take for the one of the operation. Served or not. */
  readonly path: 'documented' | 'respelled';
  readonly credential: CredentialFacts;
  readonly client: ClientFacts;
  /** listPets. */
  readonly list?: ListFacts;
  /** getPet. */
  readonly id?: IdFacts;
  /** createPet. */
  readonly body?: BodyFacts;
  readonly framing: Framing;
};

/** `valid`: exactly `Bearer <API_KEY>`. `open`: 401 or accepted. `malformed`: 401 or 400. All others: 401. */
export type CredentialFacts =
  | { readonly kind: 'valid' }
  | { readonly kind: 'open'; readonly how: 'letter case of the scheme' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'elsewhere'; readonly places: readonly (Place['kind'] | 'body')[] }
  | { readonly kind: 'scheme' }
  | { readonly kind: 'wrong'; readonly how: WrongKey }
  | { readonly kind: 'malformed'; readonly by: 'token' | 'scheme' };

/** How a token differs from the key. */
export type WrongKey =
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

/**
 * `unusual`: a service may reject it with an Error body, until it has accepted that value. `undocumented`: only rules that name it judge the
 * response.
 */
export type ClientFacts =
  | { readonly kind: 'usual' }
  | { readonly kind: 'unusual'; readonly by: readonly UnusualClient[] }
  | { readonly kind: 'undocumented'; readonly by: readonly string[] };

export type UnusualClient =
  | 'no User-Agent'
  | 'User-Agent of an old or automated client'
  | 'Accept without JSON'
  | 'Origin'
  | 'Accept-Charset'
  | 'chunked'
  | 'header beyond ASCII'
  | 'headers over 4 KB'
  | 'target over 2,000 characters'
  | 'body over 1 KB';

export type Parameter<Value> =
  | { readonly kind: 'absent' }
  | { readonly kind: 'documented'; readonly value: Value; readonly isEncoded: boolean }
  | { readonly kind: 'open'; readonly why: 'value' | 'repeated' | 'name' };

export type ListFacts = {
  readonly limit: Parameter<number>;
  readonly status: Parameter<PetStatus>;
  /** Which of the two comes first, if both are there. */
  readonly order: 'limit first' | 'status first' | undefined;
  /** Names of other parameters. */
  readonly others: readonly string[];
};

/** `spelled`: an int64 in another than its usual spelling. All but `int64` are open. */
export type IdFacts =
  | { readonly kind: 'int64'; readonly value: bigint }
  | { readonly kind: 'spelled'; readonly value: bigint }
  | { readonly kind: 'outside int64' }
  | { readonly kind: 'no integer' };

export type BodyClause = (typeof INVALID_BODY_CLAUSES)[number];

export type SentPet = { readonly name: string; readonly categoryId: bigint; readonly status?: PetStatus };

/**
 * `plain`: 201, if the service accepts the category and knows no animal of that name. `unusual`: 201 as sent, or 400. `open`: as the document
 * does not decide. `invalid`: 400, by the first clause in the order of the document.
 */
export type BodyFacts =
  | { readonly kind: 'plain'; readonly sent: SentPet }
  | { readonly kind: 'unusual'; readonly sent: SentPet }
  | { readonly kind: 'open'; readonly why: OpenBody; readonly sent?: SentPet }
  /** `name`: by which an animal would be known that was stored all the same. */
  | { readonly kind: 'invalid'; readonly clause: BodyClause; readonly name?: string };

export type OpenBody =
  | 'media type'
  | 'charset'
  | 'encoding'
  | 'repeated member'
  | 'other members'
  | 'id'
  | 'integer spelled as a fraction'
  | 'fields elsewhere';

export function factsOf(sent: Sent, apiKey: string): Facts {
  const { path, query } = splitTarget(sent.target);
  const credential = credentialOf(sent, { apiKey, query });
  const route = routeOf(sent.method, path);
  const isEmptyQuery = query === '' && credential.kind !== 'valid';
  const base = {
    path: route.isDocumented && !isEmptyQuery ? ('documented' as const) : ('respelled' as const),
    credential,
    client: clientOf(sent, { credential, query }),
    framing: sent.framing,
  };
  switch (route.operation) {
    case 'listPets':
      return { operation: 'listPets', ...base, list: listOf(query ?? '') };
    case 'getPet':
      return { operation: 'getPet', ...base, id: idOf(route.segment) };
    case 'createPet':
      return { operation: 'createPet', ...base, body: bodyOf(sent, query ?? '') };
    default:
      return route satisfies never;
  }
}

/** `query`: undefined where the target has no question mark. */
function splitTarget(target: string): { readonly path: string; readonly query: string | undefined } {
  const at = target.indexOf('?');
  return at === -1 ? { path: target, query: undefined } : { path: target.slice(0, at), query: target.slice(at + 1) };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

// --- The operation

type Route =
  | { readonly operation: 'listPets' | 'createPet'; readonly isDocumented: boolean }
  | { readonly operation: 'getPet'; readonly segment: string; readonly isDocumented: boolean };

/** RFC 3986, section 2.3: they mean the same percent-encoded, but nobody encodes them. */
const ENCODED_UNRESERVED = /%(?:3[0-9]|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae]|2[de])/i;

/** A path as a lenient router reads it: decoded twice, dot segments resolved, without what comes after a semicolon, and the extension. */
function segmentsOf(path: string): readonly string[] {
  const twice = decoded(decoded(path) ?? path) ?? path;
  const segments: string[] = [];
  for (const part of twice.split('/')) {
    const name = part.split(';')[0] ?? '';
    if (name === '..') segments.pop();
    else if (name !== '' && name !== '.') segments.push(name);
  }
  return segments;
}

function routeOf(method: Sent['method'], path: string): Route {
  if (method === 'POST') return { operation: 'createPet', isDocumented: path === '/pets' };
  if (path === '/pets') return { operation: 'listPets', isDocumented: true };
  const [, segment] = /^\/pets\/([^/;]+)$/.exec(path) ?? [];
  const isDocumented = segment !== undefined && !ENCODED_UNRESERVED.test(segment) && !/%2f|\.json$/i.test(segment);
  if (segment !== undefined && isDocumented) return { operation: 'getPet', segment, isDocumented };
  const [, id, ...more] = segmentsOf(path);
  if (id === undefined || more.length > 0) return { operation: 'listPets', isDocumented: false };
  return { operation: 'getPet', segment: encodeURIComponent(id.replace(/\.json$/, '')), isDocumented: false };
}

// --- The credential

const headersNamed = (headers: readonly Header[], wanted: string): readonly string[] =>
  headers.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value.trim());

const BEARER = /^bearer$/i;
/** RFC 6750, section 2.1; equals signs may follow. */
const TOKEN_CHARACTER = /[A-Za-z0-9\-._~+/]/;

function credentialOf(sent: Sent, { apiKey, query }: { readonly apiKey: string; readonly query: string | undefined }): CredentialFacts {
  const [value, ...more] = headersNamed(sent.headers, 'authorization').filter((one) => one !== '');
  if (more.length > 0) return { kind: 'malformed', by: 'token' };
  if (value !== undefined) return authorizationOf(value, apiKey);
  const places = placesOf(sent, { apiKey, query });
  return places.length === 0 ? { kind: 'absent' } : { kind: 'elsewhere', places };
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
function commonEnds(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let start = 0;
  while (start < most && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < most - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  return start + end;
}

function wrongKeyOf(token: string, key: string): WrongKey {
  if (token === '') return 'no token';
  if (token === key + key) return 'repeated';
  if (key.startsWith(token)) return 'prefix';
  if (key.endsWith(token)) return 'suffix';
  if (token.toLowerCase() === key.toLowerCase()) return 'letter case';
  if (token.startsWith(key) || token.endsWith(key)) return 'more characters';
  if (commonEnds(token, key) >= Math.max(token.length, key.length) - 1) return 'one character';
  if (token === Buffer.from(key).toString('base64')) return 'encoded';
  if (token === swapAlike(key)) return 'alike';
  if (token === reversed(key) || sorted(token) === sorted(key)) return 'rearranged';
  return letters(token) === letters(key) && letters(key) !== '' ? 'punctuation' : 'unrelated';
}

const PLACES: readonly Place[] = [...COMMON_PLACES, ...RARER_PLACES.flat()];
const KEY_HEADERS = new Set(PLACES.flatMap(({ kind, name }) => (kind === 'header' ? [name] : [])));

/** Where the key is, but for the Authorization header. */
function placesOf(
  { headers, body }: Sent,
  { apiKey, query = '' }: { readonly apiKey: string; readonly query: string | undefined },
): readonly (Place['kind'] | 'body')[] {
  const isKey = (value: unknown): boolean => value === apiKey || value === encodeURIComponent(apiKey);
  const valueIn = (pair: string): string => pair.slice(pair.indexOf('=') + 1);
  const cookies = headersNamed(headers, 'cookie').flatMap((cookie) => cookie.split(/;\s*/));
  const isInHeader = headers.some(([name, value]) => KEY_HEADERS.has(name.toLowerCase()) && isKey(value.trim().replace(/^Bearer /, '')));
  return [
    ...(query.split('&').map(valueIn).some(isKey) ? (['query parameter'] as const) : []),
    ...(isInHeader ? (['header'] as const) : []),
    ...(cookies.map(valueIn).some(isKey) ? (['cookie'] as const) : []),
    ...(membersIn(body).some(([, value]) => isKey(value)) ? (['body'] as const) : []),
  ];
}

/** The members of a body that is a JSON object; none of any other. */
function membersIn(body: Uint8Array | undefined): readonly (readonly [name: string, value: unknown])[] {
  const value = body === undefined ? undefined : jsonOf(textOf(body) ?? '')?.value;
  return isObject(value) ? Object.entries(value) : [];
}

// --- The client

/**
 * Headers that forward, override, or claim to have authenticated. `x-forwarded-for` and `x-real-ip` only name an address, and
 * `x-forwarded-authorization` is a place for keys.
 */
const UNDOCUMENTED_HEADERS = [
  /^(?:forwarded|via)$/,
  /^x-forwarded-(?!for$|authorization$)/,
  /^(?:x-|true-|cf-connecting-)?client-ip$|^cf-connecting-ip$|^x-(?:cluster-client|originating|remote)-ip$/,
  /^x-remote-(?:addr|user)$|^remote-user$|^x-custom-ip-authorization$/,
  /^x-(?:rewrite|envoy|authenticated|consumer|auth-request|webauth|credential|internal|middleware)-|^x-original-(?!authorization$)/,
  /^x-user-id$|^x-(?:ssl-)?client-verify$/,
  /^x-(?:http-)?method(?:-override)?$/,
  /^x-(?:url-)?scheme$|^front-end-https$/,
  /^access-control-request-/,
];

/** Headers that a mapper may take for a member of the body. */
const FIELD_HEADERS = /^(?:x-)?(?:name|categoryid|status|id)$/;

/** What a service may trust in place of the key: without the key, the document leaves open what it does. */
const TRUSTED_HEADERS = /^(?:x-requested-with|x-purpose|sec-fetch-.*)$/;
const HEALTH_CHECKS = /^(?:kube-probe|ELB-HealthChecker|GoogleHC)\//;

const OLD_OR_AUTOMATED = /^(?:Java|okhttp|Go-http-client)\/|Trident\//;

const BIG = { headers: 4_096, target: 2_000, body: 1_024 } as const;

function clientOf(
  sent: Sent,
  { credential, query }: { readonly credential: CredentialFacts; readonly query: string | undefined },
): ClientFacts {
  const undocumented = undocumentedIn(sent, { credential, query });
  if (undocumented.length > 0) return { kind: 'undocumented', by: [...new Set(undocumented)].sort() };
  const unusual = unusualIn(sent);
  return unusual.length > 0 ? { kind: 'unusual', by: unusual } : { kind: 'usual' };
}

function undocumentedIn(
  { headers, method }: Sent,
  { credential, query = '' }: { readonly credential: CredentialFacts; readonly query: string | undefined },
): readonly string[] {
  const names = headers.map(([name]) => name.toLowerCase());
  const [agent = ''] = headersNamed(headers, 'user-agent');
  const isValid = credential.kind === 'valid';
  return [
    ...names.filter((name) => UNDOCUMENTED_HEADERS.some((pattern) => pattern.test(name))),
    ...(isValid ? [] : names.filter((name) => TRUSTED_HEADERS.test(name))),
    ...(!isValid && HEALTH_CHECKS.test(agent) ? ['user-agent'] : []),
    // With the key, a response may be 304; without it, 401 comes first.
    ...(isValid && headersNamed(headers, 'if-none-match').includes('*') ? ['if-none-match'] : []),
    // A read that names another animal in its query.
    ...(/(?:^|&)(?:petId|id)=/.test(query) && method === 'GET' ? ['id in the query'] : []),
  ];
}

/** Whether JSON is among the media types of an Accept header by its own name, or among all. */
const acceptsJson = (accept: string): boolean => /(?:^|,)\s*(?:application\/json|\*\/\*)\s*(?:;|,|$)/i.test(accept);

function unusualIn({ headers, target, body, framing }: Sent): readonly UnusualClient[] {
  const [agent = ''] = headersNamed(headers, 'user-agent');
  const size = headers.reduce((sum, [name, value]) => sum + name.length + value.length + ': \r\n'.length, 0);
  const found: readonly (readonly [UnusualClient, boolean])[] = [
    ['no User-Agent', agent === ''],
    ['User-Agent of an old or automated client', OLD_OR_AUTOMATED.test(agent)],
    ['Accept without JSON', headersNamed(headers, 'accept').some((accept) => !acceptsJson(accept))],
    ['Origin', headersNamed(headers, 'origin').length > 0],
    ['Accept-Charset', headersNamed(headers, 'accept-charset').length > 0],
    ['chunked', framing === 'chunked'],
    ['header beyond ASCII', headers.some(([, value]) => !/^[\t\x20-\x7e]*$/.test(value))],
    ['headers over 4 KB', size > BIG.headers],
    ['target over 2,000 characters', target.length > BIG.target],
    ['body over 1 KB', (body?.length ?? 0) > BIG.body],
  ];
  return found.filter(([, holds]) => holds).map(([by]) => by);
}

// --- The list

type Pair = { readonly name: string; readonly value: string; readonly isEncoded: boolean };

/** A plus sign is a space in a form, and a plus sign in a URL: a value with one is neither a limit nor a status. */
function pairsIn(query: string): readonly Pair[] {
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const at = pair.indexOf('=');
      const [name, value] = at === -1 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
      return { name: decoded(name) ?? name, value: decoded(value) ?? value, isEncoded: ENCODED_UNRESERVED.test(pair) };
    });
}

function listOf(query: string): ListFacts {
  const pairs = pairsIn(query);
  const limit = parameterOf(pairs, 'limit', (text) => (PLAIN_LIMIT.test(text) ? Number(text) : undefined));
  const status = parameterOf(pairs, 'status', asStatus);
  const names = pairs.map(({ name }) => name);
  const [limitAt, statusAt] = [names.indexOf('limit'), names.indexOf('status')];
  const order = limitAt < statusAt ? 'limit first' : 'status first';
  return {
    limit,
    status,
    order: limitAt === -1 || statusAt === -1 ? undefined : order,
    others: names.filter((name) => name !== 'limit' && name !== 'status'),
  };
}

/** The name in other letter case, or as frameworks write arrays. */
const resembles = (name: string, wanted: string): boolean => name.toLowerCase().replace(/\[.*\]$/, '') === wanted;

function parameterOf<Value>(pairs: readonly Pair[], wanted: string, read: (text: string) => Value | undefined): Parameter<Value> {
  const [first, ...more] = pairs.filter(({ name }) => name === wanted);
  if (pairs.some(({ name }) => name !== wanted && resembles(name, wanted))) return { kind: 'open', why: 'name' };
  if (first === undefined) return { kind: 'absent' };
  if (more.length > 0) return { kind: 'open', why: 'repeated' };
  const value = read(first.value);
  return value === undefined ? { kind: 'open', why: 'value' } : { kind: 'documented', value, isEncoded: first.isEncoded };
}

// --- The id

const PLAIN_INTEGER = /^(?:0|-?[1-9]\d*)$/;
const ANY_INTEGER = /^\s*\+?(-?)0*(\d+)(?:\.0+)?(?:[eE][+-]?0+)?\s*$/;

const isInt64 = (value: bigint): boolean => value >= INT64_MIN && value <= INT64_MAX;

function idOf(segment: string): IdFacts {
  const text = decoded(segment);
  const [, sign = '', digits] = (text === undefined ? undefined : ANY_INTEGER.exec(text)) ?? [];
  if (text === undefined || digits === undefined) return { kind: 'no integer' };
  const value = BigInt(`${sign}${digits}`);
  if (!isInt64(value)) return { kind: 'outside int64' };
  return { kind: PLAIN_INTEGER.test(text) ? 'int64' : 'spelled', value };
}

// --- The body

/** ASCII letters, so many that they are no word that a program reads as something else. */
const PLAIN_NAME = /^[A-Za-z]{12,20}$/;

const invalid = (clause: BodyClause): BodyFacts => ({ kind: 'invalid', clause });

/** A number as it is written. */
class NumberText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** JSON whose numbers are `NumberText`; undefined if the text is not JSON. */
function jsonOf(text: string): { readonly value: unknown } | undefined {
  const read = JSON.parse as (text: string, revive: (name: string, value: unknown, context: { source: string }) => unknown) => unknown;
  try {
    return { value: read(text, (_name, value, { source }) => (typeof value === 'number' ? new NumberText(source) : value)) };
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => isJsonObject(value) && !(value instanceof NumberText);

const JSON_TYPE = /^application\/json\s*(;.*)?$/i;

function bodyOf(sent: Sent, query: string): BodyFacts {
  const types = headersNamed(sent.headers, 'content-type');
  const [, parameters] = JSON_TYPE.exec(types[0] ?? '') ?? [undefined];
  const isJsonType = types.length === 1 && JSON_TYPE.test(types[0] ?? '');
  if (!isJsonType) return { kind: 'open', why: 'media type' };
  const text = textOf(sent.body);
  if (text === undefined) return { kind: 'open', why: 'encoding' };
  const json = jsonOf(text);
  if (json === undefined) return invalid('create.body-json');
  const { value } = json;
  if (!isObject(value)) return invalid('create.body-object');
  const object = newPetOf(value, text);
  if (object.kind === 'invalid' || object.kind === 'open') return object;
  if (parameters !== undefined) return { kind: 'open', why: 'charset', sent: object.sent };
  return hasFieldsElsewhere(sent.headers, query) ? { kind: 'open', why: 'fields elsewhere', sent: object.sent } : object;
}

/** Undefined if the bytes are not UTF-8, or begin with a byte order mark, which a parser may skip. */
function textOf(body: Uint8Array | undefined): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body ?? new Uint8Array());
    return text.startsWith('\ufeff') ? undefined : text;
  } catch {
    return undefined;
  }
}

const hasFieldsElsewhere = (headers: readonly Header[], query: string): boolean =>
  headers.some(([name]) => FIELD_HEADERS.test(name.toLowerCase())) || /(?:^|&)(?:name|categoryId|status|id)=/.test(query);

const FIELDS = ['name', 'categoryId', 'status'];
/** Members that a mapper may take for the id of the new animal. */
const IDS = ['id', 'ID', 'petId'];

const INTEGER = /^-?(?:0|[1-9]\d*)$/;

/** The integer that a JSON number has, however it is written; `fraction` if it has none. Digits beyond int64 are not counted. */
function integerIn(text: string): bigint | 'fraction' | 'beyond' {
  if (INTEGER.test(text)) return text.length > 40 ? 'beyond' : BigInt(text);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const power = Number(exponent) - fraction.length;
  if (digits === '') return 0n;
  if (power >= 0) return digits.length + power > 40 ? 'beyond' : BigInt(`${sign}${digits}${'0'.repeat(power)}`);
  const kept = digits.slice(0, Math.max(0, digits.length + power));
  const isWhole = /^0*$/.test(digits.slice(kept.length)) && digits.length + power > 0;
  if (!isWhole) return 'fraction';
  return kept.length > 40 ? 'beyond' : BigInt(`${sign}${kept}`);
}

/** The members in the order in which the document has them. */
function newPetOf(object: Readonly<Record<string, unknown>>, text: string): BodyFacts {
  const own = (member: string): unknown => (Object.hasOwn(object, member) ? object[member] : undefined);
  const [name, category, status] = FIELDS.map(own);
  if (name === undefined || name === null) return invalid('create.name-required');
  if (typeof name !== 'string') return invalid('create.name-type');
  const breaks = (clause: BodyClause): BodyFacts => ({ kind: 'invalid', clause, name });
  if (category === undefined || category === null) return breaks('create.category-required');
  const categoryId = category instanceof NumberText ? integerIn(category.text) : 'fraction';
  if (categoryId === 'fraction') return breaks('create.category-type');
  if (categoryId === 'beyond' || !isInt64(categoryId)) return breaks('create.category-range');
  if (duplicateMember(text) !== undefined) return { kind: 'open', why: 'repeated member' };
  const known = asStatus(status);
  if (status !== undefined && known === undefined) return breaks('create.status-invalid');
  const sent: SentPet = { name, categoryId, ...(known === undefined ? {} : { status: known }) };
  const open = (why: OpenBody): BodyFacts => ({ kind: 'open', why, sent });
  if (!name.isWellFormed()) return open('encoding');
  if (category instanceof NumberText && !INTEGER.test(category.text)) return open('integer spelled as a fraction');
  const others = Object.keys(object).filter((member) => !FIELDS.includes(member));
  if (others.length > 0) return open(others.some((member) => IDS.includes(member)) ? 'id' : 'other members');
  return PLAIN_NAME.test(name) ? { kind: 'plain', sent } : { kind: 'unusual', sent };
}
