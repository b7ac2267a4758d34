import type { ClauseId } from '../../src/clause/clause.ts';
import { LARGEST_LIMIT } from '../../src/clause/limits.ts';
import type { TimelineCase } from '../../src/oracle/shapes.ts';
import { timelineCases } from '../../src/oracle/timelines.ts';
import { type Creation, creationsByAsker, creationsIn, isCreation, overlap, viewOf } from '../../src/oracle/view.ts';
import { type Case, type Event, eventOf, type World } from '../../src/oracle/world.ts';
import { asStatus, FIELDS, type Field, type NewPetInput } from '../../src/schema/pet.ts';
import type { CreateBody, CreateOptions } from '../../src/session/client/api.ts';
import { NO_CREDENTIAL } from '../../src/session/client/sending.ts';
import { describeResponse, isRejected } from '../../src/session/read-exchange.ts';
import type { Session } from '../../src/session/session.ts';
import { PET_STATUSES, type PetStatus } from '../../src/wire/exchange.ts';
import { isJsonObject, readJson, writeJson } from '../../src/wire/json.ts';
import { defineRules } from '../define.ts';
import { concurrentBatch } from '../stimuli/creations.ts';
import { onConnection } from '../stimuli/sending.ts';
import { showName } from './creations.ts';

const NAME = 'create.name-required';
const OWN_STATUS = 'create.independent/own-status';

const isConcurrent = ({ event }: Pick<Case, 'event'>, world: World): boolean =>
  creationsIn(world).some((one) => one.event === event && one.beside.length > 0);

/** A name without case, accents, and signs: of two that are then equal, a service may have made one of the other. */
const lettersOf = (name: unknown): string =>
  String(name)
    .normalize('NFKD')
    .replace(/[^a-z0-9]/gi, '')
    .toLowerCase();

/** The first response that shows a value of the animal that is not its own, but one of the others'. */
function takenFrom(others: readonly Event[], { event, shown }: Creation, field: Field) {
  const own = event.intent.sent?.[field];
  const isTaken = ({ pet }: Creation['shown'][number]): boolean =>
    pet[field] !== undefined && pet[field] !== own && others.some(({ intent }) => intent.sent?.[field] === pet[field]);
  return own === undefined ? undefined : shown.find(isTaken);
}

/**
 * Creations in flight at the same time do not mix their data. Where a creation that was alone shows another's value too, or a value is
 * always shown as that other one, the service changes it by a rule: that is not a mix-up.
 */
function judgeMixtures(world: World): readonly Case[] {
  const creations = creationsIn(world);
  const events = creations.map(({ event }) => event);
  const alone = creations.filter(({ beside }) => beside.length === 0);
  const isMixedAlone = (field: Field): boolean => alone.some((one) => takenFrom(events, one, field) !== undefined);
  const fields = isMixedAlone('name') ? [] : FIELDS.filter((field) => !isMixedAlone(field));
  /** Whether the 201, or else a read, shows that value of another one as it was sent. */
  const isKept = (field: Field, value: unknown, isIn201: boolean): boolean =>
    creations.some(({ event, shown }) =>
      shown.some((seen) => (seen.event === event) === isIn201 && event.intent.sent?.[field] === value && seen.pet[field] === value),
    );
  const taken = creations.flatMap((one) =>
    fields.flatMap((field) => {
      const by = takenFrom(one.beside, one, field);
      return by === undefined ? [] : [{ one, field, by, own: one.event.intent.sent?.[field], other: by.pet[field] }];
    }),
  );
  const isMixture = ({ one, by, field, own, other }: (typeof taken)[number]): boolean =>
    field === 'name' ? ![lettersOf(own), ''].includes(lettersOf(other)) : isKept(field, own, by.event === one.event);
  const mixed = new Set(taken.filter(isMixture).map(({ field }) => field));
  return creations.flatMap((one): Case[] => {
    const { event, id, beside, shown } = one;
    if (beside.length === 0 || fields.length === 0) return [];
    const [first] = taken.filter((each) => each.one === one && mixed.has(each.field));
    if (first === undefined) return [{ event, animal: id }];
    const { field, by, own, other } = first;
    const [expected = '', received = ''] = [own, other].map(
      (value) => `${field} ${field === 'name' ? showName(String(value)) : String(value)}`,
    );
    const where = by.event === event ? 'in its 201' : 'in the store';
    const summary = `creations at the same time were mixed up: an animal has the ${field} of another one ${where}: ${received}; expected ${expected}`;
    const giver = beside.find(({ intent }) => intent.sent?.[field] === other);
    const exchanges = [...new Set([...(giver === undefined ? [] : [giver]), event, by.event])].map(({ exchange }) => exchange);
    const others = shown.flatMap((seen) => (seen.pet[field] === own ? [] : [seen.event]));
    const failureKinds = [{ place: field, expected: 'the value sent', received: 'the value of another animal' }];
    return [
      { event, animal: id, others, breach: { summary, expected: [expected], received, pointer: `/${field}`, failureKinds, exchanges } },
    ];
  });
}

/** Clauses that say that an animal is not where it must be. */
const MISSING = ['list.complete', 'list.filter-complete', 'get.success', 'get.durable', 'list.read-only'] as const;
/** The number of creations in a row, and how many of them must be lost: fewer may be lost intermittently. */
const [BATCH, MANY_LOST] = [16, 4] as const;

/**
 * Whether a restart, and not a concurrent creation, lost the animal: of those that were created alone before it, more are gone since they were shown
 * than still exist.
 */
function lostByRestart(
  cases: readonly TimelineCase[],
  { births, concurrent }: { readonly births: readonly Event[]; readonly concurrent: ReadonlySet<bigint> },
): (one: TimelineCase) => boolean {
  const birthOf = new Map(births.map((event) => [event.pet?.id, event] as const));
  const sentBefore = ({ animal }: TimelineCase, moment: number): boolean => (birthOf.get(animal)?.sent ?? moment) < moment;
  const alone = cases.filter(({ animal = 0n }) => !concurrent.has(animal));
  const broken = new Set(alone.flatMap(({ animal, breach }) => (breach === undefined ? [] : [animal])));
  const gone = alone.filter(({ breach, shape }) => breach !== undefined && shape === 'gone');
  const kept = alone.filter(({ animal }) => !broken.has(animal));
  const animalsOf = (some: readonly TimelineCase[]): number => new Set(some.map(({ animal }) => animal)).size;
  return ({ animal }) => {
    const birth = birthOf.get(animal);
    if (birth === undefined) return false;
    const taken = gone.filter((one) => one.event.sent > birth.done && sentBefore(one, birth.sent));
    return animalsOf(taken) > animalsOf(kept.filter((one) => sentBefore(one, birth.sent)));
  };
}

/**
 * Animals that are created at the same time are not lost. Broken where of 16 animals created in a row at least 4 are in no place, or never shown by a
 * list or a read that must show them, all of these were created at the same time as others, and animals of the same status that were created alone
 * are shown. Otherwise the clause of the place judges it: list.complete, list.filter-complete, or get.success.
 */
function judgeLost(world: World): readonly Case[] {
  const births = world.events.filter((event) => isCreation(event) && event.pet !== undefined).toSorted((a, b) => a.sent - b.sent);
  const ids = births.map(({ pet }) => pet?.id ?? 0n);
  const concurrent = new Set(
    births.flatMap((event) => (event.pet !== undefined && births.some((other) => overlap(event, other)) ? [event.pet.id] : [])),
  );
  const cases = MISSING.flatMap((clause) => timelineCases(world, clause)).filter(({ field }) => field === undefined);
  // What only lists with a status lack may have another status, unless a read shows that it has this one.
  const { reads } = viewOf(world);
  const isRead = ({ animal = 0n, event: { intent } }: TimelineCase): boolean =>
    reads.get(animal)?.some(({ shown }) => shown.get(animal)?.status === intent.status) === true;
  // What was there and is gone was not lost when it was created.
  const isLost = ({ breach, shape }: TimelineCase): boolean => breach !== undefined && (shape === 'lost' || shape === 'missing');
  const isSwept = lostByRestart(cases, { births, concurrent });
  const broken = cases.filter((one) => isLost(one) && !isSwept(one) && (one.clause !== 'list.filter-complete' || isRead(one)));
  const lost = new Set(broken.flatMap(({ animal }) => animal ?? []));
  const kindOf = ({ clause, animal }: TimelineCase): string => `${clause} ${world.known.created.get(String(animal))?.sent.status}`;
  const found = new Set(cases.filter(({ breach, animal = 0n }) => breach === undefined && !concurrent.has(animal)).map(kindOf));
  const areManyLost = ids.some((_id, from) => ids.slice(from, from + BATCH).filter((id) => lost.has(id)).length >= MANY_LOST);
  const isOfConcurrency =
    [...lost].every((animal) => concurrent.has(animal)) && areManyLost && broken.some((one) => found.has(kindOf(one)));
  return cases.flatMap(({ event, animal = 0n, others = [], breach }): Case[] => {
    if (!concurrent.has(animal)) return [];
    if (breach === undefined) return lost.has(animal) ? [] : [{ event, animal, others }];
    if (!lost.has(animal)) return [];
    const summary = `created at the same time as others: ${breach.summary}`;
    return isOfConcurrency ? [{ event, animal, others, breach: { ...breach, summary } }] : [];
  });
}

function statusIn({ exchange: { request } }: Event): PetStatus | undefined {
  const reading = typeof request.body === 'string' ? readJson(request.body) : undefined;
  return reading?.ok === true && isJsonObject(reading.value) ? asStatus(reading.value['status']) : undefined;
}

/** The creation right before this one by the same part, which sends one after the other. */
function previousOf(event: Event, world: World): Event | undefined {
  const own = creationsByAsker(world).get(event.asker) ?? [];
  const previous = own[own.indexOf(event) - 1];
  return previous === undefined || own.some((other) => overlap(other, event) || overlap(other, previous)) ? undefined : previous;
}

/** A request with a status that services do not choose by themselves, and the creation without one that was sent right after it. */
type Pair = { readonly before: Event; readonly after: Creation; readonly status: PetStatus; readonly isAccepted: boolean };

function pairsIn(world: World): readonly Pair[] {
  return creationsIn(world).flatMap((after): Pair[] => {
    const before = statusIn(after.event) === undefined ? previousOf(after.event, world) : undefined;
    const status = before === undefined ? undefined : statusIn(before);
    if (before === undefined || status === undefined || status === 'available') return [];
    const isAccepted = before.pet !== undefined;
    return isAccepted || isRejected(before.exchange) ? [{ before, after, status, isAccepted }] : [];
  });
}

const OFTEN = 6;
const inherits = ({ after, status }: Pair): boolean => after.shown.find(({ pet }) => pet.status !== undefined)?.pet.status === status;

/** Whether another creation was in flight at that time: it may be the request before this one. */
const isDisturbed = ({ before, after: { event } }: Pair, { events }: World): boolean =>
  events.some((other) => isCreation(other) && other !== before && other !== event && other.sent < event.done && before.sent < other.done);

/** An animal without a status does not get that of the request before it: neither a default nor a rotation gives it six times out of six. */
function judgeInherited(world: World): readonly Case[] {
  return [...Map.groupBy(pairsIn(world), ({ isAccepted }) => isAccepted)].flatMap(([isAccepted, pairs]) => {
    const own = pairs.filter((pair) => !inherits(pair) && !isDisturbed(pair, world));
    const inherited = pairs.filter(inherits);
    if (own.length > 0 || inherited.length < OFTEN || new Set(inherited.map(({ status }) => status)).size === 1)
      return own.map(({ after }) => ({ event: after.event, animal: after.id }));
    return inherited.map(({ before, after, status }): Case => {
      const what = isAccepted ? 'the animal created just before' : 'the body rejected just before';
      const summary = `${inherited.length} times out of ${inherited.length}, an animal created without a status got the status of ${what}`;
      const expected = ['a status that does not depend on another request'];
      const exchanges = [before.exchange, after.event.exchange];
      const failureKinds = [{ place: 'status', expected: 'the status of no other request', received: 'the status of the request before' }];
      const breach = { summary, expected, received: status, pointer: '/status', failureKinds, exchanges };
      return { event: after.event, animal: after.id, others: [before], breach };
    });
  });
}

function judgeName(event: Event, world: World) {
  const { intent, pet, status, exchange } = event;
  if (!isCreation(event) || intent.bodyClause !== NAME) return 'not-applicable';
  const previous = previousOf(event, world);
  if (previous?.intent.sent === undefined || previous.pet === undefined) return 'not-applicable';
  if (isRejected(exchange)) return 'holds';
  if (pet === undefined || pet.id === previous.pet.id || pet.name !== previous.intent.sent.name) return 'not-applicable';
  return {
    summary: `POST /pets without name, after the creation of ${showName(pet.name)}, returned ${status} with that name; expected 400`,
    expected: ['400 with an Error body'],
    received: describeResponse(exchange),
    exchanges: [previous.exchange, exchange],
  };
}

function judgeAfterRejection(world: World): readonly Case[] {
  const { created } = world.known;
  const isAcceptedOtherwise = ({ intent }: Event): boolean =>
    created.values().some(({ plain, sent }) => plain && sent.status === intent.sent?.status);
  const pairs = world.events.flatMap((event) => {
    const previous = event.intent.body === 'plain' && isCreation(event) ? previousOf(event, world) : undefined;
    if (previous?.intent.body !== 'invalid' || !isRejected(previous.exchange)) return [];
    return [{ event, previous, isAcceptedBefore: previousOf(previous, world)?.pet !== undefined }];
  });
  // Grouped by part, because some parts send on a connection of their own, and others on shared ones; and by what the rejection is for.
  return [...Map.groupBy(pairs, ({ event, previous }) => `${event.asker} ${previous.intent.bodyClause}`).values()].flatMap(
    (all): Case[] => {
      // Once may be a creation that fails intermittently; where the creation before the rejection failed too, that is not the cause.
      const isRule =
        all.length > 1 &&
        all.every(({ event, isAcceptedBefore }) => isAcceptedBefore && isRejected(event.exchange) && isAcceptedOtherwise(event));
      if (!isRule) return all.flatMap(({ event }) => (event.pet === undefined ? [] : [{ event }]));
      return all.map(({ event, previous }) => {
        const summary = `a plain POST /pets right after a rejected one on the same connection returned ${event.status}; expected 201`;
        const exchanges = [previous.exchange, event.exchange];
        return { event, breach: { summary, expected: ['201 with the animal'], received: describeResponse(event.exchange), exchanges } };
      });
    },
  );
}

type Rejected = { readonly body: CreateBody; readonly options: CreateOptions };

/** A creation that must be rejected, made from the animal created before it and the one created after it. */
type Rejection = (before: NewPetInput, next: NewPetInput) => Rejected;

const nameless: Rejection = ({ name: _left, ...value }) => ({ body: { value }, options: { domain: 'invalid', clause: NAME } });

/** The next body with its mistake: its rejection is not the response to the corrected one. */
const uncorrected: Rejection = (_before, { categoryId: _left, ...value }) => ({
  body: { value },
  options: { domain: 'invalid', clause: 'create.category-required' },
});

/** A body with a longer name than the next one: nothing of it is left after the end of that one. */
const longer: Rejection = ({ name, ...value }) => ({
  body: { value: { ...value, name: `${name}Longer`, status: 'unknown' } },
  options: { domain: 'invalid', clause: 'create.status-invalid' },
});

/** Creations that are rejected for JSON that is cut off, and for the key, before any of the body needs to be read. */
const UNREAD: readonly Rejection[] = [
  (sent) => ({ body: { raw: writeJson(sent).slice(0, CUT_AT) }, options: { domain: 'invalid', clause: 'create.body-json' } }),
  (sent) => ({ body: { value: sent }, options: { domain: 'open', credential: NO_CREDENTIAL, before: 'the API key' } }),
];
/** Within the name, whatever its length. */
const CUT_AT = 12;

/** All of one trace, as requests that serve one user action are: it is no key of a request. */
const SAME_TRACE = [
  ['traceparent', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
  ['x-correlation-id', '4bf92f35-77b3-4da6-a3ce-929d0e0e4736'],
] as const;

/** What an earlier body on the connection must not complete: if it is accepted, the clause that forbids the body reports it. */
const INCOMPLETE = [
  { body: { raw: undefined }, clause: 'create.body-json' },
  { body: { value: {} }, clause: NAME },
] as const;

async function createBetween(
  s: Session,
  rejections: readonly Rejection[],
  { body: incomplete, clause }: (typeof INCOMPLETE)[number],
): Promise<void> {
  await onConnection(s, async (connection) => {
    const create = (value: NewPetInput) => s.api.create({ value }, { domain: 'plain', connection, headers: SAME_TRACE });
    let before = await s.fixtures.plain('sold');
    await create(before);
    for (const rejection of rejections) {
      const next = await s.fixtures.plain('pending');
      const { body, options } = rejection(before, next);
      const exchange = await s.api.create(body, { ...options, connection });
      // Another name than that of a body that may be stored.
      before = isRejected(exchange) ? next : await s.fixtures.plain('pending');
      await create(before);
    }
    await s.api.create(incomplete, { domain: 'invalid', clause, connection });
  });
}

async function rejectInTurn(s: Session): Promise<void> {
  const { name, categoryId, status } = await s.fixtures.plain('sold');
  const rejected: readonly (readonly [ClauseId, Readonly<Record<string, unknown>>])[] = [
    ['create.category-required', { name, status }],
    [NAME, { categoryId }],
    [NAME, { categoryId, status }],
    ['create.category-required', { name }],
  ];
  await onConnection(s, async (connection) => {
    for (const [clause, value] of rejected) await s.api.create({ value }, { domain: 'invalid', clause, connection });
  });
}

/** Twice after a rejection for a missing name, because once may be by chance, and once after each of the others. */
async function createInTurn(s: Session): Promise<void> {
  await createBetween(s, [nameless], INCOMPLETE[0]);
  await createBetween(s, [nameless, ...UNREAD, uncorrected, longer], INCOMPLETE[1]);
  await rejectInTurn(s);
}

/** Statuses of the previous requests: more than the six that it takes, because others may create animals at the same time. */
const BEFORE = ['sold', 'sold', 'pending', 'sold', 'pending', 'pending', 'sold', 'pending'] as const;
/** Pairs that are sent although one did not inherit: another part may have created an animal in between. */
const MOST_OTHERWISE = 2;

/** Sends requests with a status, each followed by a creation without one, for as long as that gets the same status. */
async function createAfter(s: Session, ask: (status: PetStatus) => Promise<unknown>): Promise<void> {
  let otherwise = 0;
  for (const status of BEFORE) {
    const before = s.knowledge.entries.length;
    await ask(status);
    const exchange = await s.api.create({ value: await s.fixtures.plain() }, { domain: 'plain' });
    const { pet } = eventOf(exchange);
    if (pet === undefined) return;
    const shown = pet.status ?? eventOf(await s.api.get(pet.id)).pet?.status;
    if (shown !== status) otherwise += s.knowledge.entries.length > before + 2 ? 1 : MOST_OTHERWISE + 1;
    if (otherwise > MOST_OTHERWISE) return;
  }
}

export const createIndependent = defineRules({
  id: 'create.independent',
  chapter: 'create-pet',
  section: 'Endpoints: 2. Add an animal',
  quote: [
    'Success: `201`, body is the created Pet, including the assigned `id`.',
    'If status is omitted on creation, the default is not stated.',
  ],
  level: 'implied',
  derivation:
    'Each request adds an animal from its own body, and each response is "the created Pet". Nothing makes a creation depend on a concurrent or an earlier one: the default for an omitted status, whatever it is, does not come from another body.',
  requirement:
    'Each animal is created from its own request only: concurrent creations do not mix their data, none is lost, and none inherits data from the request before it.',
  likelyCause:
    'Request data is kept in a field of a shared object (a controller, a bean, a module variable), or the store is read, changed, and written back as a whole.',
  rules: [
    { layer: 'history', judgeAll: judgeMixtures, after: ['create.id-assigned', 'get.identity', 'get.agrees-with-list', 'get.repeatable'] },
    { layer: 'history', judgeAll: judgeLost, after: ['get.repeatable'] },
    { layer: 'history', judgeAll: judgeInherited, after: ['create.answer'] },
    { layer: 'status', judge: judgeName },
    { layer: 'status', judgeAll: judgeAfterRejection },
  ],
  sent: [
    {
      id: 'answered-and-read',
      title: 'Sixteen concurrently created animals are returned and read with their own data',
      step: 'large-store',
      needs: ['creation'],
      exhaustive: true,
      effect: 'write',
      send: async (s) => {
        const { creations } = await concurrentBatch(s);
        const numbers = new Set(creations.map(({ exchange }) => exchange.number));
        const animals = [...s.knowledge.created.values()].filter(({ exchange }) => numbers.has(exchange.number));
        await s.all(animals, ({ id }) => s.api.get(id));
      },
      cases: isConcurrent,
      unmet: 'no two creations were under way at the same time',
    },
    {
      id: 'listed',
      title: 'Lists that have room for them show all sixteen concurrently created animals',
      step: 'large-store',
      needs: ['creation'],
      effect: 'write',
      send: async (s) => {
        await concurrentBatch(s);
        await s.all([{}, ...PET_STATUSES.map((status) => ({ status }))], (parameters) =>
          s.api.list({ ...parameters, limit: LARGEST_LIMIT }),
        );
      },
      cases: ({ event }) => event.intent.operation !== 'createPet',
      unmet: "the pages are full, and an animal on a later page can't be seen",
    },
    {
      id: 'same-connection',
      title: 'A creation on a reused connection is processed independently of the one before it',
      step: 'large-store',
      needs: ['creation'],
      effect: 'write',
      send: createInTurn,
    },
    {
      id: 'own-status',
      title: 'An animal created without a status does not inherit the status of the previous request, accepted or rejected',
      step: 'final',
      needs: ['creation'],
      effect: 'write',
      cases: (one, world) => one.event.asker === OWN_STATUS && !isConcurrent(one, world),
      send: async (s) => {
        await createAfter(s, async (status) => s.api.create({ value: await s.fixtures.plain(status) }, { domain: 'plain' }));
        await createAfter(s, async (status) => {
          const { categoryId } = await s.fixtures.plain();
          return s.api.create({ value: { categoryId, status } }, { domain: 'invalid', clause: NAME });
        });
      },
    },
  ],
});
