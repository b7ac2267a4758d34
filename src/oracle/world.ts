// What the history says about the service: one fold. Nothing else remembers within a run.

import type { PetView } from '../schema/pet.ts';
import { schemaProblems } from '../schema/validators.ts';
import type { Received, Unsent } from '../session/history.ts';
import type { Sent } from '../session/vector.ts';
import { type HttpResponse, isSuccess, type Operation } from '../wire/exchange.ts';
import { isJsonObject } from '../wire/json.ts';
import { oncePerObject } from '../wire/once.ts';
import type { Allowed } from './allowed.ts';
import { membersIn, type SentPet } from './body-facts.ts';
import { clientValueOf, headersNamed, unusualSizeOf } from './client-facts.ts';
import { type Exchange, hasKey, isCreation, isDocumented } from './exchange.ts';
import { factsOf, type Parameter } from './facts.ts';
import { createLeftovers, type Leftovers } from './leftovers.ts';
import { createReaders, type Readers } from './readers.ts';

/** What a run knows in addition to its history: no rule asks the clock. */
export type Run = {
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly now: Date;
  /** Milliseconds until a creation is visible everywhere. */
  readonly window: number;
  readonly leftoverIds: readonly string[];
  /** Categories that the service has, as its user says. */
  readonly categoryIds?: readonly bigint[];
  /** What a service may reject of a client; all that the document leaves open, if that is not said. */
  readonly allowed?: readonly Allowed[];
};

export type Sight = { readonly exchange: Exchange; readonly pet: PetView };
/** `turn`: counts the responses to the request. `begins`: the one before shows something else, or not the animal. */
type KeptSight = Sight & { readonly turn: number; readonly begins: boolean };

export type Animal = {
  readonly id: bigint;
  /** The creation that returned its id first, and what it said; undefined for an animal of other clients. */
  readonly creation: Exchange | undefined;
  readonly sent: SentPet | undefined;
  /** When it existed at the latest. */
  readonly since: number;
  /** By what was asked for: the first sight, the last one, and each change, also from there to not there. */
  readonly sights: ReadonlyMap<string, readonly Sight[]>;
};

export type World = {
  readonly run: Run;
  /** In the order in which the exchanges ended, without those that were not read. */
  readonly exchanges: readonly Exchange[];
  readonly all: readonly Exchange[];
  readonly unsent: readonly Unsent[];
  readonly animals: ReadonlyMap<bigint, Animal>;
  /** Animals of others, as they were seen last; and when a response showed each animal first. */
  readonly seen: ReadonlyMap<bigint, PetView>;
  readonly shownFirst: ReadonlyMap<bigint, number>;
  readonly creations: readonly Exchange[];
  /** Ids that creations returned. */
  readonly returned: ReadonlySet<bigint>;
  /** Ids that several creations returned, or that another animal had. */
  readonly sharedIds: ReadonlySet<bigint>;
  readonly acceptedCategories: ReadonlySet<bigint>;
  /** By the name without what spellings differ in, creations and sights. */
  readonly names: ReadonlyMap<string, readonly Naming[]>;
  /** Operations of which a request with the key, as the document has it, was seen to succeed. */
  readonly accepted: ReadonlySet<Operation>;
  /** By `clientValueOf`, each unusual thing about clients that was accepted, with the largest size of it. */
  readonly acceptedClients: ReadonlyMap<string, number>;
  /** Requests with the key, or with a spelling of it that the service accepted, by connection; when those that succeeded were sent, by method and target, and by client. */
  readonly keyed: {
    readonly connections: ReadonlyMap<number, readonly Exchange[]>;
    readonly targets: ReadonlyMap<string, readonly number[]>;
    readonly clients: ReadonlyMap<string, readonly number[]>;
  };
  readonly cookies: ReadonlySet<string>;
  /** Whether a list showed an animal, or a creation returned its own name: without that, nothing passes. */
  readonly isCredible: boolean;
  readonly leftovers: Leftovers;
  readonly departures: ReturnType<Readers['departures']>;
};

export type Naming = { readonly name: string; readonly exchange: Exchange; readonly id: bigint | undefined };

/** A name without letter case, accents, and signs: of two that are then equal, a service may have made one of the other. */
export const lettersOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[^a-z0-9]/gi, '')
    .toLowerCase();

export const nameIn = oncePerObject(({ body }: Sent): string | undefined => {
  const [, name] = membersIn(body).find(([member]) => member === 'name') ?? [];
  return typeof name === 'string' ? name : undefined;
});

/** The name in the body of a creation, valid or not. */
export const nameSent = ({ sent }: Exchange): string | undefined => nameIn(sent);

export const userAgentOf = ({ sent: { headers } }: Exchange): string => headersNamed(headers, 'user-agent').join();

/** A service that ignores the limit, or a hostile one, may show millions. */
const MOST_SEEN = 5_000;
/** Animals of others whose sights are kept: more than are judged over time, and few enough for a service that lists thousands each time. */
const MOST_FOLLOWED = 1_000;

const UNDISTINGUISHING_HEADERS = ['authorization', 'traceparent', 'x-correlation-id', 'cookie'];

/** What a GET with the key asks for: two with the same key must show the same. */
export function keyOf(
  { sent: { headers, target }, facts: { list, id } }: Exchange,
  status: Parameter<unknown> | undefined = list?.status,
): string {
  const others = headers.flatMap(([name, value]) =>
    UNDISTINGUISHING_HEADERS.includes(name.toLowerCase()) ? [] : [`${name.toLowerCase()}: ${value}`],
  );
  const askedFor = (parameter: Parameter<unknown> | undefined): unknown => (parameter?.kind === 'documented' ? parameter.value : '');
  const asked =
    list === undefined
      ? id?.kind === 'int64'
        ? id.value
        : target
      : `list ${askedFor(list.limit)} ${askedFor(status)} ${list.otherParameters.join()}`;
  return [asked, ...others].join('\n');
}

const hasSameValues = (one: PetView, other: PetView): boolean =>
  one.name === other.name && one.categoryId === other.categoryId && one.status === other.status && one.gaps.length === other.gaps.length;

export const isErrorBody = ({ json }: HttpResponse): boolean =>
  json.ok && isJsonObject(json.value) && schemaProblems('error', json.value).length === 0;

type Growing = Omit<Animal, 'sights'> & { readonly sights: Map<string, KeptSight[]> };

/**
 * A fold over the history: the same exchanges give the same world, during the run and afterwards. Each is added as it ends; what `now` returns is judged
 * before the next one is added, because it grows with that, and what was found out about it is kept.
 */
export function createWorld(run: Run) {
  const received: Received[] = [];
  const unsent: Unsent[] = [];
  const readers = createReaders();
  let state = emptyState(run);
  /** Until something is added: what was found out about a world is kept with it. */
  let current: World | undefined;

  function fold(one: Received): void {
    const facts = state.factsOf(one.sent);
    const exchange: Exchange = { ...one, facts, status: one.response?.status, read: readers.read(one, facts) };
    state.all.push(exchange);
    if (exchange.isUnread) return;
    state.exchanges.push(exchange);
    take(state, exchange);
  }

  return {
    /** What the document says about a request, read back from its bytes once. */
    factsOf: state.factsOf,
    add(one: Received): void {
      current = undefined;
      received.push(one);
      const isNew = readers.note(one, state.factsOf(one.sent));
      // What was read before is read anew, with what this response has taught.
      if (isNew) state = emptyState(run, state.factsOf);
      for (const each of isNew ? received : [one]) fold(each);
    },
    skip(one: Unsent): void {
      current = undefined;
      unsent.push(one);
    },
    now(): World {
      current ??= { ...state, run, unsent, leftovers: state.leftovers.leftovers, departures: readers.departures() };
      return current;
    },
  };
}

function emptyState({ apiKey, leftoverIds }: Run, known?: (sent: Sent) => Exchange['facts']) {
  const animals = new Map<bigint, Growing>();
  const names = new Map<string, Naming[]>();
  return {
    ...{ all: [] as Exchange[], exchanges: [] as Exchange[], creations: [] as Exchange[], animals, names },
    ...{ seen: new Map<bigint, PetView>(), shownFirst: new Map<bigint, number>() },
    ...{ returned: new Set<bigint>(), sharedIds: new Set<bigint>() },
    ...{ acceptedCategories: new Set<bigint>(), accepted: new Set<Operation>(), acceptedClients: new Map<string, number>() },
    keyed: { connections: new Map<number, Exchange[]>(), targets: new Map<string, number[]>(), clients: new Map<string, number[]>() },
    ...{ cookies: new Set<string>(), turns: new Map<string, number>() },
    isCredible: false,
    followed: 0,
    leftovers: createLeftovers(
      leftoverIds,
      (id) => animals.get(id)?.creation !== undefined,
      (name) => names.get(lettersOf(name))?.some(({ exchange }) => isCreation(exchange)) === true,
    ),
    factsOf: known ?? oncePerObject((sent: Sent) => factsOf(sent, apiKey)),
  };
}

type State = ReturnType<typeof emptyState>;

function addTo<Key, Item>(map: Map<Key, Item[]>, key: Key, item: Item): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [item]);
  else known.push(item);
}

function take(state: State, exchange: Exchange): void {
  const { facts, status, response } = exchange;
  if (isCreation(exchange)) takeCreation(state, exchange);
  else if (hasKey(exchange) && isDocumented(exchange) && exchange.read.response?.status === 200) takeShown(state, exchange);
  if (response === undefined) return;
  if (hasKey(exchange) || (facts.credential.kind === 'open' && isSuccess(status))) takeKeyed(state.keyed, exchange);
  if (!hasKey(exchange)) return;
  for (const [name, value] of response.headers) if (name === 'set-cookie') state.cookies.add(value.split(';')[0]?.trim() ?? '');
  if (!isSuccess(status)) return;
  if (facts.body?.kind !== 'invalid') state.accepted.add(facts.operation);
  if (facts.client.kind !== 'unusual') return;
  for (const by of facts.client.by) {
    const value = clientValueOf(exchange.sent, by);
    state.acceptedClients.set(value, Math.max(unusualSizeOf(exchange.sent, by), state.acceptedClients.get(value) ?? 0));
  }
}

/** With the key, or with what a service may take for it and this one has taken. */
function takeKeyed({ connections, targets, clients }: State['keyed'], exchange: Exchange): void {
  const { sent, at, status, response } = exchange;
  if (response?.connection !== undefined) addTo(connections, response.connection.id, exchange);
  if (!isSuccess(status)) return;
  addTo(targets, `${sent.method} ${sent.target}`, at);
  addTo(clients, userAgentOf(exchange), at);
}

function keepFirst<Key>(map: Map<Key, number>, key: Key, moment: number): void {
  map.set(key, Math.min(moment, map.get(key) ?? Number.POSITIVE_INFINITY));
}

function takeCreation(state: State, exchange: Exchange): void {
  const { facts, read } = exchange;
  const { body } = facts;
  state.creations.push(exchange);
  const name = nameSent(exchange);
  const { pet } = read;
  if (name !== undefined) addTo(state.names, lettersOf(name), { name, exchange, id: pet?.id });
  if (pet !== undefined) state.returned.add(pet.id);
  if (!hasKey(exchange)) return;
  if (isSuccess(read.response?.status) && read.response !== undefined && !isErrorBody(read.response)) state.leftovers.enter(exchange);
  if (pet === undefined) return;
  state.isCredible ||= pet.name !== undefined && pet.name === name;
  keepFirst(state.shownFirst, pet.id, exchange.done);
  const known = state.animals.get(pet.id);
  const sendsId = body?.kind === 'open' && body.why === 'id';
  const before = state.seen.get(pet.id)?.name;
  if (!sendsId && (known?.creation !== undefined || (before !== undefined && before !== name && before !== pet.name)))
    state.sharedIds.add(pet.id);
  if (body === undefined || body.kind === 'invalid' || body.sent === undefined || known?.creation !== undefined) return;
  if (body.kind !== 'open') state.acceptedCategories.add(body.sent.categoryId);
  const sights = known?.sights ?? new Map<string, KeptSight[]>();
  state.animals.set(pet.id, { id: pet.id, creation: exchange, sent: body.sent, since: exchange.done, sights });
}

function takeShown(state: State, exchange: Exchange): void {
  const { read, facts } = exchange;
  const { response, pet, pets = [] } = read;
  if (response?.json.ok === true) state.leftovers.notice(response.json.value);
  // A read that shows another animal is no sight of either: get.identity judges it.
  if (pet !== undefined && (facts.id?.kind !== 'int64' || facts.id.value !== pet.id)) return;
  state.isCredible ||= pets.length > 0;
  const key = keyOf(exchange);
  const turn = (state.turns.get(key) ?? 0) + 1;
  state.turns.set(key, turn);
  for (const one of (pet === undefined ? pets : [pet]).slice(0, MOST_SEEN)) {
    const { id, name } = one;
    keepFirst(state.shownFirst, id, exchange.done);
    if (state.seen.size < MOST_SEEN || state.seen.has(id)) {
      if (name !== undefined && state.seen.get(id)?.name !== name) addTo(state.names, lettersOf(name), { name, exchange, id });
      state.seen.set(id, one);
    }
    const animal = state.animals.get(id) ?? {
      id,
      creation: undefined,
      sent: undefined,
      since: exchange.done,
      sights: new Map<string, KeptSight[]>(),
    };
    state.animals.set(id, animal);
    if (animal.creation === undefined && animal.sights.size === 0) {
      if (state.followed >= MOST_FOLLOWED) continue;
      state.followed += 1;
    }
    const sights = animal.sights.get(key) ?? [];
    animal.sights.set(key, sights);
    const last = sights.at(-1);
    const begins = last === undefined || last.turn < turn - 1 || !hasSameValues(last.pet, one);
    if (!begins && !last.begins) sights.pop();
    sights.push({ exchange, pet: one, turn, begins });
  }
}
