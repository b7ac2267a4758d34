// What the document leaves open. Nothing is judged: how a service answers is recorded, so that its runs can be compared. Questions and answers are what
// behavior.json keeps: in other words, they would look like another behavior.

import { type Exchange, hasKey } from '../../src/oracle/exchange.ts';
import type { JudgedClause, Open } from '../../src/oracle/rule.ts';
import { saysNothingOfRequest } from '../../src/oracle/standing.ts';
import type { World } from '../../src/oracle/world.ts';
import { INT64_MAX, INT64_MIN } from '../../src/schema/validators.ts';
import { PET_STATUSES } from '../../src/wire/exchange.ts';
import { isJsonObject } from '../../src/wire/json.ts';
import { OK } from '../../src/wire/statuses.ts';
import {
  asksForFieldsElsewhere,
  asksForNamesake,
  asksForUnlikely,
  creates,
  creations,
  FORM_TYPE,
  member,
  named,
  observeDefault,
  observeIds,
  ofCreations,
  PLAIN,
  spelled,
  typed,
  whichCounts,
} from './open-creations.ts';
import { byStatus, counted, observeOrder, observePaging } from './open-lists.ts';
import {
  type Asks,
  answersOf,
  asksFor,
  headerOf,
  isPlainGet,
  jsonOf,
  NO_RESPONSE,
  type Observe,
  type Question,
  statusOf,
} from './open-questions.ts';

const both =
  (one: Observe, other: Observe): Observe =>
  (exchanges, world) => [...one(exchanges, world), ...other(exchanges, world)];

/** By the name of the question, the id in the path, made from that of a known animal. */
type Segments = Readonly<Record<string, (known: bigint) => string>>;

function readAnswer(exchange: Exchange, known: bigint): string {
  const [status, value] = [statusOf(exchange), jsonOf(exchange)];
  if (status === undefined) return NO_RESPONSE;
  if (status !== OK || value === undefined || !isJsonObject(value)) return String(status);
  return String(value['id']) === String(known) ? '200 with the animal of that number' : '200 with a different animal';
}

const reads = (segments: Segments): Open => ({
  accepts: 'getPet',
  observe(exchanges, world) {
    const targets = new Set(exchanges.filter((one) => isPlainGet(one) && hasKey(one)).map(({ sent }) => sent.target));
    const targetOf = (segment: string): string => `/pets/${encodeURIComponent(segment)}`;
    const makers = Object.values(segments);
    const known = [...world.shownFirst.keys()].find((id) => makers.some((segment) => targets.has(targetOf(segment(id)))));
    if (known === undefined) return [];
    const questions = Object.entries(segments).map(([name, segment]): Question => [name, asksFor(targetOf(segment(known)))]);
    return answersOf(questions, (one) => readAnswer(one, known), 'last')(exchanges, world);
  },
});

function codeOf(exchange: Exchange): string {
  const [status, value] = [statusOf(exchange), jsonOf(exchange)];
  if (status === undefined) return 'no response';
  const code = value !== undefined && isJsonObject(value) ? value['code'] : undefined;
  return `${status} ${typeof code === 'string' ? code : 'without a code'}`;
}

const isListWith =
  (credential: (value: string | undefined, world: World) => boolean): Asks =>
  (one, world) =>
    one.sent.target === '/pets' && isPlainGet(one) && credential(headerOf(one.sent, 'authorization'), world);

/** Whether it is a token that looks like the key, and is not nearly the key. */
const isLikeTheKey: Asks = (one, world) => {
  const { credential } = one.facts;
  const isUnrelated = credential.kind === 'wrong' && credential.how === 'unrelated';
  return (
    isUnrelated && isListWith((value = '') => value.length === `Bearer ${world.run.apiKey}`.length && /[a-z0-9]$/i.test(value))(one, world)
  );
};

const isOfMissing: Asks = (one) =>
  isPlainGet(one) && hasKey(one) && one.facts.id?.kind === 'int64' && one.read.pet === undefined && !saysNothingOfRequest(one);

const codesOf = (questions: readonly Question[]): Observe => answersOf(questions, codeOf, 'first');
const observeReadCodes = codesOf([
  ['code without a credential', isListWith((value) => value === undefined)],
  ['code with a wrong key', isLikeTheKey],
  ['code for a missing animal', isOfMissing],
]);
const observeBodyCodes = codesOf([
  ['code for missing fields', creates('{}')],
  ['code for a body that is not JSON', creates('{')],
  ['code for a body that is not an object', creates('[]')],
  ['code for a wrong type', creates('{"name":1,"categoryId":C}')],
]);

const inCase = (word: string): Question => [`scheme spelled ${word}`, isListWith((value, { run }) => value === `${word} ${run.apiKey}`)];

function schemeAnswer(exchange: Exchange): string {
  const status = statusOf(exchange);
  if (status === undefined) return NO_RESPONSE;
  return status === OK ? 'accepted' : `rejected with ${status}`;
}

const DEPTH = 100;

/** By clause: its questions, each with what asks it, in the words that behavior.json has. */
const QUESTIONS = {
  'auth.scheme-case': { accepts: 'listPets', observe: answersOf(['bearer', 'BEARER'].map(inCase), schemeAnswer, 'first') },
  // The leading digit distinguishes a lenient parser (5) from a fallback to the default.
  'list.limit-not-integer': {
    accepts: 'listPets',
    observe: counted(...['abc', '', '1.5', '5.0', '+5', '05', '5abc', '5e0', '５'].map((limit) => `limit=${limit}`)),
  },
  'list.limit-out-of-range': {
    accepts: 'listPets',
    observe: counted(...['0', '-1', '101', '1000', '2147483648', '9223372036854775808'].map((limit) => `limit=${limit}`)),
  },
  'list.order': { accepts: 'listPets', observe: observeOrder },
  'list.paging': { accepts: 'listPets', observe: observePaging },
  'list.repeated-parameters': {
    accepts: 'listPets',
    observe: both(
      counted('limit=1&limit=2', 'limit=2&limit=2', 'limit%5B%5D=2', 'limit=1,2'),
      byStatus('status=available&status=sold', 'status=sold&status=sold', 'status%5B%5D=sold'),
    ),
  },
  'list.status-unknown': {
    accepts: 'listPets',
    observe: byStatus(
      ...['unknown', '', 'SOLD', ' sold', 'available,sold', 'null', String.raw`"sold\"`].map((status) => `status=${status}`),
    ),
  },
  'list.unknown-parameters': {
    accepts: 'listPets',
    observe: both(
      counted(
        ...['unknown=1', 'Limit=2', 'page=2', 'offset=1', 'cursor=none', 'sort=name', 'callback=show', '&&&'],
        ...['limit=2&unknown=1', 'limit=2&page=0', 'limit=2&offset=0', 'page_limit=50&limit=2'],
      ),
      byStatus(
        'status=available&page=0',
        ...PET_STATUSES.map((status) => `status=${status}&unknown=1`),
        'last_status=sold&status=available',
      ),
    ),
  },
  'create.client-id': ofCreations(observeIds),
  'create.default-status': ofCreations(observeDefault),
  'create.duplicate-members': creations([
    ['name twice in the body', creates('{"name":"N","categoryId":C,"name":"N"}'), whichCounts('name')],
    ['status twice in the body', creates('{"name":"N","categoryId":C,S,"status":"sold"}'), whichCounts('status')],
    ['status twice in the body, the second one unknown', creates('{"name":"N","categoryId":C,S,"status":"lost"}'), whichCounts('status')],
  ]),
  'create.duplicate-names': creations([['a second animal with the same name', asksForNamesake]]),
  'create.integer-spelling': creations(['.0', 'e0', '0e-1'].map(spelled)),
  'create.request-media-type': creations([
    ...['application/json; charset=utf-8', 'application/json; charset=iso-8859-1', 'application/vnd.api+json', 'text/plain', ''].map(typed),
    ['Content-Type text/plain, without a name', creates('{"categoryId":C}', 'text/plain')],
    [`form data as ${FORM_TYPE}`, creates('name=N&categoryId=C', FORM_TYPE)],
    ['no body and an empty Content-Type', creates('', '')],
  ]),
  'create.text-encoding': creations([
    named('half a surrogate pair, escaped, in the name', '\\ud800'),
    named('surrogates in the wrong order, escaped, in the name', '\\udc00\\ud800'),
    named('a byte that is not UTF-8 in the name', '\xff'),
    named('an overlong encoding in the name', '\xc0\xaf'),
    named('a surrogate encoded in UTF-8 in the name', '\xed\xa0\x80'),
    named('Latin-1 in the name', '\xe9'),
    ['a byte order mark before the body', creates(`\xef\xbb\xbf${PLAIN}`)],
    ['a body in UTF-16', creates(`\xff\xfe${PLAIN}`)],
  ]),
  'create.unknown-category': creations([['a category that does not exist', asksForUnlikely]]),
  'create.unknown-members': creations([
    member('an unknown property', 'color', '"brown"'),
    member('an unknown property with an object', 'color', '{"name":"x","pets":[1,2]}'),
    member('name in another letter case (Name) in addition to name', 'Name', '"other"'),
    member('another spelling of categoryId (category_id) in addition to it', 'category_id', '987654'),
    member('a category with an id in addition to categoryId', 'category', '{"id":987653,"name":"dogs"}'),
    member(`an unknown property nested ${DEPTH} levels deep`, 'deep', '['.repeat(DEPTH) + ']'.repeat(DEPTH)),
    member('a property named __proto__', '__proto__', '{"status":"sold"}'),
    member('a property named constructor', 'constructor', '{"prototype":{"status":"sold"}}'),
    // Two in one animal: the text of the first one's value goes on with the second one.
    member('properties named toString and hasOwnProperty', 'toString', '"x","hasOwnProperty":1'),
    ['different values for the fields in the query string, headers, and cookies', asksForFieldsElsewhere],
  ]),
  'get.id-not-integer': reads({
    'petId is a word': () => 'many',
    'petId is a fraction': (known) => `${known}.5`,
    'petId is in hexadecimal': () => '0x1',
    'petId is null': () => 'null',
    'petId is a UUID': () => '4f9d7f0e-6d3b-4a53-9f6c-1d9a2b7c8e10',
    'petId is an integer and a letter': (known) => `${known}a`,
    'petId is an integer and a quote': (known) => `${known}'`,
    'petId is two integers': (known) => `${known},${known}`,
  }),
  'get.id-outside-int64': reads({
    'petId is one more than the largest int64': () => String(INT64_MAX + 1n),
    'petId is one less than the smallest int64': () => String(INT64_MIN - 1n),
    'petId is a known id plus 2^64': (known) => String(known + 2n ** 64n),
    'petId has 30 digits': () => '1'.repeat(30),
    'petId has 300 digits': () => '1'.repeat(300),
  }),
  'get.id-spelling': reads({
    'petId has a plus sign': (known) => `+${known}`,
    'petId is padded with a zero': (known) => String(known).replace(/^-?/, (sign) => `${sign}0`),
    'petId has a fraction of zero': (known) => `${known}.0`,
    'petId has an exponent of zero': (known) => `${known}e0`,
    'petId has a leading space': (known) => ` ${known}`,
  }),
  'errors.codes': {
    accepts: 'listPets',
    // Of a service that creates nothing, a rejection says nothing about the body.
    observe: both(observeReadCodes, (exchanges, world) => (world.accepted.has('createPet') ? observeBodyCodes(exchanges, world) : [])),
  },
} as const satisfies Readonly<Record<string, Open>>;

type OpenId = keyof typeof QUESTIONS;

export const open: readonly JudgedClause[] = (Object.keys(QUESTIONS) as OpenId[]).map((id) => ({
  id,
  rules: [],
  must: [],
  open: QUESTIONS[id],
}));
