// What is special about a request by itself: its parameters, credential, headers, and body.

import { PLAIN_LIMIT } from '../../clause/limits.ts';
import { FIELDS, type Field } from '../../schema/pet.ts';
import { type Exchange, type Operation, PET_STATUSES } from '../../wire/exchange.ts';
import { isJsonObject, type Json, readJson } from '../../wire/json.ts';
import { reversed } from '../../wire/key-spellings.ts';
import { LEAST_ERROR } from '../../wire/statuses.ts';
import { type Event, isRightButForKey, type World } from '../world.ts';
import { type Circumstance, type CircumstanceKind, circumstance, numbered, type Sayings } from './circumstance.ts';

export const METHODS: Readonly<Record<Operation, string>> = {
  listPets: 'GET /pets',
  createPet: 'POST /pets',
  getPet: 'GET /pets/{petId}',
};

/** Headers that each request has, or that have nothing to do with what is requested. */
const USUAL_HEADERS: readonly string[] = ['authorization', 'traceparent', 'content-length', 'content-type'];
/** Headers whose values can be shown: others may hold the API key. */
const TELLING_VALUES: readonly string[] = ['accept', 'accept-encoding', 'accept-language', 'cache-control', 'user-agent'];
export const LONGEST_VALUE = 60;

/** Only for what is sent: of that, nothing that is shown here holds the API key. */
const shorten = (text: string): string => (text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE - 1)}…`);

function headerSayings(name: string, value: string | undefined): Sayings {
  if (value === undefined) return { says: `without ${name}`, otherwise: `with the header ${name}` };
  if (!TELLING_VALUES.includes(name)) return { says: `with the header ${name}`, otherwise: `without ${name}` };
  const shown = `\`${name}: ${shorten(value)}\``;
  return { says: `with ${shown}`, otherwise: `without ${shown}` };
}

/** A circumstance that only what is unusual has: nobody names what is as usual. */
export function unusual(kind: CircumstanceKind, of: string, says: string | false | undefined): readonly Circumstance[] {
  return says === false || says === undefined ? [] : [{ ...circumstance(kind, of, says), rare: true }];
}

/** A circumstance that says among which cases a condition tells. */
function background(kind: CircumstanceKind, of: string, says: string, what: Circumstance['background'] = 'required'): Circumstance {
  return { ...circumstance(kind, of, says), background: what };
}

function formOfFields(headers: readonly (readonly [name: string, value: string])[]): string | undefined {
  const placeOf = (wanted: string): number => headers.findIndex(([name]) => name.toLowerCase() === wanted);
  if (headers.every(([name]) => name === name.toUpperCase())) return 'with header fields in capitals';
  if (headers.every(([, value]) => value !== value.trim())) return 'with white space around the values of header fields';
  const [first, last] = [placeOf('user-agent'), placeOf('authorization')];
  return first > last && last >= 0 ? 'with header fields in another order' : undefined;
}

function wordsOf(name: string, value: string): readonly Circumstance[] {
  if (!TELLING_VALUES.includes(name)) return [];
  const words = name === 'user-agent' ? value.split(/[ /;()]+/) : value.split(/[\s,;]+/);
  const telling = [...new Set(words)].filter((word) => /[a-z*]/i.test(word) && !word.startsWith('q='));
  return telling.map((word) => {
    const says = `\`${shorten(word)}\` in ${name}`;
    return circumstance('headers', `header ${name}: ${word}`, { says: `with ${says}`, otherwise: `without ${says}` });
  });
}

const USUAL_NAME = 'authorization';

export function headerCircumstances({ request }: Exchange): readonly Circumstance[] {
  const sent = new Map(TELLING_VALUES.map((name): [string, string | undefined] => [name, undefined]));
  for (const [name, value] of request.headers) if (!USUAL_HEADERS.includes(name.toLowerCase())) sent.set(name.toLowerCase(), value);
  return [
    ...[...sent].map(([name, value]) => circumstance('headers', `header ${name}`, headerSayings(name, value?.trim()))),
    ...[...sent].flatMap(([name, value = '']) => wordsOf(name, value)),
    ...unusual('headers', 'form of header fields', formOfFields(request.headers)),
    ...request.headers
      .filter(([name]) => name !== USUAL_NAME && name.toLowerCase() === USUAL_NAME)
      .flatMap(([name]) => [
        circumstance('headers', 'capitals in authorization', 'with capitals in the name of the Authorization header'),
        circumstance('headers', 'name of authorization', `with the header named \`${name}\``),
      ]),
  ];
}

const REPEATED = 'repeated';

function limitOf(limit: Event['intent']['limit'] | typeof REPEATED): Sayings {
  if (limit === REPEATED) return { says: 'with several limits' };
  if (typeof limit !== 'number') return { says: limit === 'absent' ? 'without a limit' : 'with an invalid limit' };
  return numbered(limit, (range) => `with a limit of ${range}`, {
    says: `with limit=${limit}`,
    least: (least) => (least === 100 ? 'with limit=100' : `with a limit of ${least} or more`),
    most: (most) => (most === 1 ? 'with limit=1' : `with a limit of ${most} or less`),
    multiple: (of) => `with a limit that ${of} divides`,
    noMultiple: (of) => `with a limit that ${of} does not divide`,
  });
}

const INT32 = 2n ** 31n;
const INT64 = 2n ** 63n;

function formOfLimit(text: string): string {
  if (text === '') return 'with an empty limit';
  if (/^-?\d+\.\d+$/.test(text)) return 'with a limit that has a decimal point';
  if (!/^-?\d+$/.test(text)) return 'with a limit that is not a number';
  const value = BigInt(text);
  const isWithin = (bound: bigint): boolean => value >= -bound && value < bound;
  if (!isWithin(INT64)) return 'with a limit beyond 64 bits';
  if (!isWithin(INT32)) return 'with a limit beyond 32 bits';
  return value < 1n ? 'with a limit below 1' : 'with a limit above 100';
}

function rawParameters({ request }: Exchange): readonly Circumstance[] {
  return request.query
    .split('&')
    .filter((one) => /^(?:limit|status)(?:=|$)/.test(one))
    .flatMap((one) => {
      const [name = '', value = ''] = one.split('=', 2);
      const raw = circumstance('parameters', `raw ${name}`, `with \`${shorten(one)}\``);
      return name === 'limit' ? [raw, circumstance('parameters', 'form of limit', formOfLimit(value))] : [raw];
    });
}

export const FORM_OF_PATH = 'form of path: ';

/** Forms of a path that routers and rules of access read in different ways. */
const FORMS_OF_PATH: readonly (readonly [says: string, pattern: RegExp])[] = [
  ['with a slash at the end of the path', /^[^;]+\/$/],
  ['with a doubled slash in the path', /\/\//],
  ['with a dot segment in the path', /\/\.{1,2}(?:\/|$)/],
  ['with percent-encoding in the path', /%/],
  ['with percent-encoding in the path that is decoded once', /%(?!25)/],
  ['with a percent-encoded letter in the path', /%(?:[46][1-9a-f]|[57][0-9a])/i],
  ['with a capital in the path', /^\/[^/]*[A-Z]/],
  ['with a semicolon in the path', /;/],
  ['with a suffix at the end of the path', /\.[a-z]+$/],
  ['with an empty query', /\?$/],
];

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

const NOT_DECODABLE = 'with percent-encoding in the path that is malformed or not UTF-8';

/** Stands for all forms of a path: of several that a path may have, the last one that matches is its form. */
export const ANY_FORM_OF_PATH = `${FORM_OF_PATH}any`;

function almostStatus(text: string): string | undefined {
  if (PET_STATUSES.some((status) => status === text)) return undefined;
  const isOne = (near: string): boolean => PET_STATUSES.some((status) => status === near);
  if (isOne(text.toLowerCase())) return 'with a status in other letter case';
  return isOne(text.trim()) ? 'with white space around the status' : undefined;
}

function givenParameters({ request }: Exchange): readonly Circumstance[] {
  const given = [...new URLSearchParams(request.query)].filter(([name]) => name === 'limit' || name === 'status');
  return given.flatMap(([name, value]) => [
    circumstance('parameters', `${name}: ${value}`, `with ${shorten(`${name}=${value}`)}`),
    ...(name === 'status' ? unusual('parameters', 'almost a status', almostStatus(value)) : []),
  ]);
}

export function targetCircumstances({ intent, exchange: { request } }: Event): readonly Circumstance[] {
  const isOther = intent.undocumented === true;
  const form = FORMS_OF_PATH.findLast(([, pattern]) => pattern.test(request.path));
  return [
    background('parameters', 'path', isOther ? 'at a path that the document does not have' : 'at a path of the document'),
    ...FORMS_OF_PATH.flatMap(([says, pattern]) => unusual('parameters', `${FORM_OF_PATH}${says}`, pattern.test(request.path) && says)),
    ...unusual('parameters', `${FORM_OF_PATH}${NOT_DECODABLE}`, !isDecodable(request.path) && NOT_DECODABLE),
    ...unusual('parameters', ANY_FORM_OF_PATH, isDecodable(request.path) ? form?.[0] : NOT_DECODABLE),
    circumstance('parameters', 'query', request.query === '' ? 'without parameters' : 'with parameters'),
  ];
}

export function segmentCircumstances({ request }: Exchange): readonly Circumstance[] {
  const segment = request.path.slice(request.path.lastIndexOf('/') + 1);
  const isInteger = /^-?\d+$/.test(segment);
  const form = !isInteger ? 'not an integer' : /^-?0\d/.test(segment) ? 'written with leading zeros' : 'beyond int64';
  return [
    circumstance('parameters', 'segment', `for petId \`${shorten(segment)}\``),
    circumstance('parameters', 'form of petId', `with a petId that is ${form}`),
  ];
}

/** What a parameter is in a query that the document does not settle as a whole. An invalid value is open. */
function given<Value>(query: URLSearchParams, name: string, read: (text: string) => Value | undefined) {
  const [first, ...others] = query.getAll(name);
  if (first === undefined) return 'absent';
  return others.length > 0 ? REPEATED : (read(first) ?? 'open');
}

export const WITHOUT_STATUS = 'without a status';
const NO_ONE_STATUS: Readonly<Record<string, string>> = {
  absent: WITHOUT_STATUS,
  open: 'with an invalid status',
  [REPEATED]: 'with several statuses',
};

export function listCircumstances({ intent, exchange }: Event): readonly Circumstance[] {
  const query = new URLSearchParams(exchange.request.query);
  const limit =
    intent.limit === 'open' ? given(query, 'limit', (text) => (PLAIN_LIMIT.test(text) ? Number(text) : undefined)) : intent.limit;
  const status = intent.status === 'open' ? given(query, 'status', (text) => PET_STATUSES.find((one) => one === text)) : intent.status;
  const names = [...query.keys()];
  const others = names.filter((name) => name !== 'limit' && name !== 'status');
  const own = names.filter((name) => !others.includes(name));
  return [
    circumstance('parameters', 'limit', limitOf(limit)),
    ...(intent.limit === 'open' || intent.status === 'open' ? rawParameters(exchange) : []),
    circumstance('parameters', 'limit given', limit === 'absent' ? 'without a limit' : 'with a limit'),
    ...(typeof limit === 'number'
      ? [circumstance('parameters', 'parity of limit', `with an ${limit % 2 === 0 ? 'even' : 'odd'} limit`)]
      : []),
    circumstance('parameters', 'status', NO_ONE_STATUS[status] ?? `with status=${status}`),
    circumstance('parameters', 'status given', status === 'absent' ? 'without a status' : 'with a status'),
    ...unusual('parameters', 'both given', limit !== 'absent' && status !== 'absent' && 'with both a limit and a status'),
    circumstance('parameters', 'order', own.length < 2 ? 'with one parameter or none' : `with ${own.join(' before ')} in the query`),
    ...unusual('parameters', 'encoding', exchange.request.query.includes('%') && 'with percent-encoding in the query'),
    ...givenParameters(exchange),
    ...(others.length === 0 ? [] : [circumstance('parameters', 'others', `with ${others.join(' and ')} in the query`)]),
  ];
}

const LETTERS_AND_SPACE = /^[A-Za-z ]*$/;

function nameKind(name: string): string {
  if (LETTERS_AND_SPACE.test(name)) return 'with a name of ASCII letters';
  if (/^[\x20-\x7e]*$/.test(name)) return 'with a name that has signs or digits';
  if (/\p{Extended_Pictographic}/u.test(name)) return 'with an emoji in the name';
  if (/[\p{Cc}\p{Cf}]/u.test(name)) return 'with a control or format character in the name';
  return 'with letters beyond ASCII in the name';
}

const SIGN = /[!-/:-@[-_{-~]/;

const CHARACTERS: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a digit', /\d/],
  ['a line end', /[\r\n]/],
  ['a tab', /\t/],
  ['U+0000', /\0/],
  ['a control character', /\p{Cc}/u],
  ['an invisible character', /\p{Cf}/u],
  ['a combining mark', /\p{M}/u],
  ['a letter beyond ASCII', /[^\0-\x7f]/],
  ['an accented letter', /[\u00c0-\u024f]/],
  ['a character beyond the BMP', /[\u{10000}-\u{10ffff}]/u],
];

export function nameCircumstances(name: string): readonly Circumstance[] {
  const length = [...name].length;
  const last = name.at(-1) ?? '';
  return [
    circumstance(
      'body',
      'length of name',
      numbered(length, (range) => `with a name of ${range} characters`, {
        least: (least) => `with a name of ${least} characters or more`,
        most: (most) => `with a name of ${most} characters or less`,
      }),
    ),
    circumstance(
      'body',
      'bytes of name',
      numbered(Buffer.byteLength(name), (range) => `with a name of ${range} bytes in UTF-8`, {
        least: (least) => `with a name of ${least} bytes or more in UTF-8`,
        most: (most) => `with a name of ${most} bytes or less in UTF-8`,
      }),
    ),
    circumstance('body', 'kind of name', nameKind(name)),
    circumstance(
      'body',
      'end of name',
      /[aeiou]/i.test(last) ? 'with a name that ends in a vowel' : 'with a name that does not end in a vowel',
    ),
    ...unusual('body', 'spaces of name', name !== name.trim() && 'with a space around the name'),
    ...unusual('body', 'spaces before name', name !== name.trimStart() && 'with white space at the start of the name'),
    ...unusual('body', 'spaces after name', name !== name.trimEnd() && 'with white space at the end of the name'),
    circumstance('body', 'capitals of name', /[A-Z]/.test(name) ? 'with a capital in the name' : 'with no capital in the name'),
    ...[...new Set(name.toLowerCase())]
      .filter((letter) => /[a-z]/.test(letter))
      .map((letter) => circumstance('body', `letter ${letter}`, `with the letter ${letter} in the name`)),
    ...[...new Set(name)]
      .filter((sign) => SIGN.test(sign))
      .map((sign) => circumstance('body', `sign ${sign}`, `with \`${sign}\` in the name`)),
    ...CHARACTERS.flatMap(([what, pattern]) => unusual('body', what, pattern.test(name) && `with ${what} in the name`)),
    ...unusual('body', 'first sign', SIGN.test(name.charAt(0)) && 'with a sign at the start of the name'),
    ...unusual('body', 'last sign', SIGN.test(last) && 'with a sign at the end of the name'),
  ];
}

export function categoryCircumstances(categoryId: bigint): readonly Circumstance[] {
  return [
    circumstance(
      'body',
      'categoryId',
      numbered(Number(categoryId), (range) => `with a categoryId of ${range}`, { says: `with categoryId ${categoryId}` }),
    ),
    circumstance('body', 'parity of categoryId', `with an ${categoryId % 2n === 0n ? 'even' : 'odd'} categoryId`),
  ];
}

export function statusCircumstances(status: string | undefined): readonly Circumstance[] {
  return [
    circumstance('body', 'status', status === undefined ? 'without a status' : `with status "${status}"`),
    circumstance('body', 'status given', status === undefined ? 'without a status' : 'with a status'),
  ];
}

function formOf(value: Json | undefined, token: string | undefined): string {
  if (value === undefined) return 'without';
  if (value === null) return 'with null as';
  if (Array.isArray(value)) return 'with an array as';
  if (typeof value === 'object') return 'with an object as';
  if (typeof value === 'boolean') return 'with a boolean as';
  if (typeof value === 'string') return value === '' ? 'with an empty string as' : 'with a string as';
  if (token !== undefined && /e/i.test(token)) return 'with a number in exponent notation as';
  if (token?.includes('.') === true) return 'with a fraction as';
  return 'with an integer as';
}

const TYPES = { name: 'string', categoryId: 'number', status: 'string' } as const;

function fieldCircumstancesOf(field: Field, own: Json | undefined, text: string): readonly Circumstance[] {
  const token = new RegExp(`"${field}"\\s*:\\s*([-+.\\deE]+)`).exec(text)?.[1];
  const type = TYPES[field];
  const isOfType = type === 'number' ? typeof own === 'number' || typeof own === 'bigint' : typeof own === type;
  return [
    circumstance('body', `form of ${field}`, `${formOf(own, token)} ${own === undefined ? `a ${field}` : field}`),
    circumstance(
      'body',
      `type of ${field}`,
      own === undefined ? `without a ${field}` : isOfType ? `with a ${type} as ${field}` : `with a ${field} that is not a ${type}`,
    ),
    ...(field === 'status' && typeof own === 'string' ? unusual('body', 'almost a status', almostStatus(own)) : []),
    // What some languages take for missing, as they do null and an empty string.
    ...unusual('body', `false ${field}`, [false, 0, 0n].some((one) => one === own) && `with false or 0 as ${field}`),
  ];
}

function orderOfMembers(members: readonly string[]): readonly Circumstance[] {
  return FIELDS.flatMap((one, index) =>
    FIELDS.slice(index + 1).flatMap((other): Circumstance[] => {
      const [first, second] = [members.indexOf(one), members.indexOf(other)];
      if (first === -1 || second === -1) return [];
      return [
        circumstance('body', `${one} before ${other}`, `with ${first < second ? `${one} before ${other}` : `${other} before ${one}`}`),
      ];
    }),
  );
}

function fieldCircumstances(text: string, value: Json): readonly Circumstance[] {
  if (!isJsonObject(value))
    return [
      circumstance('body', 'object', 'with JSON that is not an object'),
      circumstance('body', 'form of the body', `${formOf(value, undefined)} the body`),
    ];
  const members = Object.keys(value);
  const others = members.filter((name) => !FIELDS.some((field) => field === name));
  return [
    ...FIELDS.flatMap((field) => fieldCircumstancesOf(field, Object.hasOwn(value, field) ? value[field] : undefined, text)),
    ...(members.length < 2
      ? []
      : [circumstance('body', 'first member', `with ${JSON.stringify(members[0])} as the first member of the body`)]),
    ...orderOfMembers(members),
    ...unusual('body', 'object in the body', Object.values(value).some(isJsonObject) && 'with an object as the value of a member'),
    ...unusual('body', 'array in the body', Object.values(value).some(Array.isArray) && 'with an array as the value of a member'),
    ...unusual('body', 'unknown members', others.length > 0 && 'with a member that the document does not have'),
    ...otherMembers(others.map((one) => JSON.stringify(one)).join(' and ')),
  ];
}

function otherMembers(names: string): readonly Circumstance[] {
  if (names === '') return [];
  return [
    {
      ...circumstance('body', 'other members', { says: `with the member ${names}`, otherwise: `without the member ${names}` }),
      rare: true,
    },
  ];
}

function textCircumstances(text: string): readonly Circumstance[] {
  const reading = readJson(text);
  const length = Buffer.byteLength(text);
  return [
    ...(reading.ok ? fieldCircumstances(text, reading.value) : []),
    // Nested too deep to be read.
    ...unusual('body', 'form of the body', !reading.ok && /^\[+\]+$/.test(text) && 'with an array as the body'),
    ...unusual('body', 'JSON', text.trim() === '' ? 'with an empty body' : !reading.ok && 'with a body that is not JSON'),
    ...unusual('body', 'line ends', text.includes('\n') && 'with line ends in the JSON'),
    ...unusual('body', 'white space', /^\s|[\n\t]/.test(text) && 'with white space in the JSON'),
    ...unusual('body', 'escapes', text.includes('\\u') && 'with \\u escapes in the JSON'),
    circumstance(
      'body',
      'length of the body',
      numbered(length, (range) => `with a body of ${range} bytes`, {
        least: (least) => `with a body of ${least} bytes or more`,
        most: (most) => `with a body of ${most} bytes or less`,
      }),
    ),
  ];
}

const REASONS: Readonly<Record<string, string>> = {
  'create.body-json': 'with a body that is not JSON',
  'create.body-object': 'with a body that is not an object',
  'create.name-required': 'without a name',
  'create.name-type': 'with a name of another type',
  'create.category-required': 'without a categoryId',
  'create.category-type': 'with a categoryId of another type',
  'create.category-range': 'with a categoryId beyond 64 bits',
  'create.status-invalid': 'with an invalid status',
};

/** What completes "a body …"; other notes name what was sent. */
const COMPLEMENT = /^(?:with|without|whose|that|in|of|wrapped) /;

export function bodyCircumstances({ intent, exchange }: Event): readonly Circumstance[] {
  const { sent, bodyNote, body, bodyClause = '' } = intent;
  const { body: text, divided = false, chunked = false } = exchange.request;
  return [
    bodyNote === undefined
      ? background('body', 'note', `with a body that is ${body}`)
      : circumstance('body', 'note', COMPLEMENT.test(bodyNote) ? `with a body ${bodyNote}` : `with ${bodyNote}`),
    ...unusual('body', 'reason', body === 'invalid' && REASONS[bodyClause]),
    ...(sent === undefined || body === 'invalid'
      ? []
      : [...statusCircumstances(sent.status), ...nameCircumstances(sent.name), ...categoryCircumstances(sent.categoryId)]),
    ...(text === undefined ? [circumstance('body', 'JSON', 'with an empty body')] : []),
    ...(text === undefined ? [] : textCircumstances(typeof text === 'string' ? text : Buffer.from(text).toString())),
    ...unusual('body', 'framing', divided ? 'with a body in two pieces' : chunked && 'with a chunked body'),
  ];
}

export function idCircumstances(id: bigint, animal?: string): readonly Circumstance[] {
  return [
    circumstance(
      'parameters',
      'id',
      numbered(Number(id), (range) => `for ids ${range}`, {
        says: animal === undefined ? `for id ${id}` : `for id ${id} (${animal})`,
        least: (least) => `for ids from ${least} on`,
        most: (most) => `for ids up to ${most}`,
        multiple: (of) => `for ids that ${of} divides`,
      }),
    ),
    ...unusual('parameters', 'sign of id', id < 0n && 'for negative ids'),
    circumstance('parameters', 'parity of id', `for ${id % 2n === 0n ? 'even' : 'odd'} ids`),
  ];
}

const LEAST_LONG = 2;

function authorizationOf({ exchange }: Event): { readonly scheme: string; readonly token: string } | undefined {
  const value = exchange.request.headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1];
  if (value === undefined) return undefined;
  const [, scheme = '', token = ''] = /^(\S*)\s*(.*)$/s.exec(value.trim()) ?? [];
  return { scheme, token };
}

const keys = new WeakMap<World, string>();

/** The API key, as the requests of the run send it; empty where none does. It is compared, and never said. */
function keyIn(world: World): string {
  const known = keys.get(world);
  if (known !== undefined) return known;
  const sent = world.events.find(({ intent }) => intent.credential === 'valid');
  const key = (sent === undefined ? undefined : authorizationOf(sent))?.token ?? '';
  keys.set(world, key);
  return key;
}

function sharedBeginning(one: string, other: string): number {
  const end = [...one].findIndex((character, index) => character !== other[index]);
  return end === -1 ? Math.min(one.length, other.length) : end;
}

const lettersAndDigits = (text: string): string => text.replace(/[^a-z0-9]/gi, '');

function likeness(token: string, key: string): readonly Circumstance[] {
  // With the key itself, the scheme is what differs.
  if (token.length < LEAST_LONG || key === '' || token === key) return [];
  const shared = (of: string, begins: string, count: number): Circumstance =>
    circumstance(
      'parameters',
      of,
      numbered(count, (range) => `with a token that ${begins} ${range} characters of the API key`, {
        ...(count >= key.length ? { says: `with a token that ${begins} the API key` } : {}),
        least: (least) =>
          least >= key.length
            ? `with a token that ${begins} the API key`
            : `with a token that ${begins} ${least} or more characters of the API key`,
      }),
    );
  return [
    shared('beginning of token', 'begins with', sharedBeginning(token, key)),
    shared('end of token', 'ends with', sharedBeginning(reversed(token), reversed(key))),
    ...unusual('parameters', 'key in token', token.includes(key) && 'with a token that contains the API key'),
    ...unusual('parameters', 'token in key', key.includes(token) && 'with a part of the API key as the token'),
    ...unusual('parameters', 'case of token', token.toLowerCase() === key.toLowerCase() && 'with the API key in other letter case'),
    ...unusual('parameters', 'length as the key', token.length === key.length && 'with a token as long as the API key'),
    ...unusual(
      'parameters',
      'letters of the key',
      lettersAndDigits(token) === lettersAndDigits(key) && 'with the letters and digits of the API key as the token, and other signs',
    ),
  ];
}

export function credentialCircumstances(event: Event, world: World): readonly Circumstance[] {
  const { credential, credentialNote } = event.intent;
  const sent = authorizationOf(event);
  const { scheme = '', token = '' } = sent ?? {};
  const isBearer = scheme.toLowerCase() === 'bearer';
  // A client that a service may reject sends the key as the document has it, too.
  const hasKey = credential === 'valid' || (scheme === 'Bearer' && token !== '' && token === keyIn(world));
  return [
    (hasKey ? background : circumstance)('parameters', 'credential', `with ${credentialNote}`),
    ...(hasKey
      ? []
      : [
          circumstance(
            'parameters',
            'authorization',
            sent === undefined ? 'without an Authorization header' : 'with an Authorization header',
          ),
          circumstance(
            'parameters',
            'scheme',
            sent === undefined
              ? 'without an Authorization header'
              : !isBearer
                ? 'with another scheme than Bearer'
                : token === ''
                  ? 'with Bearer and no token'
                  : 'with a wrong token',
          ),
          ...(isBearer ? likeness(token, keyIn(world)) : []),
          ...(token.length < LEAST_LONG
            ? []
            : [
                circumstance(
                  'parameters',
                  'length of token',
                  numbered(token.length, (range) => `with a token of ${range} characters`, {
                    least: (least) => `with a token of ${least} characters or more`,
                    most: (most) => `with a token of ${most} characters or less`,
                  }),
                ),
              ]),
        ]),
  ];
}

/** The status that the document requires; undefined where it leaves that open. */
function dueStatus(event: Event, world: World): number | undefined {
  const { credential, operation, body, petId, undocumented = false } = event.intent;
  if (undocumented || credential === 'open') return undefined;
  if (credential === 'refused') return 401;
  if (body === 'invalid') return 400;
  if (isRightButForKey(event, world)) return operation === 'createPet' ? 201 : 200;
  return operation === 'getPet' && petId !== undefined ? 404 : undefined;
}

export const OPEN_STATUS = 'where the document leaves the status open';
export const ERROR = 'where the document requires an error';

export function dueCircumstances(event: Event, world: World): readonly Circumstance[] {
  const due = dueStatus(event, world);
  const { status } = event;
  const { operation, credential } = event.intent;
  // What is due, or what a creation that may be rejected comes to: another status may be what is wrong.
  const isDue = status !== undefined && (due ?? (operation === 'createPet' && credential === 'valid' ? status : 0)) === status;
  const says = due === undefined ? OPEN_STATUS : `where the document requires ${due}`;
  return [
    background('parameters', 'due', says),
    ...(isDue ? [background('parameters', 'response', `in ${status} responses`, 'received')] : []),
    ...(status === undefined
      ? []
      : [
          background('parameters', 'status received', `in ${status} responses`, 'status'),
          background('parameters', 'error received', status >= LEAST_ERROR ? 'in error responses' : 'in responses of success', 'status'),
        ]),
    background('parameters', 'rejection', due !== undefined && due >= LEAST_ERROR ? ERROR : 'where the document requires no error'),
  ];
}
