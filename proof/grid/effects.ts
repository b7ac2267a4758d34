import { type Json, literal, NumberText, parseJson } from '../../src/reference/core/json.ts';
import { type Context, jsonReply, type Parts, Problem, problemReply, type Reply } from '../../src/reference/core/parts.ts';
import { addPet, isStatus, type Pet, removePet, STATUSES, type Status, type Store } from '../../src/reference/core/store.ts';
import type { Asked, Kind } from './asked.ts';

/** The members of a JSON object in a response, with numbers in their original spelling. */
type Members = Readonly<Record<string, Json | undefined>>;

function written(value: unknown): unknown {
  if (value instanceof NumberText) return literal(value.text);
  if (Array.isArray(value)) return value.map(written);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, written(inner)]));
}

/** The response with another body; members that are undefined are left out. */
function withBody(reply: Reply, body: unknown): Reply {
  return { ...reply, body: JSON.stringify(written(body)) };
}

const textOf = ({ body }: Reply): string => (typeof body === 'string' ? body : Buffer.from(body).toString());

function isMembers(value: Json): value is { readonly [member: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberText);
}

/** The records of a list, in order. */
function recordsOf(reply: Reply): readonly Members[] {
  const body = parseJson(textOf(reply));
  return Array.isArray(body) ? body.filter(isMembers) : [];
}

/** The record of a creation or a read, or the members of an Error. */
function membersOf(reply: Reply): Members {
  const body = parseJson(textOf(reply));
  return isMembers(body) ? body : {};
}

/** Whether a client could distinguish the two. */
export function differs(one: Reply, other: Reply): boolean {
  return one.status !== other.status || textOf(one) !== textOf(other) || JSON.stringify(one.headers) !== JSON.stringify(other.headers);
}

/** A number as JSON, whatever its size. */
function numeral(value: bigint | string): NumberText {
  return new NumberText(String(value));
}

/** The means of an effect. */
export type Deed = {
  readonly asked: Asked;
  readonly context: Context;
  /** Does what the conforming server does and returns its reply, at most once. */
  readonly right: () => Promise<Reply>;
  /** Does the same with some parts changed. */
  readonly run: (changes: Partial<Parts>) => Promise<Reply>;
  /** Records that the store is not as it should be. */
  readonly touched: () => void;
  /** Hides an animal: for that many milliseconds, or from then on. */
  readonly hide: (pet: Pet, when: { readonly until: number } | { readonly from: number }) => void;
  /** Ends the connection without the response, or with half of it. */
  readonly cut: (reply: Reply, how: 'dropped' | 'halved') => Reply;
};

/** What goes wrong. Any change that it returns or makes breaks a required or implied clause; otherwise it returns the correct reply. */
export type Effect = (deed: Deed) => Promise<Reply>;
export type Effects = Readonly<Record<string, Effect>>;

/** Longer than any consistency window that the proof allows. */
const LATE = 1_500;

const onReply =
  (change: (reply: Reply, deed: Deed) => Reply): Effect =>
  async (deed) =>
    change(await deed.right(), deed);
const onText = (change: (text: string) => string): Effect => onReply((reply) => ({ ...reply, body: change(String(reply.body)) }));
const withType = (type: string | undefined): Effect =>
  onReply((reply) => {
    const { 'content-type': _type, ...headers } = reply.headers;
    return { ...reply, headers: type === undefined ? headers : { ...headers, 'content-type': type } };
  });
const withStatus = (status: number): Effect => onReply((reply) => ({ ...reply, status }));
/** Nothing is done: the request is rejected. */
const rejects =
  (status: number): Effect =>
  async ({ context }) =>
    problemReply(context, new Problem(status, 'rejected', 'This does not work'));

/** Responses of any kind. */
const FORM: Effects = {
  'returns 500': rejects(500),
  'returns 500 after all is done': onReply((_reply, { context }) =>
    problemReply(context, new Problem(500, 'internal', 'Something went wrong')),
  ),
  'returns 204 without a body': onReply((reply) => ({ ...reply, status: 204, headers: {}, body: '' })),
  'returns nothing': onReply((reply) => ({ ...reply, body: '' })),
  'returns null': onText(() => 'null'),
  'is text/plain': withType('text/plain'),
  'is text/html': withType('text/html; charset=utf-8'),
  'has no media type': withType(undefined),
  'begins with a byte order mark': onText((text) => `\uFEFF${text}`),
  'ends with a comma in the JSON': onText((text) => text.replace(/([}\]])$/, ',$1')),
  'repeats the body': onText((text) => `${text}${text}`),
  'has single quotes': onText((text) => text.replaceAll('"', "'")),
  'lacks its last character': onText((text) => text.slice(0, -1)),
  'is wrapped in data': onText((text) => `{"data":${text}}`),
  'is a text of JSON': onText((text) => JSON.stringify(text)),
  'drops the connection': onReply((reply, { cut }) => cut(reply, 'dropped')),
  'ends in the middle': onReply((reply, { cut }) => cut(reply, 'halved')),
};

const numberIn = (members: Members, name: string): bigint => {
  const value = members[name];
  return value instanceof NumberText ? BigInt(value.text) : 0n;
};
const textIn = (members: Members, name: string): string => String(members[name] ?? '');
const next = (status: unknown): Status => STATUSES[(isStatus(status) ? STATUSES.indexOf(status) : -1) + 1] ?? STATUSES[0];
const change =
  (name: string, to: (members: Members) => Members[string]) =>
  (members: Members): Members => ({ ...members, [name]: to(members) });

/** A wrong record, in any response that shows one. */
const RECORDS: Readonly<Record<string, (members: Members) => Members>> = {
  'has no id': ({ id: _id, ...rest }) => rest,
  'has no name': ({ name: _name, ...rest }) => rest,
  'has no categoryId': ({ categoryId: _category, ...rest }) => rest,
  'has the id as text': change('id', (members) => String(numberIn(members, 'id'))),
  'has the id as a fraction': change('id', (members) => numeral(`${numberIn(members, 'id')}.5`)),
  'has the categoryId as text': change('categoryId', (members) => String(numberIn(members, 'categoryId'))),
  'has the categoryId null': change('categoryId', () => null),
  'has the name null': change('name', () => null),
  'has the name in an array': change('name', (members) => [textIn(members, 'name')]),
  'has the status null': change('status', () => null),
  'has an empty status': change('status', () => ''),
  'has the status in capitals': change('status', (members) => textIn(members, 'status').toUpperCase() || 'SOLD'),
  'has an unknown status': change('status', () => 'reserved'),
  'has another status': change('status', (members) => (members['status'] === undefined ? undefined : next(members['status']))),
  'has another categoryId': change('categoryId', (members) => numeral(numberIn(members, 'categoryId') + 1n)),
  'has another id': change('id', (members) => numeral(numberIn(members, 'id') + 1_000n)),
  'has the name shortened': change('name', (members) => textIn(members, 'name').slice(0, -1)),
  'has the name in capitals': change('name', (members) => textIn(members, 'name').toUpperCase()),
  'has a space after the name': change('name', (members) => `${textIn(members, 'name')} `),
  'has id and categoryId exchanged': (members) => ({ ...members, id: members['categoryId'], categoryId: members['id'] }),
};

function named(entries: readonly (readonly [string, Effect])[]): Effects {
  return Object.fromEntries(entries);
}
const onRecord = (prefix: string): Effects =>
  named(Object.entries(RECORDS).map(([name, edit]) => [`${prefix} ${name}`, onReply((reply) => withBody(reply, edit(membersOf(reply))))]));

/** Changes of a list; those that omit animals do so only if the page has room, because a page may be shorter than its limit. */
const onPage = (edit: (records: readonly Members[], deed: Deed) => readonly Members[]): Effect =>
  onReply((reply, deed) => withBody(reply, edit(recordsOf(reply), deed)));
const omits = (isOmitted: (record: Members, records: readonly Members[]) => boolean): Effect =>
  onPage((records, { asked: { matching, query } }) =>
    matching < (query?.limit ?? 0) ? records.filter((record) => !isOmitted(record, records)) : records,
  );
const inOrder = (records: readonly Members[]): readonly bigint[] =>
  records.map((record) => numberIn(record, 'id')).sort((a, b) => (a < b ? -1 : 1));
const at = (which: (records: readonly Members[]) => number, edit: (members: Members) => Members): Effect =>
  onPage((records) => records.map((record, index) => (index === which(records) ? edit(record) : record)));

/** The order in which the positions of records rotate over the ways to break one. */
const PLACES: readonly (readonly [string, (records: readonly Members[]) => number])[] = [
  ['the first', () => 0],
  ['the last', (records) => records.length - 1],
  ['one in the middle', (records) => Math.floor(records.length / 2)],
];
const LIST_RECORDS: Effects = named(
  Object.entries(RECORDS).flatMap(([name, edit], index) => {
    const [place, which] = PLACES[index % PLACES.length] ?? ['the first', () => 0];
    return [[`${place} ${name}`, at(which, edit)] as const];
  }),
);

/** Something else happens to the store while the request is served correctly. */
const spoils =
  (spoil: (store: Store, deed: Deed) => boolean): Effect =>
  async (deed) => {
    const reply = await deed.right();
    if (spoil(deed.context.store, deed)) deed.touched();
    return reply;
  };
const removes = (which: (store: Store, deed: Deed) => Pet | undefined): Effect =>
  spoils((store, deed) => {
    const pet = which(store, deed);
    if (pet !== undefined) removePet(store, pet);
    return pet !== undefined;
  });
const alters = (which: (store: Store, deed: Deed) => Pet | undefined, alter: (pet: Pet) => Partial<Pet>): Effect =>
  spoils((store, deed) => {
    const pet = which(store, deed);
    if (pet !== undefined) Object.assign(pet, alter(pet));
    return pet !== undefined;
  });
const newest = ({ animals }: Store): Pet | undefined => animals.at(-1);
const oldest = ({ animals }: Store): Pet | undefined => animals[0];

const LIST: Effects = {
  ...FORM,
  ...LIST_RECORDS,
  'returns 400': rejects(400),
  'returns 401': rejects(401),
  'returns 404': rejects(404),
  'returns 206': withStatus(206),
  'omits the first': omits((record, records) => record === records[0]),
  'omits the last': omits((record, records) => record === records.at(-1)),
  'omits the newest': omits((record, records) => numberIn(record, 'id') === inOrder(records).at(-1)),
  'omits the oldest': omits((record, records) => numberIn(record, 'id') === inOrder(records)[0]),
  'omits all but one': omits((record, records) => record !== records[0]),
  'omits odd ids': omits((record) => numberIn(record, 'id') % 2n === 1n),
  'is empty': omits(() => true),
  'shows the first twice': onPage((records) => [...records.slice(0, 1), ...(records.length > 1 ? records.slice(0, -1) : records)]),
  'shows the last again': onPage((records) => (records.length > 1 ? [...records.slice(1), ...records.slice(-1)] : records)),
  'shows the first with the id of the last': onPage((records) =>
    records.map((record, index) => (index === 0 ? { ...record, id: records.at(-1)?.['id'] } : record)),
  ),
  'exchanges the names of the first two': onPage((records) =>
    records.map((record, index) => (index < 2 && records.length > 1 ? { ...record, name: records[1 - index]?.['name'] } : record)),
  ),
  'is in an array': onText((text) => `[${text}]`),
  'shows one without an array': onText((text) => text.replace(/^\[(\{[^{}]*\})\]$/, '$1')),
  'ignores the status': ({ run }) => run({ matches: () => true }),
  'filters by another status': ({ run, context: { parts } }) => run({ matches: (pet, status) => parts.matches(pet, next(status)) }),
  'adds one of another status': onPage((records, { asked: { query }, context: { store, parts } }) => {
    const foreign = query?.status === undefined ? undefined : store.animals.find(({ status }) => status !== query.status);
    if (foreign === undefined) return records;
    const { id, name, categoryId, status } = foreign;
    const record = { id: numeral(id), name, categoryId: numeral(categoryId), status: status ?? parts.defaultStatus() ?? 'sold' };
    return [record, ...records.slice(0, Math.max(0, (query?.limit ?? 1) - 1))];
  }),
  'cuts before it filters': async ({ asked: { matching, query }, run, right, context }) => {
    const limit = query?.limit ?? 20;
    const shown = new Set(context.store.animals.slice(0, limit));
    return matching < limit ? run({ arrange: () => [...shown] }) : right();
  },
  'ignores the limit': ({ run }) => run({ page: (animals) => animals }),
  'shows one more than the limit': ({ run, context: { parts } }) =>
    run({ page: (animals, query, call) => parts.page(animals, { ...query, limit: query.limit + 1 }, call) }),
  'shows ten more than the limit': ({ run, context: { parts } }) =>
    run({ page: (animals, query, call) => parts.page(animals, { ...query, limit: query.limit + 10 }, call) }),
  'shows at most 50': async ({ asked: { matching, query }, run, right }) =>
    matching > 50 && matching < (query?.limit ?? 0) ? run({ page: (animals) => animals.slice(0, 50) }) : right(),
  'removes the newest': removes(newest),
  'removes the oldest': removes(oldest),
  'renames the oldest': alters(oldest, ({ name }) => ({ name: `${name}x` })),
  'sells the newest': alters(newest, ({ status }) => ({ status: next(status) })),
  'moves the newest to another category': alters(newest, ({ categoryId }) => ({ categoryId: categoryId + 1n })),
  'stores the newest again': spoils((store, { context: { parts } }) => {
    const pet = newest(store);
    if (pet !== undefined) addPet(store, { ...pet, id: parts.assignId(store, null) });
    return pet !== undefined;
  }),
  'loses the newest for a while': spoils((store, { hide }) => {
    const pet = newest(store);
    if (pet !== undefined) hide(pet, { until: LATE });
    return pet !== undefined;
  }),
};

const GET: Effects = {
  ...FORM,
  ...onRecord('the animal'),
  'returns 400': rejects(400),
  'returns 401': rejects(401),
  'returns 404': rejects(404),
  'returns 410': rejects(410),
  'returns 203': withStatus(203),
  'shows the animal in an array': onText((text) => `[${text}]`),
  'shows another animal': ({ run, asked: { pet } }) => run({ find: (store) => store.animals.find((one) => one !== pet) ?? pet }),
  'shows the newest': ({ run, asked: { pet } }) => run({ find: (store) => newest(store) ?? pet }),
  'shows the next one under this id': ({ run, asked: { pet } }) =>
    run({
      find: (store) => {
        const other = store.animals.find(({ id }) => pet !== undefined && id > pet.id);
        return pet === undefined || other === undefined ? pet : { ...other, id: pet.id };
      },
    }),
  'names another day of removal': onReply((reply) => ({
    ...reply,
    headers: { ...reply.headers, sunset: 'Wed, 05 Dec 2029 00:00:00 GMT' },
  })),
  'removes it': removes((_store, { asked: { pet } }) => pet),
  'removes the oldest': removes(oldest),
  'sells it': alters(
    (_store, { asked: { pet } }) => pet,
    ({ status }) => ({ status: next(status) }),
  ),
  'renames it': alters(
    (_store, { asked: { pet } }) => pet,
    ({ name }) => ({ name: `${name}x` }),
  ),
  'moves it to another category': alters(
    (_store, { asked: { pet } }) => pet,
    ({ categoryId }) => ({ categoryId: categoryId + 1n }),
  ),
  'renames the newest': alters(newest, ({ name }) => ({ name: `${name}x` })),
  'loses it for a while': spoils((_store, { asked: { pet }, hide }) => {
    if (pet !== undefined) hide(pet, { until: LATE });
    return pet !== undefined;
  }),
};

type Stored = Partial<Pick<Pet, 'id' | 'name' | 'categoryId' | 'status'>>;
type Change = (pet: Pet, asked: Asked, store: Store) => Stored;

/** Stores an animal that is not as sent; the 201 shows what is stored, or what was sent. */
const stores =
  (change: Change, shows: 'as stored' | 'as sent'): Effect =>
  ({ run, context: { parts }, asked, touched }) =>
    run({
      insert: async (store, pet) => {
        const stored = { ...pet, ...change(pet, asked, store) };
        if (JSON.stringify(parts.petRecord(stored, 'get')) !== JSON.stringify(parts.petRecord(pet, 'get'))) touched();
        const shown = await parts.insert(store, stored);
        return shows === 'as stored' ? shown : pet;
      },
    });

/** Changes of what was sent: a status that was not sent may be anything. */
const CHANGES: Readonly<Record<string, Change>> = {
  'the name shortened': ({ name }) => ({ name: name.slice(0, -1) }),
  'the name in small letters': ({ name }) => ({ name: name.toLowerCase() }),
  'the name in capitals': ({ name }) => ({ name: name.toUpperCase() }),
  'the name of the creation before': ({ name }, { lastNewPet }) => ({ name: lastNewPet?.name ?? name }),
  'the name cut to ten letters': ({ name }) => ({ name: name.slice(0, 10) }),
  'another category': ({ categoryId }) => ({ categoryId: categoryId + 1n }),
  'the category of the creation before': ({ categoryId }, { lastNewPet }) => ({ categoryId: lastNewPet?.categoryId ?? categoryId }),
  'category 1': () => ({ categoryId: 1n }),
  'another status': ({ status }, { newPet }) => (newPet?.status === undefined ? {} : { status: next(status) }),
  'no status': (_pet, { newPet }) => (newPet?.status === undefined ? {} : { status: undefined }),
  'status available': (_pet, { newPet }) => (newPet?.status === undefined ? {} : { status: 'available' }),
  'the status of the creation before': ({ status }, { newPet, lastNewPet }) =>
    newPet?.status === undefined ? {} : { status: lastNewPet?.status ?? status },
};
const STORES: Effects = named(
  Object.entries(CHANGES).flatMap(([name, change]) => [
    [`stores ${name}`, stores(change, 'as stored')] as const,
    [`stores ${name}, and shows what was sent`, stores(change, 'as sent')] as const,
  ]),
);

const afterInsert =
  (then: (store: Store, pet: Pet, deed: Deed) => boolean): Effect =>
  (deed) => {
    const { run, context, touched } = deed;
    return run({
      insert: async (store, pet) => {
        const shown = await context.parts.insert(store, pet);
        if (then(store, shown, deed)) touched();
        return shown;
      },
    });
  };

/** The previous animal in the store. */
const beforeIt = ({ animals }: Store): Pet | undefined => animals.at(-2);
const ofBefore = (alter: (pet: Pet, made: Pet) => Partial<Pet>): Effect =>
  afterInsert((store, made) => {
    const pet = beforeIt(store);
    if (pet !== undefined) Object.assign(pet, alter(pet, made));
    return pet !== undefined;
  });
const evicts = (which: (store: Store) => Pet | undefined): Effect =>
  afterInsert((store, made) => {
    const pet = which(store);
    if (pet === undefined || pet === made) return false;
    removePet(store, pet);
    return true;
  });
const forgets: Effect = ({ run, touched }) =>
  run({
    insert: (_store, pet) => {
      touched();
      return pet;
    },
  });

const CREATE: Effects = {
  ...FORM,
  ...onRecord('the 201'),
  ...STORES,
  'returns 200': withStatus(200),
  'returns 202': withStatus(202),
  'returns 400': rejects(400),
  'returns 401': rejects(401),
  'returns 404': rejects(404),
  'returns 409': rejects(409),
  'returns 400 and stores it': onReply((_reply, { context }) => problemReply(context, new Problem(400, 'rejected', 'This does not work'))),
  'shows the animal in an array': onText((text) => `[${text}]`),
  'shows the id only': onReply((reply) => withBody(reply, { id: membersOf(reply)['id'] })),
  'shows the animal before': async ({ run, touched, context: { parts, store } }) => {
    const last = newest(store);
    if (last !== undefined) touched();
    return run({ petRecord: (pet, place) => parts.petRecord(last ?? pet, place) });
  },
  'stores nothing': forgets,
  'stores it twice': afterInsert((store, pet, { context: { parts } }) => {
    addPet(store, { ...pet, id: parts.assignId(store, null) });
    return true;
  }),
  'stores it under another id than shown': ({ run, touched, context: { parts } }) =>
    run({
      insert: async (store, pet) => {
        touched();
        await parts.insert(store, { ...pet, id: parts.assignId(store, null) });
        return pet;
      },
    }),
  'gives it the id of the one before': ({ run, context: { parts }, touched }) =>
    run({
      assignId: (store, body) => {
        const last = newest(store);
        if (last !== undefined) touched();
        return last?.id ?? parts.assignId(store, body);
      },
    }),
  'takes the place of the one before': afterInsert((store, made) => {
    const pet = beforeIt(store);
    if (pet !== undefined) removePet(store, pet);
    return pet !== undefined && made !== pet;
  }),
  'evicts the oldest': evicts(oldest),
  'evicts one in the middle': evicts(({ animals }) => animals[Math.floor(animals.length / 2)]),
  'renames the one before': ofBefore((_pet, made) => ({ name: made.name })),
  'sells the one before': ofBefore(({ status }) => ({ status: next(status) })),
  'moves the one before to its category': ofBefore(({ categoryId }, made) => ({
    categoryId: made.categoryId === categoryId ? categoryId + 1n : made.categoryId,
  })),
  'shows it late': afterInsert((_store, pet, { hide }) => {
    hide(pet, { until: LATE });
    return true;
  }),
  'loses it a little later': afterInsert((_store, pet, { hide }) => {
    hide(pet, { from: 300 });
    return true;
  }),
  'loses the one before for a while': afterInsert((store, _made, { hide }) => {
    const pet = beforeIt(store);
    if (pet !== undefined) hide(pet, { until: LATE });
    return pet !== undefined;
  }),
};

const onError = (edit: (members: Members) => Members): Effect => onReply((reply) => withBody(reply, edit(membersOf(reply))));

/** What a server without validation stores: the readable part of the body, and defaults. */
function insertStandIn({ context: { parts, store }, asked: { text }, touched }: Deed): Promise<Pet> | Pet {
  touched();
  const name = /"name"\s*:\s*"([^"]*)"/.exec(text)?.[1] ?? 'Rex';
  return parts.insert(store, { name, categoryId: 1n, status: 'available', id: parts.assignId(store, null), createdAt: 0 });
}

/** Does what a valid request would have got. */
async function accepts(deed: Deed): Promise<Reply> {
  const { context, asked } = deed;
  const { parts, store, call } = context;
  if (call.operation === 'createPet') return jsonReply(context, 201, parts.petRecord(await insertStandIn(deed), 'create'));
  if (call.operation === 'listPets') return parts.listPets(context);
  const pet = asked.problem?.status === 404 ? oldest(store) : (store.animals.find(({ id }) => String(id) === call.petId) ?? oldest(store));
  return pet === undefined ? rejects(200)(deed) : jsonReply(context, 200, parts.petRecord(pet, 'get'));
}

/** Rejections have other ways to be wrong: a 401 that is a 403, a 404 that is a 410. */
const otherStatus = (statuses: Readonly<Record<number, number>>): Effect =>
  onReply((reply, { context }) => {
    const status = statuses[reply.status];
    return status === undefined ? reply : problemReply(context, new Problem(status, 'rejected', 'This does not work'));
  });

const REJECT: Effects = {
  ...FORM,
  'is accepted': accepts,
  'stores an animal': async (deed) => {
    const reply = await deed.right();
    if (deed.context.call.operation === 'createPet') await insertStandIn(deed);
    return reply;
  },
  'removes the newest': removes(newest),
  'renames the oldest': alters(oldest, ({ name }) => ({ name: `${name}x` })),
  'returns 200 with the Error': withStatus(200),
  'returns a status of the same family': otherStatus({ 400: 422, 401: 403, 404: 410 }),
  'returns a status of another rejection': otherStatus({ 400: 401, 401: 404, 404: 401 }),
  'returns a redirect': onReply((reply) => ({ ...reply, status: 302, headers: { ...reply.headers, location: '/v1/pets' } })),
  'returns an empty list': async ({ context }) => jsonReply(context, 200, []),
  'has no code': onError(({ code: _code, ...rest }) => rest),
  'has no message': onError(({ message: _message, ...rest }) => rest),
  'has no status': onError(({ status: _status, ...rest }) => rest),
  'has the code as a number': onError(change('code', () => numeral(7n))),
  'has the message null': onError(change('message', () => null)),
  'has the message in an array': onError(change('message', (members) => [textIn(members, 'message')])),
  'has the status as text': onError(change('status', (members) => String(numberIn(members, 'status')))),
  'has another status in the body': onError(change('status', (members) => numeral(numberIn(members, 'status') + 1n))),
  'has status 500 in the body': onError(change('status', () => numeral(500n))),
  'has the members under error': onError((members) => ({ error: { ...members } as never })),
  'is a page of HTML': onReply((reply) => ({
    ...reply,
    headers: { ...reply.headers, 'content-type': 'text/html' },
    body: '<!doctype html><title>No</title>',
  })),
  'is a text': onText(() => '"This does not work"'),
  'is an empty object': onText(() => '{}'),
};

/** All effects, by the kind of the request. They are only added to: `fingerprints.jsonl` records what each of them does in the walk. */
export const EFFECTS: Readonly<Record<Kind, Effects>> = { list: LIST, create: CREATE, get: GET, reject: REJECT };
