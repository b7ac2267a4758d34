// Add an animal: each creation by itself, and a rejected one leaves nothing.

import type { ClauseId } from '../../src/clause/clause.ts';
import type { TimelineCase } from '../../src/oracle/contradiction-clauses.ts';
import { describeReceived, type Exchange, hasKey, isCreation, isDocumented, isOverlapping } from '../../src/oracle/exchange.ts';
import { experiment, type Trial } from '../../src/oracle/experiment.ts';
import { absent, STORED } from '../../src/oracle/mechanisms.ts';
import type { Case, JudgedClause, Judgement, Rule } from '../../src/oracle/rule.ts';
import { concurrentCreations, creationBefore, isSettled, standingOf } from '../../src/oracle/standing.ts';
import { type Creation, creationsIn, timelineViewOf } from '../../src/oracle/timeline-view.ts';
import { timelineCases } from '../../src/oracle/timelines.ts';
import { lettersOf, nameSent, type World } from '../../src/oracle/world.ts';
import { FIELDS, type Field, type PetView } from '../../src/schema/pet.ts';
import { LEAST_REJECTION, LEAST_SERVER_ERROR, NOT_FOUND, UNAUTHORIZED } from '../../src/wire/statuses.ts';
import { AFTER } from './after.ts';
import { showName } from './create-values.ts';

const statusOf = ({ facts: { body } }: Exchange) => (body === undefined || body.kind === 'invalid' ? undefined : body.sent?.status);
const sentAs = ({ facts: { body } }: Exchange, field: Field) =>
  body === undefined || body.kind === 'invalid' ? undefined : body.sent?.[field];
const show = (field: Field, value: unknown): string => `${field} ${field === 'name' ? showName(String(value)) : String(value)}`;

/** The first response that shows a value of the animal that is not its own, but one of the others'. */
function takenFrom(others: readonly Exchange[], { sent, shown }: Creation, field: Field) {
  const own = sent[field];
  const isTaken = ({ pet }: Creation['shown'][number]): boolean =>
    pet[field] !== undefined && pet[field] !== own && others.some((other) => sentAs(other, field) === pet[field]);
  return own === undefined ? undefined : shown.find(isTaken);
}

/**
 * Creations in flight at the same time do not mix their data. Where a creation that was alone shows another's value too, or a value is always shown as that
 * other one, the service changes it by a rule: that is no mix-up.
 */
function mixtures(world: World): readonly Case[] {
  const creations = creationsIn(world);
  const all = creations.map(({ exchange }) => exchange);
  const alone = creations.filter(({ concurrent }) => concurrent.length === 0);
  const isMixedAlone = (field: Field): boolean => alone.some((one) => takenFrom(all, one, field) !== undefined);
  const fields = isMixedAlone('name') ? [] : FIELDS.filter((field) => !isMixedAlone(field));
  const isKept = (field: Field, value: unknown, isIn201: boolean): boolean =>
    creations.some(({ exchange, sent, shown }) =>
      shown.some((seen) => (seen.exchange === exchange) === isIn201 && sent[field] === value && seen.pet[field] === value),
    );
  const taken = creations.flatMap((one) =>
    fields.flatMap((field) => {
      const by = takenFrom(one.concurrent, one, field);
      return by === undefined ? [] : [{ one, field, by, own: one.sent[field], other: by.pet[field] }];
    }),
  );
  const isMixture = ({ one, by, field, own, other }: (typeof taken)[number]): boolean =>
    field === 'name' ? ![lettersOf(String(own)), ''].includes(lettersOf(String(other))) : isKept(field, own, by.exchange === one.exchange);
  const mixed = new Set(taken.filter(isMixture).map(({ field }) => field));
  return creations.flatMap((one): Case[] => {
    const { exchange, id, concurrent, shown } = one;
    if (concurrent.length === 0 || fields.length === 0) return [];
    const first = taken.find((each) => each.one === one && mixed.has(each.field));
    if (first === undefined) return [{ exchange, animal: id }];
    const { field, by, own, other } = first;
    const where = by.exchange === exchange ? 'in its 201' : 'in the store';
    const summary = `creations at the same time were mixed up: an animal has the ${field} of another one ${where}: ${show(field, other)}; expected ${show(field, own)}`;
    const giver = concurrent.find((each) => sentAs(each, field) === other);
    const others = shown.flatMap((seen) => (seen.pet[field] === own ? [] : [seen.exchange]));
    const failureKinds = [{ place: field, expected: 'the value sent', received: 'the value of another animal' }];
    const breach = { summary, expected: [show(field, own)], received: show(field, other), pointer: `/${field}`, failureKinds };
    return [
      { exchange, animal: id, others, breach: { ...breach, shown: [...(giver === undefined ? [] : [giver]), exchange, by.exchange] } },
    ];
  });
}

/** Clauses that say that an animal is not where it must be. */
const MISSING: readonly ClauseId[] = ['list.complete', 'list.filter-complete', 'get.success', 'get.durable', 'list.read-only'];
/** The number of creations in a row, and how many of them must be lost: fewer may be lost now and then. */
const [BATCH, MANY_LOST] = [16, 4];

/** Whether a restart lost the animal: of those created alone before it, more are gone since they were shown than still exist. */
function lostByRestart(
  cases: readonly TimelineCase[],
  births: readonly Exchange[],
  concurrent: ReadonlySet<bigint>,
): (one: TimelineCase) => boolean {
  const birthOf = new Map(births.map((one) => [one.read.pet?.id, one] as const));
  const wasBefore = ({ animal }: TimelineCase, at: number): boolean => (birthOf.get(animal)?.at ?? at) < at;
  const alone = cases.filter(({ animal = 0n }) => !concurrent.has(animal));
  const broken = new Set(alone.flatMap(({ animal, breach }) => (breach === undefined ? [] : [animal])));
  const animalsOf = (some: readonly TimelineCase[]): number => new Set(some.map(({ animal }) => animal)).size;
  return ({ animal }) => {
    const birth = birthOf.get(animal);
    if (birth === undefined) return false;
    const gone = alone.filter(
      (one) => one.breach !== undefined && one.shape === 'gone' && one.exchange.at > birth.done && wasBefore(one, birth.at),
    );
    return animalsOf(gone) > animalsOf(alone.filter((one) => !broken.has(one.animal) && wasBefore(one, birth.at)));
  };
}

/** Animals created at the same time are not lost: broken where several of a batch are, and none of those that were created alone. */
function lost(world: World): readonly Case[] {
  const births = world.creations.filter((one) => hasKey(one) && one.read.pet !== undefined).toSorted((a, b) => a.at - b.at);
  const idOf = ({ read }: Exchange): bigint => read.pet?.id ?? 0n;
  const concurrent = new Set(births.filter((one) => births.some((other) => isOverlapping(one, other))).map(idOf));
  const cases = MISSING.flatMap((clause) => timelineCases(world, clause)).filter(({ field }) => field === undefined);
  const { reads } = timelineViewOf(world);
  // What only lists with a status lack may have another status, unless a read shows that it has this one.
  const isRead = ({ animal = 0n, exchange: { facts } }: TimelineCase): boolean =>
    reads
      .get(animal)
      ?.some(({ shown }) => facts.list?.status.kind === 'documented' && shown.get(animal)?.status === facts.list.status.value) === true;
  const isSwept = lostByRestart(cases, births, concurrent);
  // What was there and is gone was not lost when it was created.
  const isLost = (one: TimelineCase): boolean =>
    one.breach !== undefined &&
    (one.shape === 'lost' || one.shape === 'missing') &&
    !isSwept(one) &&
    (one.clause !== 'list.filter-complete' || isRead(one));
  const broken = cases.filter(isLost);
  const gone = new Set(broken.flatMap(({ animal }) => animal ?? []));
  const kindOf = ({ clause, animal = 0n }: TimelineCase): string => `${clause} ${world.animals.get(animal)?.sent?.status}`;
  const found = new Set(cases.filter(({ breach, animal = 0n }) => breach === undefined && !concurrent.has(animal)).map(kindOf));
  const areMany = births.some((_one, from) => births.slice(from, from + BATCH).filter((one) => gone.has(idOf(one))).length >= MANY_LOST);
  const isOfConcurrency = areMany && [...gone].every((animal) => concurrent.has(animal)) && broken.some((one) => found.has(kindOf(one)));
  return cases.flatMap(({ exchange, animal = 0n, others = [], breach }): Case[] => {
    if (!concurrent.has(animal) || (breach === undefined) === gone.has(animal)) return [];
    if (breach === undefined) return [{ exchange, animal, others }];
    return isOfConcurrency
      ? [{ exchange, animal, others, breach: { ...breach, summary: `created at the same time as others: ${breach.summary}` } }]
      : [];
  });
}

/** A creation without a status, after a request with one that services do not choose by themselves. */
type Pair = { readonly before: Exchange; readonly after: Creation; readonly status: string };
const OFTEN = 6;

const isRejected = ({ status = 0 }: Exchange): boolean => status >= 400 && status !== 408 && status !== 429;

/** An animal without a status does not get that of the request before it: neither a default nor a rotation gives it six times out of six. */
function inherited(world: World): readonly Case[] {
  const pairs = creationsIn(world).flatMap((after): (Pair & { readonly isAccepted: boolean })[] => {
    const before = after.sent.status === undefined ? creationBefore(after.exchange, world) : undefined;
    const status =
      before === undefined
        ? undefined
        : (statusOf(before) ?? /"status"\s*:\s*"(pending|sold)"/.exec(Buffer.from(before.sent.body ?? []).toString())?.[1]);
    if (before === undefined || status === undefined || status === 'available') return [];
    const isAccepted = before.read.pet !== undefined;
    return isAccepted || isRejected(before) ? [{ before, after, status, isAccepted }] : [];
  });
  const inherits = ({ after, status }: Pair): boolean => after.shown.find(({ pet }) => pet.status !== undefined)?.pet.status === status;
  return [...Map.groupBy(pairs, ({ isAccepted }) => isAccepted)].flatMap(([isAccepted, all]): readonly Case[] => {
    const own = all.filter((pair) => !inherits(pair));
    const taken = all.filter(inherits);
    if (own.length > 0 || taken.length < OFTEN || new Set(taken.map(({ status }) => status)).size === 1)
      return own.map(({ after }) => ({ exchange: after.exchange, animal: after.id }));
    return taken.map(({ before, after, status }): Case => {
      const what = isAccepted ? 'the animal created just before' : 'the body rejected just before';
      const summary = `${taken.length} times out of ${taken.length}, an animal created without a status got the status of ${what}`;
      const breach = {
        summary,
        expected: ['a status that does not depend on another request'],
        received: status,
        pointer: '/status',
        failureKinds: [{ place: 'status', expected: 'the status of no other request', received: 'the status of the request before' }],
        shown: [before, after.exchange],
      };
      return { exchange: after.exchange, animal: after.id, others: [before], breach };
    });
  });
}

/** A body without a name does not get that of the animal created right before it. */
function inheritsName(exchange: Exchange, _told: unknown, world: World): Judgement {
  const {
    facts: { body },
    read: { pet },
    status,
  } = exchange;
  if (!hasKey(exchange) || body?.kind !== 'invalid' || body.clause !== 'create.name-required') return undefined;
  const previous = creationBefore(exchange, world);
  if (previous?.read.pet === undefined || nameSent(previous) === undefined) return undefined;
  if (isRejected(exchange)) return 'holds';
  if (pet === undefined || pet.id === previous.read.pet.id || pet.name !== nameSent(previous)) return undefined;
  const summary = `POST /pets without name, after the creation of ${showName(pet.name)}, returned ${status} with that name; expected 400`;
  return { summary, expected: ['400 with an Error body'], received: describeReceived(exchange), shown: [previous, exchange] };
}

/** Whether two creations came one after the other on one connection. */
const areOnConnection = (one: Exchange, other: Exchange): boolean =>
  one.response?.connection !== undefined && one.response.connection.id === other.response?.connection?.id;

/** Plain creations, exposed to a rejected one right before them; the control are those after an accepted one. */
function afterRejections(world: World): readonly Trial[] {
  return world.creations.flatMap((exchange): Trial[] => {
    if (!hasKey(exchange) || standingOf(exchange, world).body !== 'plain' || exchange.response === undefined) return [];
    const previous = creationBefore(exchange, world);
    if (previous === undefined || standingOf(exchange, world).mayRejectClient) return [];
    const { body } = previous.facts;
    const isExposed = body?.kind === 'invalid' && isRejected(previous) && areOnConnection(previous, exchange);
    if (!isExposed && previous.read.pet === undefined) return [];
    return [{ exchange, isExposed, isWrong: isRejected(exchange), group: String(statusOf(exchange)) }];
  });
}

const AFTER_REJECTION: Rule = {
  layer: 'status',
  judgeAll: experiment({
    ...{ trials: afterRejections, least: 2, share: 0.8, controls: 2 },
    breach: ({ exchange }, { wrong, exposed, controls }, world) => ({
      summary: `a plain POST /pets right after a rejected one on the same connection returned ${exchange.status}, ${wrong} times out of ${exposed}, and none of ${controls} others; expected 201`,
      ...{ expected: ['201 with the animal'], received: describeReceived(exchange) },
      shown: [...(creationBefore(exchange, world) === undefined ? [] : [creationBefore(exchange, world) as Exchange]), exchange],
    }),
  }),
};

// --- a rejected creation stores nothing, and removes nothing

/** A rejection says nothing about a valid value if the key, the time, or the rate was rejected, or if the service crashed. */
function isValueRejection(exchange: Exchange): boolean {
  const { status = UNAUTHORIZED, facts } = exchange;
  return isRejected(exchange) && (facts.body?.kind === 'invalid' || (status !== UNAUTHORIZED && status < LEAST_SERVER_ERROR));
}

/** A name that the suite made: no animal of others has it. */
const OWN_NAME = /conformance[a-z]{5,9}/i;

/** The names of this run in a creation: its name, and a plain name anywhere in the body. */
function namesIn(exchange: Exchange): readonly string[] {
  const name = nameSent(exchange);
  const inBody = OWN_NAME.exec(Buffer.from(exchange.sent.body ?? []).toString('utf8'))?.[0];
  return [...new Set([...(name !== undefined && OWN_NAME.test(name) ? [name] : []), ...(inBody === undefined ? [] : [inBody])])];
}

/** Names of creations with the key that were rejected; no other creation had the same name. */
function rejectedNames({ creations }: World): ReadonlyMap<string, Exchange> {
  const [rejected, accepted] = [new Map<string, Exchange>(), new Set<string>()];
  for (const one of creations.filter(hasKey))
    for (const name of namesIn(one)) isValueRejection(one) ? rejected.set(name, one) : accepted.add(name);
  return new Map([...rejected].filter(([name]) => !accepted.has(name)));
}

/** What services call an animal without a name. */
const NO_NAMES: readonly (string | undefined)[] = [undefined, '', 'null', 'undefined', 'None', 'Unnamed', 'unnamed', '42', '0'];
const isNameless = ({ name }: Pick<PetView, 'name'>): boolean => NO_NAMES.includes(name);
const NAME_CLAUSES: readonly string[] = ['create.name-required', 'create.name-type', 'create.body-object'];
const FEW = 2;

const lacksName = ({ facts: { body } }: Exchange): boolean => body?.kind === 'invalid' && NAME_CLAUSES.includes(body.clause);
const targetOf = ({ sent }: Exchange): string => sent.target;

/** Between two lists, rejected bodies without a name leave no animal without a name: two or more that no creation explains are no coincidence. */
function nameless({ exchanges, creations, animals }: World): readonly Case[] {
  const lists = exchanges.filter((one) => one.read.pets !== undefined && hasKey(one) && isDocumented(one));
  const rejections = creations.filter((one) => hasKey(one) && lacksName(one) && isRejected(one)).toSorted((a, b) => a.at - b.at);
  if (rejections.length === 0) return [];
  const accepted = new Set(creations.flatMap(({ status = 0, read }) => (status < LEAST_REJECTION ? (read.pet?.id ?? []) : [])));
  const firstShown = new Map<bigint, number>();
  for (const {
    read: { pets = [] },
    number,
  } of exchanges)
    for (const { id } of pets) firstShown.set(id, Math.min(number, firstShown.get(id) ?? number));
  const alike = Map.groupBy(lists, targetOf);
  return lists.flatMap((after): Case[] => {
    const rejection = rejections.findLast(({ done }) => done <= after.at);
    const before = alike.get(targetOf(after))?.findLast(({ done }) => rejection !== undefined && done <= rejection.at);
    if (before === undefined || rejection === undefined) return [];
    const all = (after.read.pets ?? []).filter(isNameless);
    const isOwn = ({ id }: PetView): boolean => animals.get(id)?.creation !== undefined;
    const fresh = all.filter((pet) => !isOwn(pet) && !accepted.has(pet.id) && (firstShown.get(pet.id) ?? 0) > before.number);
    // Creations whose responses were lost may have left some, too, and so may accepted ones whose animals no list shows under the id of the response.
    const mayHaveLeft = (post: Exchange): boolean => {
      const isMade = (post.status ?? 0) < LEAST_REJECTION && (lacksName(post) || NO_NAMES.includes(nameSent(post) ?? 'named'));
      return post.response === undefined || (isMade && (post.read.pet === undefined || !firstShown.has(post.read.pet.id)));
    };
    const lostOnes = creations.filter((post) => post.number < after.number && mayHaveLeft(post)).length;
    const [first] = fresh;
    if (first === undefined || fresh.length < FEW + lostOnes || all.some(isOwn)) return [{ exchange: after }];
    const summary = `a creation rejected with ${rejection.status} was stored as animal ${first.id}, ${showName(first.name)}`;
    const received = `${fresh.length} animals without a name that no creation explains`;
    return [
      {
        exchange: after,
        breach: {
          summary,
          ...{ expected: ['no animal from a rejected creation'], received, failureKinds: [STORED] },
          shown: [before, rejection, after],
        },
      },
    ];
  });
}

/** An animal that was read twice, and then not found right after creations that were rejected, and nothing else: nothing has shown it since. */
function removes(exchange: Exchange, _told: unknown, world: World): Judgement {
  const {
    facts: { id },
    at,
    status,
  } = exchange;
  const animal = id?.kind === 'int64' ? world.animals.get(id.value) : undefined;
  if (!hasKey(exchange) || animal?.creation === undefined) return undefined;
  const reads = (timelineViewOf(world).reads.get(animal.id) ?? []).map((look) => look.exchange).filter((one) => one.at <= at);
  const last = reads.findLastIndex((one) => one.read.pet?.id === animal.id && one !== exchange);
  const [earlier, seen, first = exchange] = [reads[last - 1], reads[last], reads[last + 1]];
  if (earlier?.read.pet?.id !== animal.id || seen === undefined) return undefined;
  const between = world.creations.filter((one) => one.done > seen.done && one.at < first.at);
  const rejected = between.filter((one) => one.facts.body?.kind === 'invalid' && isRejected(one));
  if (rejected.length === 0 || between.some((one) => one.read.pet !== undefined)) return undefined;
  if (exchange.read.pet?.id === animal.id) return 'holds';
  const isSeen = (one: Exchange): boolean =>
    one.at > at && !isCreation(one) && [...(one.read.pets ?? []), one.read.pet].some((pet) => pet?.id === animal.id);
  if (status !== NOT_FOUND || !isSettled(animal.since, exchange, world) || world.exchanges.some(isSeen)) return undefined;
  const summary = `animal ${animal.id} (${showName(animal.sent?.name)}) was created and read, then disappeared right after other creations were rejected`;
  return {
    summary,
    ...{ expected: [`200 with animal ${animal.id}`], received: '404' },
    failureKinds: [{ place: 'animal', expected: 'shown', received: 'missing' }],
    shown: [animal.creation, seen, ...rejected, exchange],
  };
}

export const createTogether: readonly JudgedClause[] = [
  {
    id: 'create.independent',
    rules: [
      { layer: 'history', judgeAll: mixtures, blame: { after: AFTER['create.independent'] } },
      { layer: 'history', judgeAll: lost, blame: { after: AFTER['create.independent: lost'] } },
      { layer: 'history', judgeAll: inherited, blame: { after: AFTER['create.independent: inherited'] } },
      { layer: 'status', judge: inheritsName },
      AFTER_REJECTION,
    ],
    must: [
      {
        title: 'at the same time',
        meets: ({ exchange }, world) => isCreation(exchange) && concurrentCreations(exchange, world).length > 0,
      },
      {
        title: 'one after the other',
        meets: ({ exchange }, world) => isCreation(exchange) && concurrentCreations(exchange, world).length === 0,
      },
    ],
  },
  {
    id: 'create.refused-stores-nothing',
    rules: [
      absent(rejectedNames, {
        says: 'although its creation was rejected',
        // An animal that was created with 201 and now shows this name was renamed, which is not judged here.
        isSpared: (id, { animals }) => animals.get(id)?.creation !== undefined,
      }),
      { layer: 'history', judgeAll: nameless },
      { layer: 'history', judge: removes },
    ],
    must: [{ title: 'lists and reads', accepts: 'createPet', meets: () => true }],
  },
];
