// What is known of an exchange besides its vector: what it asked for, what came before it, and when.

import { oncePerObject } from '../../wire/once.ts';
import { LEAST_ERROR } from '../../wire/statuses.ts';
import { bodyTextOf, type Exchange, hasKey, isCreation } from './exchange.ts';
import { companyOf } from './standing.ts';
import { statusOf, viewOf } from './view.ts';
import { keyOf, nameSent, type World } from './world.ts';

type Known = Map<string, string | number>;

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

/** For each exchange what came before it, in the order of sending. */
const momentsIn = oncePerObject(({ all }: World): ReadonlyMap<number, Moments> => {
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
    if (!isCreation(exchange) || exchange.read.pet === undefined) continue;
    creations += 1;
    creationBefore = exchange;
  }
  return made;
});

/** How many animals with a greater id there were, as far as was known. */
function newerThan(id: bigint, { at }: Exchange, { shownFirst }: World): number {
  let count = 0;
  for (const [other, since] of shownFirst) if (other > id && since <= at) count += 1;
  return count;
}

const parityOf = (value: bigint | undefined): string | undefined => (value === undefined ? undefined : value % 2n === 0n ? 'even' : 'odd');

const set = (known: Known, name: string, value: string | number | undefined): void => {
  if (value !== undefined) known.set(name, value);
};

/** Numbers whose value has no meaning but its place in an order. */
export const COUNT_UP: ReadonlySet<string> = new Set([
  'id',
  'limit',
  'categoryId',
  'of its kind',
  'on its connection',
  'read of the animal',
]);

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
  ...['animals', 'size', 'operation before', 'status before', 'error before', 'target before', 'filter before'],
]);
/** Kinds of requests. */
export const KINDS: ReadonlySet<string> = new Set(['operation', 'key', 'body', 'response', 'error response']);

/** By name; whoever words them knows the names. */
export function circumstancesOf(exchange: Exchange, world: World): ReadonlyMap<string, string | number> {
  const known: Known = new Map();
  const { facts, sent } = exchange;
  const { list, id, body } = facts;
  const header = (wanted: string): string => sent.headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? 'none';
  known.set('operation', facts.operation);
  known.set('key', hasKey(exchange) ? 'yes' : 'no');
  const { credential } = facts;
  known.set('credential', credential.kind);
  if (credential.kind === 'wrong') known.set('how', credential.how);
  set(known, 'accept', header('accept'));
  set(known, 'accept-encoding', header('accept-encoding') === 'none' ? 'none' : 'some');
  set(known, 'user-agent', header('user-agent'));
  if (list !== undefined) {
    set(known, 'limit', list.limit.kind === 'documented' ? list.limit.value : undefined);
    known.set('has limit', list.limit.kind === 'absent' ? 'no' : 'yes');
    known.set('status', list.status.kind === 'documented' ? list.status.value : list.status.kind === 'absent' ? 'none' : 'open');
    known.set('has status', list.status.kind === 'absent' ? 'no' : 'yes');
    set(known, 'order', list.order);
    known.set('has parameters', list.limit.kind === 'absent' && list.status.kind === 'absent' && list.others.length === 0 ? 'no' : 'yes');
    if (exchange.read.pets !== undefined && hasKey(exchange)) known.set('animals', exchange.read.size);
  }
  if (id?.kind === 'int64') {
    set(known, 'id', Number(id.value));
    set(known, 'size of the id', Math.abs(Number(id.value)));
    const animal = viewOf(world).animals.get(id.value);
    set(known, 'status of the animal', animal === undefined ? undefined : statusOf(animal));
    set(known, 'parity of the category', parityOf(animal?.sent?.categoryId ?? world.seen.get(id.value)?.categoryId));
    set(known, 'whose', animal === undefined ? undefined : animal.birth === undefined ? 'there before' : 'created');
    set(known, 'age', animal?.birth === undefined ? undefined : Math.max(0, Math.round(exchange.at - animal.birth.done)));
    set(known, 'newer', animal === undefined ? undefined : newerThan(id.value, exchange, world));
    set(known, 'name of the animal', (animal?.sent?.name ?? world.seen.get(id.value)?.name)?.length);
  }
  const moment = momentsIn(world).get(exchange.number);
  if (body !== undefined) {
    const text = bodyTextOf(exchange);
    const own = body.kind === 'plain' || body.kind === 'unusual' ? body.sent : undefined;
    known.set('body', body.kind === 'invalid' ? 'invalid' : 'valid');
    known.set('mistake', body.kind === 'invalid' ? body.clause : body.kind);
    known.set('status sent', own === undefined ? 'unknown' : (own.status ?? 'none'));
    set(known, 'name', nameSent(exchange)?.length);
    set(known, 'parity of the category', parityOf(own?.categoryId));
    set(known, 'category', own === undefined ? undefined : String(own.categoryId));
    set(known, 'first member', /^\s*\{\s*"(\w+)"/.exec(text)?.[1]);
    known.set('line ends', text.includes('\n') ? 'yes' : 'no');
    known.set('size', sent.body?.length ?? 0);
    set(known, 'id given', exchange.read.pet === undefined || !hasKey(exchange) ? undefined : Number(exchange.read.pet.id));
    const last = moment?.creationBefore?.facts.body;
    if (own !== undefined && last !== undefined && last.kind !== 'invalid' && last.sent !== undefined) {
      known.set('status of the last', own.status === last.sent.status ? 'same' : 'other');
      known.set('category of the last', own.categoryId === last.sent.categoryId ? 'same' : 'other');
    }
  }
  if (moment?.nth !== undefined) known.set('connection', moment.nth === 1 ? 'new' : 'kept');
  set(known, 'on its connection', moment?.nth);
  if (moment?.before !== undefined) {
    const { before } = moment;
    known.set('operation before', before.facts.operation);
    known.set('status before', before.status ?? 0);
    known.set('error before', (before.status ?? 0) >= LEAST_ERROR ? 'yes' : 'no');
    known.set('target before', before.sent.target === sent.target ? 'same' : 'other');
    known.set('filter before', before.facts.list !== undefined && before.facts.list.status.kind !== 'absent' ? 'yes' : 'no');
  }
  const { inFlight, idle } = companyOf(exchange, world);
  known.set('others', Math.max(0, inFlight));
  known.set('idle', Math.round(idle));
  set(known, 'read of the animal', facts.operation === 'getPet' ? (moment?.sameBefore ?? 0) + 1 : undefined);
  set(known, 'of its kind', moment?.ofKind);
  set(known, 'created before', moment?.creations);
  known.set('number', Math.floor(exchange.number));
  return known;
}

const LAST_CREATION: ReadonlySet<string> = new Set(['status of the last', 'category of the last']);
const ON_CONNECTION: ReadonlySet<string> = new Set(['connection', 'on its connection']);

/** The request that a circumstance of that name is about, if it is about one that came before. */
export function requestBefore(name: string, exchange: Exchange, world: World): Exchange | undefined {
  const moment = momentsIn(world).get(exchange.number);
  if (LAST_CREATION.has(name)) return moment?.creationBefore;
  if (ON_CONNECTION.has(name)) return moment?.onConnection;
  return name.endsWith(' before') && name !== 'created before' ? moment?.before : undefined;
}
