// Get an animal.

import { GONE_STATUSES, mayBeRemoved, REMOVED_STATUSES } from '../../src/clause/removal.ts';
import { describe, describeReceived, type Exchange, hasKey } from '../../src/oracle/exchange.ts';
import { expects } from '../../src/oracle/mechanisms.ts';
import type { Case, JudgedClause, Must, Rule } from '../../src/oracle/rule.ts';
import { loadOf, saysNothingOfRequest, wasShown } from '../../src/oracle/standing.ts';
import { timeline } from '../../src/oracle/timelines.ts';
import type { World } from '../../src/oracle/world.ts';
import { petView } from '../../src/schema/pet.ts';
import { isJsonObject, type Json } from '../../src/wire/json.ts';
import { AFTER } from './after.ts';

const idOf = ({ facts: { id } }: Exchange): bigint | undefined => (id?.kind === 'int64' ? id.value : undefined);

/** Timelines judge a 404, deprecation.still-works a removed operation. */
const SUCCESS: Rule = expects({
  of: (x, { asksForKnownAnimal }, { run }) => hasKey(x) && asksForKnownAnimal && !mayBeRemoved(run.now),
  ...{ statuses: [200], expected: ['200'] },
  isIgnored: ({ status = 0 }) => status === 404 || GONE_STATUSES.includes(status),
});

/** A 200 for an animal that is known to exist shows that animal, whatever else the query asks for. get.not-found judges unknown ids. */
const IDENTITY: Rule = {
  ...{ layer: 'values', judgesUndocumented: true },
  judge(exchange, _standing, world) {
    const petId = idOf(exchange);
    const { response } = exchange.read;
    if (exchange.facts.client.kind === 'undocumented' && !hasKey(exchange)) return undefined;
    if (petId === undefined || response?.status !== 200 || !response.json.ok || !isJsonObject(response.json.value)) return undefined;
    const { id } = response.json.value;
    // record.pet judges an id that is not an integer.
    if (!wasShown(petId, exchange, world) || (typeof id !== 'bigint' && !Number.isInteger(id))) return undefined;
    if (String(id) === String(petId)) return 'holds';
    const summary = `${describe(exchange)} returned animal ${String(id)}`;
    const failureKinds = [{ place: 'id', expected: 'the id asked for', received: 'another id' }];
    return { summary, expected: [`id ${petId}`], received: describeReceived(exchange), pointer: '/id', failureKinds };
  },
};

/** Whether an animal with that id is known to have existed by then. An animal that is created later may get the id. */
function wasThere(id: bigint, { done }: Exchange, { animals, seen }: World): boolean {
  const birth = animals.get(id)?.creation;
  return birth === undefined ? seen.has(id) : birth.at < done;
}

const lacksId = (value: Json): boolean => isJsonObject(value) && 'name' in value && 'categoryId' in value && petView(value) === undefined;

/** Whether the response may show the animal with that id: in a text that is not JSON, or without an id, as reads of created animals show theirs, too. */
function mayShowOwn(exchange: Exchange, { exchanges, animals }: World): boolean {
  const { response, status } = exchange;
  if (status !== 200 || response === undefined) return false;
  const { json, text } = response;
  if (!json.ok) return new RegExp(`"id":\\s*${idOf(exchange)}\\b`).test(text ?? '');
  if (!lacksId(json.value)) return false;
  return exchanges.some((other) => {
    const isOfCreated = animals.get(idOf(other) ?? 0n)?.creation !== undefined;
    return isOfCreated && other.response?.status === 200 && other.response.json.ok && lacksId(other.response.json.value);
  });
}

/** If the id happens to exist and shows its own animal, that is not a finding. */
const NOT_FOUND: Rule = {
  ...{ layer: 'status', blame: { simpler: { clauses: ['get.success', 'deprecation.still-works'] } } },
  of: (exchange, { asksForKnownAnimal }) => idOf(exchange) !== undefined && hasKey(exchange) && !asksForKnownAnimal,
  judge(exchange, told, world) {
    const id = idOf(exchange);
    const { status = 0, read } = exchange;
    if (id === undefined || !hasKey(exchange) || saysNothingOfRequest(exchange) || told.mayRejectClient) return undefined;
    if (wasThere(id, exchange, world) || read.pet?.id === id || mayShowOwn(exchange, world)) return undefined;
    if (mayBeRemoved(world.run.now) && REMOVED_STATUSES.includes(status)) return undefined;
    if (status === 404) return 'holds';
    const shown = read.pet === undefined ? String(status) : `animal ${read.pet.id}`;
    const summary = `${describe(exchange)} returned ${shown} for an id that no animal has; expected 404`;
    return {
      summary,
      expected: ['404 with an Error body'],
      received: describeReceived(exchange),
      ...(read.pet === undefined ? {} : { pointer: '/id' }),
    };
  },
};

/** No service has so many animals, and no scheme of ids is dense here. */
const FAR = 2n ** 60n;

/** Ids far beyond any do not exist; a service that shows an animal for several of them invents animals. */
function madeUp({ exchanges, animals }: World): readonly Case[] {
  const isFar = (id: bigint): boolean => id > FAR && id < 2n ** 63n - 2n;
  const shown = exchanges.filter((one) => hasKey(one) && isFar(idOf(one) ?? 0n) && one.read.pet?.id === idOf(one));
  const listed = new Set(shown.length < 2 ? [] : exchanges.flatMap(({ read: { pets = [] } }) => pets.map(({ id }) => id)));
  const alone = shown.filter((one) => !listed.has(idOf(one) ?? 0n) && animals.get(idOf(one) ?? 0n)?.creation === undefined);
  const [exchange, ...others] = alone;
  if (exchange === undefined || new Set(alone.map(idOf)).size < 2) return [];
  const summary = `${alone.length} ids beyond any returned an animal: the service makes up an animal for any id`;
  return [
    { exchange, others, breach: { summary, expected: ['404 with an Error body'], received: describeReceived(exchange), shown: alone } },
  ];
}

/** Reads of an id that two animals share: two stores, each with its own data, alternate; a single one shows one of them, or the other from then on. */
function shownInTurn({ exchanges, sharedIds }: World): readonly Case[] {
  const reads = exchanges.filter(
    (one) => hasKey(one) && one.read.pet !== undefined && one.read.pet.id === idOf(one) && sharedIds.has(one.read.pet.id),
  );
  return [...Map.groupBy(reads, (one) => idOf(one) ?? 0n)].flatMap(([animal, all]) => {
    const inOrder = all.toSorted((a, b) => a.number - b.number);
    const nameOf = (one: Exchange | undefined): string | undefined => one?.read.pet?.name;
    const changes = inOrder.filter((one, index) => index > 0 && nameOf(one) !== nameOf(inOrder[index - 1]));
    const exchange = changes.at(-1);
    const before = exchange === undefined ? undefined : inOrder[inOrder.indexOf(exchange) - 1];
    if (exchange === undefined || before === undefined || changes.length < new Set(inOrder.map(nameOf)).size) return [];
    const [first, second] = [before, exchange].map((one) => JSON.stringify(nameOf(one)));
    const summary = `GET /pets/${animal} shows ${first} and ${second} in turn`;
    const failureKinds = [{ place: 'animal', expected: 'one animal', received: 'several in turn' }];
    const breach = { summary, expected: ['one animal with that id'], received: `name ${second}`, failureKinds, shown: [before, exchange] };
    return [{ exchange, animal, others: [before], breach }];
  });
}

const any = (title: string, meets: Must['meets'] = () => true): Must => ({ title, meets });
const isOfCreated = ({ exchange }: Case, { animals }: World): boolean => animals.get(idOf(exchange) ?? 0n)?.creation !== undefined;
const ids = (title: string, is: (id: bigint) => boolean): Must => ({
  title,
  accepts: 'getPet',
  meets: ({ exchange }) => is(idOf(exchange) ?? 0n),
});
const INT32 = 2n ** 31n;
const isSmall = (id: bigint): boolean => id >= 0n && id < INT32;

export const get: readonly JudgedClause[] = [
  {
    id: 'get.success',
    rules: [SUCCESS, timeline('get.success', { after: AFTER['get.success'] })],
    must: [any('animals of others', (one, world) => !isOfCreated(one, world)), any('created animals', isOfCreated)],
  },
  {
    id: 'get.identity',
    rules: [IDENTITY],
    must: [any('reads of known animals'), any('at the same time as others', ({ exchange }, world) => loadOf(exchange, world).inFlight > 0)],
  },
  {
    id: 'get.not-found',
    rules: [NOT_FOUND, { layer: 'history', judgeAll: madeUp }],
    must: [ids('ids of 31 bits', isSmall), ids('negative ids', (id) => id < 0n), ids('larger ids', (id) => id >= INT32)],
  },
  {
    id: 'get.repeatable',
    rules: [timeline('get.repeatable', { after: AFTER['get.repeatable'] }), { layer: 'history', judgeAll: shownInTurn }],
    must: [any('repeated reads')],
  },
  { id: 'get.durable', rules: [timeline('get.durable', { after: AFTER['get.durable'] })], must: [any('repeated reads')] },
  {
    id: 'get.agrees-with-list',
    rules: [timeline('get.agrees-with-list', { after: AFTER['get.agrees-with-list'] })],
    must: [any('animals in a list and in a read')],
  },
];
