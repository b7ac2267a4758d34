// List animals.

import type { ClauseId } from '../../src/clause/clause.ts';
import { MORE_TOO_MANY, ONE_TOO_MANY } from '../../src/clause/failure-kind.ts';
import { DEFAULT_LIMIT } from '../../src/clause/limits.ts';
import { defaultPages, stalePages } from '../../src/oracle/default-page.ts';
import { describe, type Exchange, hasKey } from '../../src/oracle/exchange.ts';
import { bounds, expects } from '../../src/oracle/mechanisms.ts';
import type { Breach, Case, JudgedClause, Must, Rule, Simpler } from '../../src/oracle/rule.ts';
import { limitIn, statusIn } from '../../src/oracle/timeline-view.ts';
import { timeline } from '../../src/oracle/timelines.ts';
import type { World } from '../../src/oracle/world.ts';
import { asStatus } from '../../src/schema/pet.ts';
import { PET_STATUSES, type PetStatus } from '../../src/wire/exchange.ts';
import { isJsonObject, type Json } from '../../src/wire/json.ts';
import { oncePerObject } from '../../src/wire/once.ts';
import { AFTER } from './after.ts';

type Parameters = 'neither' | 'limit' | 'status' | 'both';

function parametersOf(exchange: Exchange): Parameters {
  const [limit, status] = [limitIn(exchange), statusIn(exchange)];
  if (limit === undefined) return status === undefined ? 'neither' : 'status';
  return status === undefined ? 'limit' : 'both';
}

/** Documented lists with these parameters return 200. */
const accepts = (parameters: Parameters, simpler?: Simpler): Rule =>
  expects({
    of: (x, { hasOnlyDocumentedParameters }) => hasKey(x) && hasOnlyDocumentedParameters && parametersOf(x) === parameters,
    ...{ statuses: [200], expected: ['200 with Pets'] },
    ...(simpler === undefined ? {} : { blame: { simpler } }),
  });

const itemsOf = ({ read: { response } }: Exchange): readonly Json[] =>
  response?.json.ok === true && Array.isArray(response.json.value) ? response.json.value : [];

/** Breaches of these kinds have the same reason in lists with one parameter and with both. */
const [TOO_LONG, STRANGER] = ['more animals than the limit', 'an animal with another status'];

function tooLong(exchange: Exchange, most: number): Breach | undefined {
  const { size } = exchange.read;
  if (size <= most) return undefined;
  const summary = `${describe(exchange)} returned ${size} animals; expected at most ${most}`;
  const received = size === most + 1 ? ONE_TOO_MANY : MORE_TOO_MANY;
  return {
    summary,
    ...{ expected: [`at most ${most} ${most === 1 ? 'animal' : 'animals'}`], received: `${size} animals`, symptom: TOO_LONG },
    failureKinds: [{ place: '[]', expected: 'at most as many animals as the limit', received }],
  };
}

/** The first animal without the requested status, or without any. record.pets judges values that are not a PetStatus. */
function strangerIn(exchange: Exchange, expected: PetStatus | undefined): Breach | undefined {
  const isStranger = (item: Json): boolean =>
    isJsonObject(item) && item['status'] !== expected && (item['status'] === undefined || asStatus(item['status']) !== undefined);
  const items = itemsOf(exchange);
  const index = items.findIndex(isStranger);
  const stranger = items[index];
  if (expected === undefined || !isJsonObject(stranger)) return undefined;
  const kindOf = (item: Json): string => (isJsonObject(item) && item['status'] === undefined ? 'missing' : 'another status');
  const kinds = new Set(items.filter(isStranger).map(kindOf));
  const { status } = stranger;
  const received = status === undefined ? 'no status' : `status ${JSON.stringify(status)}`;
  return {
    summary: `${describe(exchange)} returned an animal with ${received}`,
    ...{ expected: [`only animals with status "${expected}"`], received: `item ${index} has ${received}`, symptom: STRANGER },
    pointer: status === undefined ? `/${index}` : `/${index}/status`,
    failureKinds: [...kinds].map((kind) => ({ place: '[].status', expected: 'the status asked for', received: kind })),
  };
}

/** Whether so many animals are known that a list could exceed the limit. */
function holdsBack(limit: number, exchange: Exchange, { seen }: World): boolean {
  const status = statusIn(exchange);
  let alike = 0;
  for (const pet of seen.values()) if (status === undefined || pet.status === status) alike += 1;
  return alike > limit;
}

const isFilled = ({ read: { pets = [] } }: Exchange): boolean => pets.length > 0;

const LIMIT_DEFAULT = bounds(
  (x, { hasOnlyDocumentedParameters }) => hasOnlyDocumentedParameters && limitIn(x) === undefined,
  (x, world) => tooLong(x, DEFAULT_LIMIT) ?? (holdsBack(DEFAULT_LIMIT, x, world) ? undefined : 'no matter'),
);

const LIMIT_MAXIMUM = bounds(
  (x) => limitIn(x) !== undefined && x.facts.list?.status.kind === 'absent',
  (x, world) => tooLong(x, limitIn(x) ?? 0) ?? (holdsBack(limitIn(x) ?? 0, x, world) ? undefined : 'no matter'),
);

const STATUS_FILTER = bounds(
  (x) => statusIn(x) !== undefined && x.facts.list?.limit.kind === 'absent',
  (x) => (isFilled(x) ? strangerIn(x, statusIn(x)) : 'no matter'),
);

/** Whether a simpler list has one of the parameters of this one, with the same value, or none. */
function isPartOf(simpler: Exchange, own: Exchange): boolean {
  if (simpler.facts.list === undefined) return false;
  const [limit, status] = [limitIn(simpler), statusIn(simpler)];
  return (
    (limit === undefined || limitIn(own) === undefined || limit === limitIn(own)) && (status === undefined || status === statusIn(own))
  );
}

/** Whether it shows as many animals as its limit: a shorter one, of a store that had fewer then, does not show that the limit alone holds. */
const isFull = (one: Exchange): boolean => limitIn(one) === undefined || (one.read.pets ?? []).length >= (limitIn(one) ?? 0);

/** What ignores a limit ignores all smaller ones, and the next one. */
const hasSimilarLimit = (simpler: Exchange, own: Exchange): boolean =>
  simpler.facts.list?.status.kind === 'absent' && (limitIn(simpler) ?? Number.POSITIVE_INFINITY) <= (limitIn(own) ?? -1) + 1;

/** The first of both breaches, with the kinds of each. */
function eitherOf(one: Breach | undefined, other: Breach | undefined): Breach | undefined {
  const first = one ?? other;
  return first && { ...first, failureKinds: [...(one?.failureKinds ?? []), ...(other?.failureKinds ?? [])] };
}

const BOTH = bounds(
  (x, { hasOnlyDocumentedParameters }) => hasOnlyDocumentedParameters && parametersOf(x) === 'both',
  (x) => (isFilled(x) ? eitherOf(tooLong(x, limitIn(x) ?? 0), strangerIn(x, statusIn(x))) : 'no matter'),
  {
    simpler: {
      clauses: ['list.limit-maximum', 'list.status-filter'],
      isTwin: (simpler, own) => isPartOf(simpler, own) && isFull(simpler),
      isFallback: (simpler, own) => hasSimilarLimit(simpler, own) && isFull(simpler),
    },
  },
);

type Twice = { readonly id: number | bigint; readonly first: number; readonly second: number };

/** The animals that a list shows again, and how many it shows. Looked at once: a run judges its lists several times, and they may be long. */
const itemsTwice = oncePerObject((exchange: Exchange): { readonly twice: readonly Twice[]; readonly of: number } => {
  const places = new Map<number | bigint, number>();
  const twice: Twice[] = [];
  for (const [second, item] of itemsOf(exchange).entries()) {
    const { id } = isJsonObject(item) ? item : {};
    if (typeof id !== 'number' && typeof id !== 'bigint') continue;
    const first = places.get(id);
    if (first === undefined) places.set(id, second);
    else twice.push({ id, first, second });
  }
  return { twice, of: places.size };
});

/** A single animal proves nothing, and create.id-assigned judges an id that two creations got. */
const UNIQUE = bounds(
  (_x, { hasOnlyDocumentedParameters }) => hasOnlyDocumentedParameters,
  (exchange, { sharedIds }) => {
    const { twice, of } = itemsTwice(exchange);
    const isShared = (id: number | bigint): boolean => (typeof id === 'bigint' || Number.isSafeInteger(id)) && sharedIds.has(BigInt(id));
    const found = twice.find(({ id }) => !isShared(id));
    if (found === undefined) return of > 1 ? undefined : 'no matter';
    const { id, first, second } = found;
    const summary = `${describe(exchange)} returned animal ${id} twice`;
    return {
      summary,
      expected: ['each animal at most once'],
      received: `items ${first} and ${second} have id ${id}`,
      pointer: `/${second}/id`,
      failureKinds: [{ place: '[].id', expected: 'each animal once', received: 'an animal twice' }],
    };
  },
);

/** So often in a row, alternating: an animal that others keep buying and returning is not in every list by chance. */
const ROUNDS = 3;
const PAIRS = PET_STATUSES.flatMap((one, index) => PET_STATUSES.slice(index + 1).map((other) => [one, other] as const));

/** No animal has two statuses: broken if lists with one and lists with another, alternating, all show it. */
function underTwoStatuses({ exchanges, sharedIds }: World): readonly Case[] {
  return PAIRS.flatMap(([one, other]) => {
    const lists = exchanges.filter(
      (x) => x.facts.list?.limit.kind === 'absent' && hasKey(x) && [one, other].some((status) => status === statusIn(x)),
    );
    if (lists.length < 2 * ROUNDS) return [];
    const inRow = new Map<string, Exchange[]>();
    for (const exchange of lists) {
      const shown = new Map((exchange.read.pets ?? []).map((pet) => [`${pet.id} ${pet.name}`, pet]));
      for (const key of inRow.keys()) if (!shown.has(key)) inRow.delete(key);
      for (const [key, { id }] of shown) {
        const row = inRow.get(key) ?? [];
        const last = row.at(-1);
        if (!sharedIds.has(id) && (last === undefined || statusIn(last) !== statusIn(exchange))) row.push(exchange);
        inRow.set(key, row);
        if (row.length < 2 * ROUNDS) continue;
        const summary = `animal ${id} is listed under both status=${one} and status=${other}`;
        const received = `animal ${id} in ${row.length} lists with two different statuses`;
        const failureKinds = [{ place: '[].status', expected: 'a single status', received: 'two statuses' }];
        const breach = { summary, expected: ['each animal under a single status'], received, failureKinds, shown: row };
        return [{ exchange, animal: id, others: row, breach }];
      }
    }
    return [];
  });
}

const limits = (title: string, from: number, to = from): Must => ({
  title,
  accepts: 'listPets',
  meets: ({ exchange }) => (limitIn(exchange) ?? -1) >= from && (limitIn(exchange) ?? -1) <= to,
});
const LIMITS = [
  limits('limit 1', 1),
  limits('limit 2 to 19', 2, 19),
  limits('limit 20', 20),
  limits('limit 21 to 99', 21, 99),
  limits('limit 100', 100),
];
const STATUSES: readonly Must[] = PET_STATUSES.map((status) => ({
  title: `status ${status}`,
  accepts: 'listPets',
  meets: ({ exchange, others = [] }) => [exchange, ...others].some((one) => statusIn(one) === status),
}));
const ofFilled = (must: Must): Must => ({ ...must, meets: (one, world) => isFilled(one.exchange) && must.meets(one, world) });
const any = (title: string): Must => ({ title, meets: () => true });
const ofBirth = (title: string, isOwn: boolean): Must => ({
  title,
  meets: ({ animal }, { animals }) => animal !== undefined && (animals.get(animal)?.creation !== undefined) === isOwn,
});

const simplerList = (...clauses: readonly ClauseId[]): Simpler => ({ clauses });

export const list: readonly JudgedClause[] = [
  {
    id: 'list.success',
    rules: [accepts('neither')],
    must: [{ ...any('lists without parameters'), accepts: 'listPets' }],
  },
  { id: 'list.limit-accepted', rules: [accepts('limit', simplerList('list.success'))], must: LIMITS },
  { id: 'list.status-accepted', rules: [accepts('status', simplerList('list.success'))], must: STATUSES },
  {
    id: 'list.filter-with-limit',
    rules: [accepts('both', { clauses: ['list.success', 'list.limit-accepted', 'list.status-accepted'], isTwin: isPartOf }), BOTH],
    // An empty list keeps every limit, and shows no status.
    must: [...STATUSES, limits('limit 1 to 20', 1, 20), limits('limit 21 to 100', 21, 100)].map(ofFilled),
  },
  { id: 'list.limit-maximum', rules: [LIMIT_MAXIMUM], must: LIMITS },
  {
    id: 'list.limit-default',
    rules: [
      LIMIT_DEFAULT,
      { layer: 'history', judgeAll: defaultPages, early: defaultPages, blame: { after: AFTER['list.limit-default'] } },
    ],
    must: [any('lists without a limit'), { title: 'lists compared with limit=20', meets: ({ others }) => others !== undefined }],
  },
  {
    id: 'list.status-filter',
    rules: [STATUS_FILTER, { layer: 'history', judgeAll: underTwoStatuses, blame: { after: AFTER['list.status-filter'] } }],
    must: STATUSES,
  },
  { id: 'list.unique', rules: [UNIQUE], must: [any('lists of several animals')] },
  {
    id: 'list.complete',
    rules: [
      timeline('list.complete', { after: AFTER['list.complete'] }),
      { layer: 'history', judgeAll: stalePages, blame: { after: AFTER['list.complete'] } },
    ],
    must: [ofBirth('animals of others', false), ofBirth('created animals', true)],
  },
  {
    id: 'list.filter-complete',
    rules: [timeline('list.filter-complete', { after: AFTER['list.filter-complete'] })],
    must: STATUSES,
  },
  {
    id: 'list.read-only',
    rules: [timeline('list.read-only', { after: AFTER['list.read-only'] })],
    must: [any('repeated lists')],
  },
];
