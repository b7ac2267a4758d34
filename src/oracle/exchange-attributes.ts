// What is known of an exchange besides its vector: what it asked for, what came before it, and when.

import { isSuccess } from '../wire/exchange.ts';
import { oncePerObject } from '../wire/once.ts';
import { LEAST_ERROR } from '../wire/statuses.ts';
import type { SentPet } from './body-facts.ts';
import { bodyTextOf, type Exchange, hasKey, isCreation } from './exchange.ts';
import { loadOf } from './standing.ts';
import { statusOf, timelineViewOf } from './timeline-view.ts';
import { keyOf, nameSent, type World } from './world.ts';

type Moments = {
  readonly before: Exchange | undefined;
  /** On its connection; undefined where that is not known. */
  readonly nth: number | undefined;
  readonly onConnection: Exchange | undefined;
  readonly ofKind: number;
  readonly sameBefore: number;
  readonly creations: number;
  readonly creationBefore: Exchange | undefined;
};

const momentsOfExchanges = oncePerObject(({ all }: World): ReadonlyMap<number, Moments> => {
  const connections = new Map<number, { readonly nth: number; readonly last: Exchange }>();
  const kinds = new Map<string, number>();
  const asked = new Map<string, number>();
  const made = new Map<number, Moments>();
  let before: Exchange | undefined;
  let creationBefore: Exchange | undefined;
  let creations = 0;
  for (const exchange of all.toSorted((one, other) => one.at - other.at)) {
    const connection = exchange.response?.connection?.id;
    const last = connection === undefined ? undefined : connections.get(connection);
    const nth = connection === undefined ? undefined : (last?.nth ?? 0) + 1;
    if (connection !== undefined && nth !== undefined) connections.set(connection, { nth, last: exchange });
    const kind = `${exchange.facts.operation} ${hasKey(exchange)}`;
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    const key = keyOf(exchange);
    made.set(exchange.number, {
      ...{
        before,
        nth,
        onConnection: last?.last,
        ofKind: kinds.get(kind) ?? 0,
        sameBefore: asked.get(key) ?? 0,
        creations,
        creationBefore,
      },
    });
    asked.set(key, (asked.get(key) ?? 0) + 1);
    before = exchange;
    if (!isCreation(exchange) || !isSuccess(exchange.status)) continue;
    creations += 1;
    creationBefore = exchange;
  }
  return made;
});

function countNewerThan(id: bigint, { at }: Exchange, { shownFirst }: World): number {
  let count = 0;
  for (const [other, since] of shownFirst) if (other > id && since <= at) count += 1;
  return count;
}

/** The numbers of an integer type with a sign have one bound: -2^31 is as large as 2^31 - 1. */
const sizeOf = (value: bigint): number => Number(value < 0n ? -value - 1n : value);
const parityOf = (value: bigint | undefined): string | undefined => (value === undefined ? undefined : value % 2n === 0n ? 'even' : 'odd');

/** Numbers whose value has no meaning but its place in an order. */
export const COUNT_UP: ReadonlySet<string> = new Set(['id', 'id given', 'limit']);

const REQUEST_BEFORE = ['operation before', 'target before', 'filter before'] as const;
const RESPONSE_BEFORE = ['status before', 'error before'] as const;
const LAST_CREATION: ReadonlySet<string> = new Set(['status of the last', 'category of the last', 'name of the last']);
/** What came before, as far as that is known of requests that overlap; but for its response, which is wrong itself where wrong ones come in a row. */
export const BEFORE: ReadonlySet<string> = new Set([...REQUEST_BEFORE, ...LAST_CREATION]);

/** What comes in an order, which is that of everything else that does. */
export const IN_ORDER: ReadonlySet<string> = new Set([
  ...[
    'number',
    'of its kind',
    'on its connection',
    'read of the animal',
    'created before',
    'id',
    'id given',
    'newer',
    'age',
    'others',
    'idle',
  ],
  ...['animals', 'size', ...REQUEST_BEFORE, ...RESPONSE_BEFORE],
]);
/** What only says how far a run is, or what it had room for: in its course, all else changes too. */
export const COURSE: ReadonlySet<string> = new Set(['number', 'of its kind', 'created before', 'age', 'others', 'idle', 'animals', 'size']);
/** How many animals there were, of which a range is a state of the service: one of requests is an outage, which has a time. */
export const STATES: ReadonlySet<string> = new Set(['created before', 'id', 'id given']);
export const KINDS_OF_REQUESTS: ReadonlySet<string> = new Set(['operation', 'key', 'body', 'response', 'error response']);

/** By name; undefined where it is not known. */
type Attributes = Readonly<Record<string, string | number | undefined>>;

const yesOrNo = (is: boolean): string => (is ? 'yes' : 'no');

function ofRequest({ facts: { operation, credential }, sent, ...exchange }: Exchange): Attributes {
  const header = (wanted: string): string => sent.headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? 'none';
  return {
    ...{ operation, key: yesOrNo(credential.kind === 'valid'), credential: credential.kind, number: Math.floor(exchange.number) },
    how: credential.kind === 'wrong' ? credential.how : undefined,
    ...{ accept: header('accept'), 'user-agent': header('user-agent') },
    'accept-encoding': header('accept-encoding') === 'none' ? 'none' : 'some',
  };
}

function ofList(exchange: Exchange): Attributes {
  const { list } = exchange.facts;
  if (list === undefined) return {};
  const { limit, status, otherParameters, order } = list;
  const [hasLimit, hasStatus] = [limit.kind !== 'absent', status.kind !== 'absent'];
  return {
    ...{ limit: limit.kind === 'documented' ? limit.value : undefined, 'has limit': yesOrNo(hasLimit), order },
    ...{ status: status.kind === 'documented' ? status.value : hasStatus ? 'open' : 'none', 'has status': yesOrNo(hasStatus) },
    'has parameters': yesOrNo(hasLimit || hasStatus || otherParameters.length > 0),
    animals: exchange.read.pets !== undefined && hasKey(exchange) ? exchange.read.size : undefined,
  };
}

function ofAnimal(exchange: Exchange, world: World): Attributes {
  const { id } = exchange.facts;
  if (id === undefined) return {};
  const asked = { 'kind of petId': id.kind, 'is petId int64': yesOrNo(id.kind === 'int64') };
  if (id.kind !== 'int64') return { ...asked, whose: 'nobody' };
  const animal = timelineViewOf(world).animals.get(id.value);
  const seen = world.seen.get(id.value);
  const about = { ...asked, id: Number(id.value), 'size of the id': sizeOf(id.value) };
  const known = { 'parity of the category': parityOf(animal?.sent?.categoryId ?? seen?.categoryId) };
  const name = { 'name of the animal': (animal?.sent?.name ?? seen?.name)?.length };
  if (animal === undefined) return { ...about, ...known, ...name, whose: seen === undefined ? 'nobody' : undefined };
  const { creation } = animal;
  return {
    ...{ ...about, ...known, ...name, 'status of the animal': statusOf(animal), newer: countNewerThan(id.value, exchange, world) },
    whose: creation === undefined ? 'there before' : 'created',
    'status sent': creation === undefined ? undefined : (animal.sent?.status ?? 'none'),
    age: creation === undefined ? undefined : Math.max(0, Math.round(exchange.at - creation.done)),
  };
}

function ofBody(exchange: Exchange, creationBefore: Exchange | undefined): Attributes {
  const { body } = exchange.facts;
  if (body === undefined) return {};
  const [text, name] = [bodyTextOf(exchange), nameSent(exchange)];
  const own = body.kind === 'plain' || body.kind === 'unusual' ? body.sent : undefined;
  const last = creationBefore?.facts.body;
  const other = last === undefined || last.kind === 'invalid' ? undefined : last.sent;
  const sameOrOther = (is: (one: SentPet) => unknown): string | undefined =>
    own === undefined || other === undefined ? undefined : is(own) === is(other) ? 'same' : 'other';
  return {
    ...{ body: body.kind === 'invalid' ? 'invalid' : 'valid', mistake: body.kind === 'invalid' ? body.clause : body.kind },
    ...{ 'status sent': own === undefined ? 'unknown' : (own.status ?? 'none'), name: name?.length },
    'capital in the name': body.kind === 'invalid' || name === undefined ? undefined : yesOrNo(/\p{Lu}/u.test(name)),
    ...{ 'parity of the category': parityOf(own?.categoryId), category: own === undefined ? undefined : String(own.categoryId) },
    'size of the category': own === undefined ? undefined : sizeOf(own.categoryId),
    ...{ 'first member': /^\s*\{\s*"(\w+)"/.exec(text)?.[1], 'line ends': yesOrNo(text.includes('\n')) },
    size: exchange.sent.body?.length ?? 0,
    'id given': exchange.read.pet === undefined || !hasKey(exchange) ? undefined : Number(exchange.read.pet.id),
    ...{ 'status of the last': sameOrOther(({ status }) => status), 'category of the last': sameOrOther(({ categoryId }) => categoryId) },
    'name of the last':
      own === undefined || other === undefined ? undefined : own.name.length > other.name.length ? 'longer' : 'not longer',
  };
}

function ofMoment(exchange: Exchange, { before, nth, ofKind, sameBefore, creations }: Moments): Attributes {
  const isRead = exchange.facts.operation === 'getPet';
  const told = {
    ...{ connection: nth === undefined ? undefined : nth === 1 ? 'new' : 'kept', 'on its connection': nth },
    ...{ 'read of the animal': isRead ? sameBefore + 1 : undefined, 'of its kind': ofKind, 'created before': creations },
  };
  if (before === undefined) return told;
  const { facts, status, sent } = before;
  return {
    ...{ ...told, 'operation before': facts.operation, 'status before': status },
    'error before': status === undefined ? undefined : yesOrNo(status >= LEAST_ERROR),
    'target before': sent.target === exchange.sent.target ? 'same' : 'other',
    'filter before': yesOrNo(facts.list !== undefined && facts.list.status.kind !== 'absent'),
  };
}

/** By name; whoever words them knows the names. */
export function attributesOf(exchange: Exchange, world: World): ReadonlyMap<string, string | number> {
  const moment = momentsOfExchanges(world).get(exchange.number);
  const { inFlight, idle } = loadOf(exchange, world);
  const told: Attributes = {
    ...{ ...ofRequest(exchange), ...ofList(exchange), ...ofAnimal(exchange, world), ...ofBody(exchange, moment?.creationBefore) },
    ...{ ...(moment === undefined ? {} : ofMoment(exchange, moment)), others: Math.max(0, inFlight), idle: Math.round(idle) },
  };
  return new Map(Object.entries(told).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));
}

const ON_CONNECTION: ReadonlySet<string> = new Set(['connection', 'on its connection']);

/** The request that an attribute of that name is about, if it is about one that came before. */
export function requestBefore(name: string, exchange: Exchange, world: World): Exchange | undefined {
  const moment = momentsOfExchanges(world).get(exchange.number);
  if (LAST_CREATION.has(name)) return moment?.creationBefore;
  if (ON_CONNECTION.has(name)) return moment?.onConnection;
  return name.endsWith(' before') && name !== 'created before' ? moment?.before : undefined;
}
