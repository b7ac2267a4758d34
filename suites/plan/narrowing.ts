// What halving asks of the tables, and how it words what it finds.

import { isUtf8 } from 'node:buffer';
import { type Company, type ConditionWording, type Range, type TableKnowledge, valueIn, withValue } from '../../src/plan/halve.ts';
import type { Group } from '../../src/plan/row.ts';
import type { Predicate, Test } from '../../src/plan/tell.ts';
import { isPack, NAME_PREFIX, plainNameOf, valueNamed } from '../../src/session/compose.ts';
import type { ComposeContext, Header, Sent, ValueName, Vector } from '../../src/session/vector.ts';
import { PET_STATUSES } from '../../src/wire/exchange.ts';
import { cleanText } from '../../src/wire/redact.ts';
import { compose, TABLES } from '../tables/tables.ts';
import { times } from './kit.ts';

/** What a row becomes bytes in when only its difference from another is looked at. */
const SAMPLE: ComposeContext = {
  apiKey: 'API-KEY',
  seed: 1,
  rowNumber: 1,
  runTag: 'share',
  categoryId: 1n,
  knownIds: [1n, 2n, 3n],
  cookies: [],
};

/** Other values than usual, one at a time, by what they show. None of them matters to a conforming service. */
const OTHERS: Readonly<Record<Vector['op'], readonly (readonly [what: string, dimension: string, value: ValueName])[]>> = {
  list: [
    ['limit', 'limit', 100],
    ['limit', 'limit', 20],
    ...PET_STATUSES.map((status) => ['status', 'status', status] as const),
    ['Accept', 'client', 'any media type'],
    ['Accept', 'client', 'no Accept'],
    ['Accept-Encoding', 'client', 'gzip, deflate, or br'],
    ['connection', 'connection', 'fresh'],
  ],
  get: [
    ['Accept', 'client', 'any media type'],
    ['Accept', 'client', 'no Accept'],
    ['Accept-Encoding', 'client', 'gzip, deflate, or br'],
    ['connection', 'connection', 'fresh'],
  ],
  create: [
    ['status', 'status', 'available'],
    ['status', 'status', 'sold'],
    ['Accept', 'client', 'any media type'],
    ['Accept-Encoding', 'client', 'gzip, deflate, or br'],
    ['order', 'order', 'reversed'],
    ['space', 'space', 'line feeds'],
    ['connection', 'connection', 'fresh'],
  ],
};

const before = (...rows: readonly Vector[]): Group => ({ how: 'in turn', rows });
const PAUSE = 300;
const SECOND = 'in request 2 of its connection';
const SHORT_PAUSE = 60;
const SOON = `within ${SHORT_PAUSE} ms of another request`;

/** What may come before a row, or go on at the same time. */
const COMPANY: readonly (readonly [group: Group, ...is: readonly string[]])[] = [
  [
    before({ op: 'list', limit: 5 }),
    'right after GET /pets without a status',
    'right after GET /pets',
    'right after a response without an error',
    SOON,
    SECOND,
  ],
  [
    before({ op: 'list', status: 'sold' }),
    'right after GET /pets with a status',
    'right after GET /pets',
    'right after a response without an error',
    SOON,
    SECOND,
  ],
  [
    before({ op: 'get', id: 2 }),
    'right after GET /pets/{petId} returned 200',
    'right after GET /pets/{petId}',
    'right after a response without an error',
    SOON,
    SECOND,
  ],
  [
    before({ op: 'get', id: '63 bits' }),
    'right after a 404 response',
    'right after an error response',
    'right after GET /pets/{petId}',
    SOON,
    SECOND,
  ],
  [
    before({ op: 'list', credential: 'none' }),
    'right after a 401 response',
    'right after an error response',
    'right after GET /pets',
    SOON,
    SECOND,
  ],
  [before({ op: 'create', name: 'missing' }), 'right after a 400 response', 'right after an error response', SOON, SECOND],
  [before(), 'in request 1 of its connection'],
  [{ ...before({ op: 'list', limit: 5 }), pause: SHORT_PAUSE }, SECOND],
  [{ how: 'together', rows: times(8, (index): Vector => ({ op: 'list', limit: 100 - index })) }, 'while other requests are under way'],
];

const idleText = (pause: number): string => `after ${pause} ms without any request`;

/** Nothing for a while, and for as long as before a row that failed: what fails after some time fails after a longer one, too. */
function pausesBefore(idle: number): typeof COMPANY {
  const long = Math.ceil(idle / 10) * 10;
  const pauses = long > PAUSE ? [long, PAUSE] : [PAUSE];
  return pauses.map((pause, index) => [{ how: 'in turn', rows: [], pause }, ...pauses.slice(index).map(idleText)]);
}

/** A name with this text behind the plain one. */
const behind = (text: string): string => `=>${JSON.stringify(text)}`;
const textBehind = (name: string): string | undefined => (name.startsWith('=>') ? String(JSON.parse(name.slice(2))) : undefined);

/** What a name has before and behind the plain one, as names with one character each; the name itself if it is of another kind. */
function charactersOf(name: string): readonly string[] {
  const text = valueNamed(TABLES.create.name, name).make({ ...SAMPLE, plainName: 'Sample', random: () => 0 });
  const whole: unknown = text === undefined ? undefined : JSON.parse(text);
  const plain =
    typeof whole === 'string' ? ['Sample', plainNameOf({ ...SAMPLE, rowNumber: 0 })].find((one) => whole.includes(one)) : undefined;
  const [front, ...rest] = typeof whole === 'string' && plain !== undefined ? whole.split(plain) : [];
  const characters = [...`${front ?? ''}${rest.join('Sample')}`];
  return rest.length === 0 || /^x*$/.test(characters.join('')) ? [name] : characters.map(behind);
}

/** Kinds of characters, each with two that differ in all else. */
const CHARACTERS: readonly { readonly pattern: RegExp; readonly alike: readonly string[]; readonly is: string }[] = [
  { pattern: /[\u{10000}-\u{10ffff}]/u, alike: ['😀', '\u{1d518}'], is: 'a character beyond U+FFFF' },
  { pattern: /\p{Cc}/u, alike: ['\u0001', '\u007f'], is: 'a control character' },
  { pattern: /[^\0-\x7f]/u, alike: ['é', '表'], is: 'a character beyond ASCII' },
];

/** The kind of the character that a name has behind the plain one. */
function characterOf(named: ValueName): (typeof CHARACTERS)[number] | undefined {
  const text = isPack(named) ? undefined : textBehind(String(named));
  return text === undefined || [...text].length > 1 ? undefined : CHARACTERS.find(({ pattern }) => pattern.test(text));
}

/** How many headers a client changes. */
function headersOf(name: string): number {
  const { headers = [], without = [] } = valueNamed(TABLES.create.client, name).make({ ...SAMPLE, plainName: 'Sample', random: () => 0 });
  return headers.length + without.length;
}

const SHORTEST = 20;

/** The headers that differ from those of a usual row. */
function unusualHeaders(vector: Vector): readonly Header[] {
  const client = valueIn(vector, 'client');
  if (client === undefined) return [];
  const { sent, usual } = bytesOf(vector, 'client', client);
  const gone = usual.headers.filter(([name]) => !sent.headers.some((one) => one[0] === name));
  return [
    ...sent.headers.filter(([name, value]) => !usual.headers.some((one) => one[0] === name && one[1] === value)),
    ...gone.map(([name]): Header => [name, '']),
  ];
}

/** Clients that change one header, by its name: where all of them fail, it is not the value. */
const ALIKE: Readonly<Record<string, readonly string[]>> = {
  'accept-encoding': ['gzip', 'identity', 'codings with weights'],
  accept: ['any media type', 'no Accept', 'JSON with a weight'],
  'user-agent': ['curl', 'python', 'no User-Agent'],
  'accept-language': ['German', 'Arabic', 'any language, not tracked'],
};

const knowledgeOf = (known: TableKnowledge['known'], idle = 0): TableKnowledge => ({
  known,
  fillers: ['client', 'fields', 'connection', 'query', 'order', 'escapes', 'space', 'type', 'framing'],
  headersOf: unusualHeaders,
  others: (vector) =>
    OTHERS[vector.op].flatMap(([what, dimension, value]) =>
      valueIn(vector, dimension) === undefined ? [[what, withValue(vector, dimension, value)] as const] : [],
    ),
  company: (vector) => [
    ...[...COMPANY, ...pausesBefore(idle)].map(
      ([group, ...is]): Company => ({ is, group: { ...group, rows: [...group.rows, vector], isForLast: true } }),
    ),
    { is: ['right after a request to the same URL', SOON, SECOND], group: { how: 'in turn', rows: [vector, vector], isForLast: true } },
  ],
  usualHeader: (wanted) => compose({ op: 'list' }, SAMPLE).headers.find(([name]) => name === wanted)?.[1] ?? '',
  patternOf: (dimension, named) => (dimension === 'name' ? characterOf(named)?.pattern : undefined),
  siblings(dimension, named, vector) {
    if (dimension === 'name') return (characterOf(named)?.alike ?? []).map(behind).filter((name) => name !== named);
    if (dimension === 'status')
      return PET_STATUSES.some((status) => status === named) ? PET_STATUSES.filter((status) => status !== named) : [];
    const [header, ...more] = dimension === 'client' ? unusualHeaders(vector) : [];
    return header === undefined || more.length > 0 ? [] : (ALIKE[header[0]] ?? []).filter((name) => name !== named);
  },
  parts(dimension, named) {
    if (isPack(named)) return named;
    // A drawn value is no sum of others.
    if (typeof named === 'number') return [];
    if (dimension === 'name') return charactersOf(named);
    if (dimension !== 'client' || named.startsWith('=')) return [named];
    const count = headersOf(named);
    return count < 2 ? [named] : Array.from({ length: count }, (_unused, index) => `=${index} of ${named}`);
  },
  joinParts(dimension, parts) {
    const texts = dimension === 'name' ? parts.map(textBehind) : [undefined];
    const [only = '', ...more] = parts;
    if (texts.every((text) => text !== undefined)) return behind(texts.join(''));
    return more.length === 0 ? only : parts;
  },
  numberIn: (dimension, named) => (dimension === 'limit' && typeof named === 'number' ? named : undefined),
  numbered: (dimension, number) => (dimension === 'limit' ? number : dimension === 'name' ? `=letters ${number}` : undefined),
  bounds: (dimension) => (dimension === 'limit' ? [1, 100] : [SHORTEST, SHORTEST]),
});

const nameOf = (named: ValueName): string => (isPack(named) ? named.join(' and ') : String(named));
const code = (text: string): string => `\`${text}\``;

/** What the value does to the bytes. */
function bytesOf(vector: Vector, dimension: string, named: ValueName): { readonly sent: Sent; readonly usual: Sent } {
  const rest = Object.fromEntries(Object.entries(vector).filter(([one]) => one !== dimension)) as Vector;
  return { sent: compose(withValue(rest, dimension, named), SAMPLE), usual: compose(rest, SAMPLE) };
}

const capitalized = (name: string): string => name.replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase());

const SHORT = 80;
const shortened = (text: string): string => (text.length <= SHORT ? text : `${text.slice(0, SHORT)}…`);

function clientText(vector: Vector, named: ValueName): string {
  const { sent, usual } = bytesOf(vector, 'client', named);
  const has = (all: readonly Header[], [name, value]: Header): boolean => all.some((one) => one[0] === name && one[1] === value);
  const added = sent.headers.filter((header) => !has(usual.headers, header));
  const gone = usual.headers.filter(([name]) => !sent.headers.some((one) => one[0] === name));
  return [
    ...(added.length === 0
      ? []
      : [`with ${added.map(([name, value]) => code(`${capitalized(name)}: ${shortened(value)}`)).join(' and ')}`]),
    ...gone.map(([name]) => `without ${code(capitalized(name))}`),
  ].join(' and ');
}

const GENERATED_NAME = new RegExp(`Sample|${NAME_PREFIX}[A-Za-z]+`, 'g');

/** A JSON text without generated names; undefined if it is too long to be read in a sentence. */
function jsonText(text: string): string | undefined {
  const json = cleanText(text.replace(GENERATED_NAME, '…'));
  return json.length > SHORT ? undefined : json;
}

function nameText(named: ValueName): string {
  const kind = nameOf(named);
  const tail = isPack(named) ? undefined : textBehind(kind);
  if (tail !== undefined) return `with ${code(cleanText(JSON.stringify(tail).slice(1, -1)))} in the name`;
  const json = valueNamed(TABLES.create.name, named).make({ ...SAMPLE, plainName: 'Sample', random: () => 0 });
  if (json === undefined) return 'without a name';
  const text = jsonText(json);
  if (text === undefined) return `with a name of the kind "${kind}"`;
  return json.startsWith('"') ? `with a name like ${code(text)}` : `with ${code(`"name":${text}`)}`;
}

/** The header as it is sent, where the whole key is in it. */
function credentialText(vector: Vector, named: ValueName): string {
  const name = String(named);
  if (name === 'none') return 'without an `Authorization` header';
  const [, place] = /^(?:in )?((?:query parameter|header|cookie|the body)\b.*)$/.exec(name) ?? [];
  if (place !== undefined) return `with the API key in ${place.startsWith('the ') ? '' : 'the '}${place}`;
  const header = bytesOf(vector, 'credential', named).sent.headers.find(([one]) => one.toLowerCase() === 'authorization')?.[1] ?? '';
  return header.includes(SAMPLE.apiKey)
    ? `with ${code(`Authorization: ${shortened(header.replaceAll(SAMPLE.apiKey, '$PETSTORE_API_KEY'))}`)}`
    : `with the credential "${name}" in place of the API key`;
}

const UNKNOWN_IDS: readonly string[] = ['31 bits', '63 bits'];

function idText(vector: Vector, named: ValueName): string {
  const name = String(named);
  if (typeof named === 'number') return 'for that animal';
  if (UNKNOWN_IDS.includes(name)) return 'for an id that no animal has';
  const [target, other] = [SAMPLE, { ...SAMPLE, seed: 2, knownIds: [41n, 52n, 63n] }].map(
    (context) => compose({ op: vector.op, id: named } as Vector, context).target,
  );
  return target !== undefined && target === other && target.length <= SHORT ? `in ${code(`GET ${target}`)}` : `for the id "${name}"`;
}

const SPACES: Readonly<Record<string, string>> = { 'line feeds': 'line ends', 'after each token': 'line ends' };
const ORDERS: Readonly<Record<string, string>> = {
  reversed: 'with the members in reverse order',
  'first member last': 'with categoryId as the first member',
};

function rangeText(dimension: string, range: Range): string {
  const { value } = range;
  if (dimension === 'name') {
    const more = range.kind === 'least' ? ' or more' : range.kind === 'most' ? ' or less' : '';
    return `with a name of ${value} characters${more}${'other' in range ? `; ${range.other} is fine` : ''}`;
  }
  switch (range.kind) {
    case 'least':
      return `with a ${dimension} of ${value} or more; ${range.other} is fine`;
    case 'most':
      return `with a ${dimension} of ${value} or less; ${range.other} is fine`;
    case 'odd':
    case 'even':
      return `with an ${range.kind} ${dimension}`;
    case 'any':
      return `with a ${dimension}`;
    case 'exactly':
      return `with ${code(`${dimension}=${value}`)}`;
    default:
      return range satisfies never;
  }
}

function shapeText(named: ValueName): string {
  const { body } = bytesOf({ op: 'create' }, 'shape', named).sent;
  if (body === undefined) return 'without a body';
  const text = isUtf8(body) ? jsonText(Buffer.from(body).toString('utf8')) : undefined;
  return text === undefined ? `with a body of the kind "${nameOf(named)}"` : `with the body ${code(text)}`;
}

function membersText(named: ValueName): string {
  const { before = [], after = [] } = valueNamed(TABLES.create.members, named).make({ ...SAMPLE, plainName: '', random: () => 0.5 })({
    name: '"Sample"',
    categoryId: '1',
  });
  const texts = [...before, ...after].map(([member, value]) => jsonText(`${member}:${value}`));
  return texts.every((text) => text !== undefined)
    ? `with the ${texts.length === 1 ? 'member' : 'members'} ${texts.map(code).join(' and ')}`
    : `with members of the kind "${nameOf(named)}"`;
}

/** The words for one value of a row. */
function valueText(vector: Vector, dimension: string, named: ValueName, range?: Range): string {
  if (range !== undefined) return rangeText(dimension, range);
  const name = nameOf(named);
  const isList = vector.op === 'list';
  switch (dimension) {
    case 'client':
      return clientText(vector, named);
    case 'credential':
      return credentialText(vector, named);
    case 'connection':
      return name === 'kept' ? 'on a connection that was used before' : 'on a new connection';
    case 'fields':
      return `with its header fields ${name}`;
    case 'path':
      return `at ${code(bytesOf(vector, dimension, named).sent.target)}`;
    case 'query':
      return name === 'status first'
        ? 'with the status before limit'
        : `with the query ${code(bytesOf(vector, dimension, named).sent.target)}`;
    case 'parameters':
      return `with the parameters ${code(shortened((/\?(.*)$/.exec(bytesOf({ op: vector.op }, dimension, named).sent.target)?.[1] ?? name).replace(GENERATED_NAME, '…')))}`;
    case 'limit':
      return `with ${code(`limit=${shortened(name)}`)}`;
    case 'status':
      return isList
        ? `with ${code(`status=${shortened(name)}`)}`
        : `with ${code(`"status":${valueNamed(TABLES.create.status, named).make({ ...SAMPLE, plainName: '', random: () => 0 })}`)}`;
    case 'id':
      return idText(vector, named);
    case 'name':
      return nameText(named);
    case 'category':
      if (name === 'missing') return 'without a categoryId';
      return `with ${code(`"categoryId":${shortened(String(valueNamed(TABLES.create.category, named).make({ ...SAMPLE, plainName: '', random: () => 0 })))}`)}`;
    case 'shape':
      return shapeText(named);
    case 'members':
      return membersText(named);
    case 'order':
      return ORDERS[name] ?? `with the members in the order "${name}"`;
    case 'space':
      return SPACES[name] === undefined ? `with white space in the body (${name})` : `with ${SPACES[name]} in the body`;
    case 'framing':
      return name === 'divided' ? 'with a body that arrives in two pieces' : 'with a chunked body';
    case 'type':
      return name === 'none' ? 'without `Content-Type`' : `with ${code(`Content-Type: ${name}`)}`;
    default:
      return `with ${dimension} "${name}"`;
  }
}

/** The words for a dimension of which any value fails. */
function kindText(vector: Vector, dimension: string): string {
  const character = dimension === 'name' ? characterOf(valueIn(vector, 'name') ?? '') : undefined;
  if (character !== undefined) return `with ${character.is} in the name`;
  const [header] = dimension === 'client' ? unusualHeaders(vector) : [];
  if (header === undefined) return `with a ${dimension}`;
  const name = code(capitalized(header[0]));
  return knowledgeOf(() => undefined).usualHeader(header[0]) === '' ? `with ${name}` : `with another ${name} than usual, or none`;
}

const USUAL: Readonly<Record<string, string>> = {
  limit: 'without a limit',
  status: 'without a status',
  Accept: 'with `Accept: application/json`',
  'Accept-Encoding': 'without `Accept-Encoding`',
  connection: 'on a connection that was used before',
  order: 'with name as the first member',
  space: 'without white space in the body',
};
const usualText = (what: string): string => USUAL[what] ?? `with the usual ${what}`;

const METHODS: Readonly<Record<string, string>> = { listPets: 'GET /pets', createPet: 'POST /pets', getPet: 'GET /pets/{petId}' };

/** Undefined where it would say nothing, or nothing that is meant. */
type Words = (value: string, test: Test) => string | undefined;
const bounded =
  (
    is: (value: string) => string | undefined,
    least: (value: string) => string | undefined,
    most: (value: string) => string | undefined,
  ): Words =>
  (value, test) =>
    test.kind === 'least' ? least(value) : test.kind === 'most' ? most(value) : is(value);

const unsaid = (): undefined => undefined;

const MISTAKES: Readonly<Record<string, string>> = {
  'create.name-required': 'without a name',
  'create.name-type': 'with a name that is not a string',
  'create.category-required': 'without a categoryId',
  'create.category-type': 'with a categoryId that is not an integer',
  'create.category-range': 'with a categoryId beyond int64',
  'create.status-invalid': 'with an invalid status',
  'create.body-json': 'with a body that is not JSON',
  'create.body-object': 'with a body that is JSON and no object',
  plain: 'with a plain NewPet',
  unusual: 'with a NewPet that has an unusual value',
};

/** `with …`: a token that is nearly the API key. */
const WRONG_KEYS: Readonly<Record<string, string>> = {
  'no token': 'no token',
  prefix: 'the beginning of the API key',
  suffix: 'the end of the API key',
  'letter case': 'the API key in another letter case',
  'more characters': 'the API key and more characters',
  repeated: 'the API key twice',
  'one character': 'a token that differs from the API key in one character',
  rearranged: 'the characters of the API key in another order',
  alike: 'characters that look like those of the API key',
  punctuation: 'the API key with other punctuation',
  encoded: 'the API key in Base64',
  unrelated: 'a token that does not resemble the API key',
};

const IDS_SAID: Readonly<Record<string, string>> = {
  'outside int64': 'with a petId outside int64',
  spelled: 'with a petId in another spelling',
  'no integer': 'with a petId that is not an integer',
};

const WHOSE: Readonly<Record<string, string>> = {
  created: 'for animals that this run created',
  'there before': 'for animals that were there before',
  nobody: 'for ids that no animal has',
};

const CREDENTIALS_SAID: Readonly<Record<string, string>> = {
  absent: 'without an `Authorization` header',
  elsewhere: 'with the API key in another place than the `Authorization` header',
  scheme: 'with another scheme than Bearer',
  wrong: 'with a wrong key',
  malformed: 'with a malformed `Authorization` header',
};

/** Milliseconds that are a pause. */
const LEAST_IDLE = 50;

const ordinals = new Intl.PluralRules('en-US', { type: 'ordinal' });
const ENDINGS: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd' };
const ordinal = (count: number): string => `${count}${ENDINGS[ordinals.select(count)] ?? 'th'}`;

/** The words for what is known about a case, in the order in which one is preferred to another. */
const WORDS: Readonly<Record<string, Words>> = {
  'error response': (value) => (value === 'yes' ? 'in error responses' : 'in successful responses'),
  response: (value, test) => (test.kind === 'is' ? `in ${value} responses` : undefined),
  operation: (value) => `in ${METHODS[value]}`,
  body: (value) => `in POST /pets with ${value === 'invalid' ? 'an invalid' : 'a valid'} body`,
  mistake: (value) => MISTAKES[value],
  credential: (value) => CREDENTIALS_SAID[value],
  how: (value) => `with ${WRONG_KEYS[value]}`,
  'kind of petId': (value) => IDS_SAID[value],
  'is petId int64': (value) => (value === 'no' ? 'with a petId that is not an int64' : undefined),
  key: (value) => (value === 'yes' ? 'with the API key' : 'without the API key'),
  accept: (value) => (value === 'none' ? 'without `Accept`' : `with ${code(`Accept: ${value}`)}`),
  'accept-encoding': (value) => (value === 'none' ? 'without `Accept-Encoding`' : 'with `Accept-Encoding`'),
  'user-agent': (value) => (value === 'none' ? 'without `User-Agent`' : `with ${code(`User-Agent: ${value}`)}`),
  'has parameters': (value) => (value === 'no' ? 'without parameters' : 'with parameters'),
  'has limit': (value) => (value === 'no' ? 'without a limit' : 'with a limit'),
  'has status': (value) => (value === 'no' ? 'without a status' : 'with a status'),
  status: (value) =>
    value === 'none' ? 'without a status' : value === 'open' ? 'with a status that is not a PetStatus' : `with ${code(`status=${value}`)}`,
  limit: bounded(
    (value) => `with ${code(`limit=${value}`)}`,
    (value) => `with a limit of ${value} or more`,
    (value) => `with a limit of ${value} or less`,
  ),
  order: (value) => `with the ${value === 'status first' ? 'status before limit' : 'limit before status'}`,
  'status sent': (value) =>
    value === 'none' ? 'created without a status' : value === 'unknown' ? undefined : `created with ${code(`"status":"${value}"`)}`,
  name: bounded(
    (value) => `with a name of ${value} characters`,
    (value) => `with a name of ${value} characters or more`,
    (value) => `with a name of ${value} characters or less`,
  ),
  'capital in the name': (value) => `with ${value === 'yes' ? 'a capital letter' : 'no capital letter'} in the name`,
  category: (value) => `with ${code(`"categoryId":${value}`)}`,
  'size of the category': bounded(
    unsaid,
    (value) => `with a categoryId of ${value} or more, or less than -${value}`,
    (value) => `with a categoryId between -${value} and ${value}`,
  ),
  'parity of the category': (value) => `with an ${value} categoryId`,
  'first member': (value) => `with ${value} as the first member`,
  'line ends': (value) => (value === 'yes' ? 'with line ends in the body' : 'without line ends in the body'),
  size: bounded(
    unsaid,
    (value) => `with a body of ${value} bytes or more`,
    (value) => `with a body of ${value} bytes or less`,
  ),
  'status of the animal': (value) => `for animals that are ${value}`,
  whose: (value) => WHOSE[value],
  'name of the animal': bounded(
    (value) => `for animals with a name of ${value} characters`,
    (value) => `for animals with a name of ${value} characters or more`,
    (value) => `for animals with a name of ${value} characters or less`,
  ),
  animals: bounded(
    unsaid,
    (value) => `in lists of ${value} animals or more`,
    (value) => (value === '0' ? 'in empty lists' : `in lists of ${value} animals or less`),
  ),
  connection: (value) => (value === 'new' ? 'on a new connection' : 'on a connection that was used before'),
  'status before': (value) => `right after a ${value} response`,
  'error before': (value) => (value === 'yes' ? 'right after an error response' : 'right after a response without an error'),
  'filter before': (value) =>
    value === 'yes' ? 'right after GET /pets with a status' : 'right after another request than a list with a status',
  'operation before': (value) => `right after ${METHODS[value]}`,
  'target before': (value) => (value === 'same' ? 'right after a request to the same URL' : 'right after a request to another URL'),
  'status of the last': (value) =>
    `with ${value === 'same' ? 'the same' : 'another'} status ${value === 'same' ? 'as' : 'than'} the creation before`,
  'category of the last': (value) =>
    `with ${value === 'same' ? 'the same' : 'another'} categoryId ${value === 'same' ? 'as' : 'than'} the creation before`,
  'name of the last': (value) => `with a name that is ${value} than that of the creation before`,
  others: bounded(
    unsaid,
    (value) =>
      value === '1' ? 'while another request is under way' : value === '0' ? undefined : `with ${value} or more other requests under way`,
    unsaid,
  ),
  idle: bounded(unsaid, (value) => (Number(value) < LEAST_IDLE ? undefined : `after ${value} ms or more without any request`), unsaid),
  'read of the animal': bounded(
    (value) => `in read ${value} of an animal`,
    (value) => `from read ${value} of an animal on`,
    (value) => `in the first ${value} reads of an animal`,
  ),
  'on its connection': bounded(
    (value) => `in request ${value} of its connection`,
    (value) => `from request ${value} of its connection on`,
    (value) => `in the first ${value} requests of its connection`,
  ),
  newer: bounded(
    (value) => (value === '0' ? 'for the newest animal' : undefined),
    unsaid,
    (value) => (value === '0' ? 'for the newest animal' : `for the newest ${Number(value) + 1} animals`),
  ),
  id: bounded(
    (value) => `for id ${value}`,
    (value) => `for ids from ${value} on`,
    (value) => `for ids up to ${value}`,
  ),
  'size of the id': bounded(
    unsaid,
    (value) => `for ids of ${value} or more, or less than -${value}`,
    (value) => `for ids between -${value} and ${value}`,
  ),
  'id given': bounded(
    (value) => `for id ${value}`,
    (value) => `for ids from ${value} on`,
    (value) => `for ids up to ${value}`,
  ),
  age: bounded(
    unsaid,
    (value) => `for animals created ${value} ms before or earlier`,
    (value) => `for animals created less than ${value} ms before`,
  ),
  'created before': bounded(
    unsaid,
    (value) => (value === '0' ? undefined : `once this run had created ${value} animals`),
    (value) => (value === '0' ? 'before this run had created an animal' : `until this run had created ${value} animals`),
  ),
  'of its kind': bounded(
    unsaid,
    (value) => `from request ${value} of its kind on`,
    (value) => `in the first ${value} requests of its kind`,
  ),
  number: bounded(
    unsaid,
    (value) => `from request ${value} of the run on`,
    (value) => `in the first ${value} requests of the run`,
  ),
};

/** Of which none is said in words: that one is fine is said by them. */
const NONE_SAID: readonly string[] = ['animals', 'created before'];

function predicateText({ name, test }: Predicate): string | undefined {
  if (test.kind === 'divided') {
    const { by, rest } = test;
    if (name === 'limit' || name.startsWith('id')) {
      const what = name === 'limit' ? 'limit' : 'ids';
      if (by === 2) return name === 'limit' ? `with an ${rest === 0 ? 'even' : 'odd'} limit` : `for ${rest === 0 ? 'even' : 'odd'} ids`;
      return rest === 0 ? `for ${what} that ${by} divides` : `for ${what} that leave ${rest} when divided by ${by}`;
    }
    return undefined;
  }
  const text = WORDS[name]?.(String(test.value), test);
  const isSaid = test.kind === 'is' || (NONE_SAID.includes(name) && test.kind === 'most' && test.value === 0);
  const bound = isSaid ? '' : `; ${test.other} is fine`;
  return text === undefined ? undefined : `${text}${bound}`;
}

const everyText = (operation: string, every: number, isOnConnection: boolean): string =>
  `in about every ${ordinal(every)} response to ${METHODS[operation] ?? operation}${isOnConnection ? ' on a connection' : ''}`;

/** How a run says when clauses are broken. */
export const WORDING: ConditionWording = {
  knowledge: knowledgeOf,
  valueText,
  kindText,
  usualText,
  predicateText,
  everyText,
  names: Object.keys(WORDS),
};
