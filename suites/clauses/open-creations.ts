// How creations answer what is open.

import type { Observation } from '../../src/clause/outcome.ts';
import { animalsShownIn, type Exchange, hasKey, isCreation } from '../../src/oracle/exchange.ts';
import type { Open } from '../../src/oracle/rule.ts';
import { nameSent, type World } from '../../src/oracle/world.ts';
import type { PetView } from '../../src/schema/pet.ts';
import { isInt64 } from '../../src/schema/validators.ts';
import type { Sent } from '../../src/session/vector.ts';
import { isJsonObject, type JsonObject } from '../../src/wire/json.ts';
import { oncePerObject } from '../../src/wire/once.ts';
import { CREATED, LEAST_ERROR } from '../../src/wire/statuses.ts';
import { UNLIKELY_CATEGORY } from '../tables/categories.ts';
import {
  type AnswerOf,
  type Asks,
  answersOf,
  headerOf,
  isPlain,
  isPlainGet,
  jsonOf,
  NO_RESPONSE,
  type Observe,
  type Question,
  statusOf,
} from './open-questions.ts';

/**
 * A body, a character for each byte or unit of UTF-16, in which N stands for a plain name, C for the digits of the categoryId, and S for the first
 * status that the document has.
 */
const formOf = oncePerObject(({ body = new Uint8Array() }: Sent): string => {
  const text = Buffer.from(body).toString('latin1');
  return (text.startsWith('\xff\xfe') ? text.replaceAll('\0', '') : text)
    .replace(/(?<=name"?[:=]"?)[A-Za-z]{12,20}/g, 'N')
    .replace(/(?<=categoryId"?[:=])-?\d+/, 'C')
    .replace(/(?<=,)"status":"(?:available|pending|sold)"/, 'S');
});

const JSON_TYPE = 'application/json';

/** A creation with a body of that form, with a status or without one. */
export const creates =
  (form: string, type = JSON_TYPE): Asks =>
  (one) =>
    isCreation(one) &&
    hasKey(one) &&
    one.sent.target === '/pets' &&
    isPlain(one.sent) &&
    headerOf(one.sent, 'content-type') === type &&
    [formOf(one.sent), formOf(one.sent).replace(',S', '')].includes(form);

export const PLAIN = '{"name":"N","categoryId":C}';
/** With other members after those two, as JSON texts. */
const withMembers = (members: string): Asks => creates(`{"name":"N","categoryId":C,${members}}`);
const isPlainCreation = creates(PLAIN);

function createdIn(exchange: Exchange): JsonObject | undefined {
  const value = jsonOf(exchange);
  return statusOf(exchange) === CREATED && value !== undefined && isJsonObject(value) ? value : undefined;
}

/** `describe`: what an accepted creation did with what is special about it. */
const creationAnswer =
  (describe: (created: JsonObject, exchange: Exchange) => string = () => 'accepted'): AnswerOf =>
  (exchange) => {
    const [created, status] = [createdIn(exchange), statusOf(exchange)];
    if (created !== undefined) return describe(created, exchange);
    if (status === undefined) return NO_RESPONSE;
    return status < LEAST_ERROR ? `returned ${status} without an animal` : `rejected with ${status}`;
  };

const accepted = creationAnswer();
const ignored = creationAnswer(() => 'ignored');

/** Where a plain name was accepted: of a service that takes none, a rejection says nothing about what else is special. */
const takesNames = oncePerObject(({ creations }: World): boolean =>
  creations.some(({ facts: { body }, read }) => body?.kind === 'plain' && read.pet !== undefined),
);

export const ofCreations = (observe: Observe): Open => ({
  accepts: 'createPet',
  observe: (exchanges, world) => (takesNames(world) ? observe(exchanges, world) : []),
});

export const creations = (questions: readonly Question[]): Open => ofCreations(answersOf(questions, accepted, 'first'));

/** The values of that member in the body, in the order in which it has them. */
const textsOf = ({ sent: { body = new Uint8Array() } }: Exchange, member: string): readonly string[] =>
  [
    ...Buffer.from(body)
      .toString('utf8')
      .matchAll(new RegExp(`"${member}":"([^"]*)"`, 'g')),
  ].map(([, text = '']) => text);

export const whichCounts = (member: string): AnswerOf =>
  creationAnswer((created, exchange) => {
    const isFirst = created[member] === textsOf(exchange, member)[0];
    return isFirst ? 'accepted: the first one counts' : 'accepted: the last one counts';
  });

const sameNumber = creationAnswer((created, { facts: { body } }) => {
  const sent = body?.kind === 'open' ? body.sent?.categoryId : undefined;
  return String(created['categoryId']) === String(sent) ? 'accepted as the same number' : 'accepted as a different number';
});

export const member = (question: string, name: string, value: string): Question => [
  question,
  withMembers(`${JSON.stringify(name)}:${value}`),
  creationAnswer((created) =>
    Object.hasOwn(created, name) ? 'accepted, and shown in the response' : 'accepted, but not shown in the response',
  ),
];

const FIELDS = 'name=elsewhere&categoryId=987654&status=sold&id=987654';

/** A plain body, and other values for its members everywhere else. */
export const asksForFieldsElsewhere: Asks = (one) =>
  hasKey(one) &&
  one.sent.target === `/pets?${FIELDS}` &&
  headerOf(one.sent, 'cookie') === FIELDS.replaceAll('&', '; ') &&
  headerOf(one.sent, 'x-name') === 'elsewhere' &&
  formOf(one.sent) === '{"name":"N","categoryId":C,S}';

/** Members that hold an id: `id`, and spellings that a mapper which ignores case, or knows the path parameter, takes for it. */
const IDS = ['id', 'ID', 'petId'];

function kindOf(id: bigint): string {
  if (id <= 0n) return id === 0n ? '0' : 'negative';
  return `${id > 2n ** 31n ? '63' : '31'} bits`;
}

/** The question that an id in the body asks, if it is one that an animal could have. */
function idQuestion(exchange: Exchange, { shownFirst }: World): string | undefined {
  const { at, sent } = exchange;
  const text = Buffer.from(sent.body ?? []).toString('utf8');
  const [, name = '', digits] = /^\{"name":"[^"]*","categoryId":-?\d+(?:,"status":"\w+")?,"(\w+)":(-?\d+)\}$/.exec(text) ?? [];
  if (digits === undefined || !IDS.includes(name) || !isInt64(BigInt(digits))) return undefined;
  const id = BigInt(digits);
  const isTaken = (shownFirst.get(id) ?? at) < at;
  return `${name} of ${isTaken ? 'another animal' : `no animal (${kindOf(id)})`} in the body`;
}

const observeOddIds = answersOf(
  [
    ['id null in the body', withMembers('"id":null')],
    ['id as a string of digits in the body', (one) => isPlain(one.sent) && /,"id":"\d+"\}$/.test(formOf(one.sent))],
    ['id beyond int64 in the body', withMembers(`"id":${2n ** 63n}`)],
    ['id as a word in the body', withMembers('"id":"new"')],
  ],
  ignored,
  'first',
);

export function observeIds(exchanges: readonly Exchange[], world: World): readonly Observation[] {
  const asked = exchanges.filter((one) => isCreation(one) && hasKey(one) && one.sent.target === '/pets' && isPlain(one.sent));
  const answers = new Map(asked.map((one) => [idQuestion(one, world), ignored(one)]));
  const ids = [...answers].flatMap(([question, answer]) => (question === undefined ? [] : [{ question, answer }]));
  return [...ids, ...observeOddIds(exchanges, world)];
}

/** What the 201 of a plain creation without a status shows, and what is shown later: of the first one that anything shows. */
export function observeDefault(exchanges: readonly Exchange[], world: World): readonly Observation[] {
  const created = exchanges.filter((one) => isPlainCreation(one, world) && formOf(one.sent) === PLAIN && one.read.pet !== undefined);
  const looks = exchanges.filter((one) => isPlainGet(one) && hasKey(one));
  const sightOf = ({ done, read }: Exchange): PetView | undefined =>
    looks.flatMap((look) => (look.at > done ? animalsShownIn(look) : [])).find(({ id }) => id === read.pet?.id);
  const creation = created.find((one) => sightOf(one) !== undefined) ?? created[0];
  if (creation === undefined) return [];
  const sight = sightOf(creation);
  const isRead = looks.some(({ sent }) => sent.target === `/pets/${creation.read.pet?.id}`);
  return [
    { question: 'default status in the 201', answer: creation.read.pet?.status ?? 'none' },
    ...(sight === undefined && !isRead
      ? []
      : [{ question: 'default status when read', answer: sight === undefined ? 'not found' : (sight.status ?? 'none') }]),
  ];
}

/** A plain creation with the name that another one got before it was sent, also in another letter case. */
export const asksForNamesake: Asks = (one, world) => {
  const name = nameSent(one)?.toLowerCase();
  const hasIt = (other: Exchange): boolean =>
    hasKey(other) && other.read.pet !== undefined && other.done <= one.at && nameSent(other)?.toLowerCase() === name;
  return isPlainCreation(one, world) && world.creations.some(hasIt);
};

export const asksForUnlikely: Asks = (one, world) => {
  const { body } = one.facts;
  return isPlainCreation(one, world) && body?.kind === 'plain' && body.sent.categoryId === UNLIKELY_CATEGORY;
};

export const FORM_TYPE = 'application/x-www-form-urlencoded';
export const typed = (type: string): Question => [type === '' ? 'an empty Content-Type' : `Content-Type ${type}`, creates(PLAIN, type)];
export const named = (question: string, more: string): Question => [question, creates(`{"name":"N${more}","categoryId":C}`)];
/** With more digits, if it has any, which are among those of the categoryId. */
export const spelled = (more: string): Question => [
  `categoryId written with ${more}`,
  creates(`{"name":"N","categoryId":C${more.replace(/^0/, '')}}`),
  sameNumber,
];
