// Add an animal: what the 201 shows of it, and what is stored.

import type { ClauseId } from '../../src/clause/clause.ts';
import type { StatedKind } from '../../src/clause/failure-kind.ts';
import type { SentPet } from '../../src/oracle/body-facts.ts';
import {
  animalsShownIn,
  describeReceived,
  type Exchange,
  hasKey,
  isCreation,
  isDocumented,
  isOverlapping,
  quoted,
} from '../../src/oracle/exchange.ts';
import { expects } from '../../src/oracle/mechanisms.ts';
import type { Breach, Case, JudgedClause, Judgement, Rule } from '../../src/oracle/rule.ts';
import { isNameTaken, saysNothingOfRequest, standingOf } from '../../src/oracle/standing.ts';
import { timelineViewOf, unusualFieldsOf } from '../../src/oracle/timeline-view.ts';
import { timeline } from '../../src/oracle/timelines.ts';
import { nameSent, type Sight, type World } from '../../src/oracle/world.ts';
import { agreeOn, type Field, type PetView } from '../../src/schema/pet.ts';
import { NAME_PREFIX } from '../../src/session/compose.ts';
import { oncePerObject } from '../../src/wire/once.ts';
import { cleanText } from '../../src/wire/redact.ts';
import { BAD_REQUEST, CREATED, LEAST_REJECTION, LEAST_SERVER_ERROR, NOT_FOUND } from '../../src/wire/statuses.ts';
import { AFTER } from './after.ts';
import { describeBody, isSimplerCreation, plain, plainIn, STATUSES, WITHOUT_STATUS } from './create.ts';

const LONGEST_NAME = 60;
/** So many characters are shown in front of a difference. */
const BESIDE = 10;
export function showName(name: string | undefined): string {
  if (name === undefined) return 'no name';
  const shown = cleanText(quoted(name.slice(0, LONGEST_NAME)));
  return name.length <= LONGEST_NAME ? shown : `${shown}… of ${name.length} characters`;
}

const sentIn = ({ facts: { body } }: Exchange): SentPet | undefined =>
  body === undefined || body.kind === 'invalid' ? undefined : body.sent;

type Difference = { readonly field: Field; readonly expected: string; readonly received: string };

function shownField(field: Field, value: unknown, other: unknown): string {
  if (field !== 'name') return value === undefined ? `no ${field}` : `${field} ${String(value)}`;
  const [name, right] = [String(value), String(other)];
  if (right.length <= LONGEST_NAME || name === right) return `name ${showName(name)}`;
  // Of a long name, where it differs.
  let at = 0;
  while (at < name.length && name[at] === right[at]) at += 1;
  const from = Math.max(0, at - BESIDE);
  return `name ${showName(name)} (from character ${from + 1}: ${showName(name.slice(from))} in place of ${showName(right.slice(from))})`;
}

/** The fields in which a returned animal differs from what was sent; the status only if one was sent, and no unreadable fields. */
const differences = (sent: SentPet, pet: PetView): readonly Difference[] =>
  (['name', 'categoryId', 'status'] as const).flatMap((field) => {
    const isSame =
      pet.gaps.includes(field) || pet[field] === sent[field] || (field === 'status' ? sent.status === undefined : pet[field] === undefined);
    return isSame
      ? []
      : [{ field, expected: shownField(field, sent[field], sent[field]), received: shownField(field, pet[field], sent[field]) }];
  });

/** The kind of failure of a 201 that shows another value than was sent. */
const otherValue = (field: Field): StatedKind => ({ place: field, expected: 'the value sent', received: 'another value' });

/** `all`: whatever else differs in the same response. */
const breachOf = ({ field, expected, received }: Difference, summary: string, all: readonly Difference[]): Breach => ({
  summary,
  expected: [expected],
  received,
  pointer: `/${field}`,
  failureKinds: all.map((one) => otherValue(one.field)),
});

/** Where lists and reads show the animal of a creation. */
const sightsOf = (exchange: Exchange, world: World): readonly Sight[] => {
  const { pet } = exchange.read;
  const sights =
    pet === undefined || world.animals.get(pet.id)?.creation !== exchange
      ? []
      : [...(world.animals.get(pet.id)?.sights.values() ?? [])].flat();
  return sights.filter((sight) => sight.exchange.at >= exchange.at).toSorted((a, b) => a.exchange.at - b.exchange.at);
};

/** A 201 to a plain NewPet shows its name and categoryId; its status, where lists or reads show that it was stored. */
function judgePlain(exchange: Exchange, told: { readonly body: string }, world: World): Judgement {
  const sent = plainIn(exchange, standingOf(exchange, world));
  const { pet } = exchange.read;
  if (sent === undefined || pet === undefined || told.body !== 'plain') return undefined;
  const all = differences(sent, pet);
  const others = all.filter(({ field }) => field !== 'status');
  const [difference] = others;
  if (difference !== undefined) return breachOf(difference, `${difference.expected} was returned as ${difference.received}`, others);
  const [ofStatus] = all;
  if (ofStatus === undefined) return 'holds';
  const stored = sightsOf(exchange, world).find((sight) => sight.pet.status === sent.status);
  if (stored === undefined) return 'holds';
  return {
    ...breachOf(ofStatus, `${ofStatus.expected} was stored and returned as ${ofStatus.received}`, [ofStatus]),
    shown: [stored.exchange, exchange],
  };
}

/** The fields in which 201s to plain bodies differ as well: what is wrong there is no matter of what else a body has. */
const differingFields = oncePerObject(
  (world: World): ReadonlySet<Field> =>
    new Set(
      world.creations.flatMap((one) => {
        const sent = plainIn(one, standingOf(one, world));
        return sent === undefined || one.read.pet === undefined ? [] : differences(sent, one.read.pet).map(({ field }) => field);
      }),
    ),
);

/** Whether the three fields are plain, whatever else the body has: the clause of a value judges the unusual ones. */
function isPlainPart(exchange: Exchange): boolean {
  const { body } = exchange.facts;
  const sent = sentIn(exchange);
  if (sent === undefined || body?.kind === 'plain' || !/^[A-Za-z]{1,20}$/.test(sent.name)) return body?.kind === 'plain';
  if (body?.kind === 'open' && (body.why === 'integer spelled as a fraction' || body.why === 'repeated member' || body.why === 'encoding'))
    return false;
  return sent.categoryId === BigInt.asIntN(32, sent.categoryId);
}

/** A 201 to a NewPet that is not plain: the fields that are plain are still as they were sent. */
function judgeOthers(exchange: Exchange, told: { readonly body: string }, world: World): Judgement {
  const sent = sentIn(exchange);
  const { pet } = exchange.read;
  if (!hasKey(exchange) || sent === undefined || pet === undefined || (told.body !== 'open' && told.body !== 'unusual')) return undefined;
  if (told.body === 'open' && !isPlainPart(exchange)) return undefined;
  const unusual: readonly Field[] = told.body === 'unusual' ? unusualFieldsOf(exchange, world) : [];
  const all = differences(sent, pet).filter(({ field }) => !unusual.includes(field));
  const [difference] = all;
  if (difference === undefined) return 'holds';
  if (differingFields(world).has(difference.field)) return undefined;
  return breachOf(difference, `the 201 to ${describeBody(exchange)} shows ${difference.received}; expected ${difference.expected}`, all);
}

/** Whether the status may be that of another creation in flight: others that were sent with the right one are shown with it. */
function mayBeMixedUp(exchange: Exchange, { creations }: World): boolean {
  const status = sentIn(exchange)?.status;
  const isKept = (other: Exchange): boolean => other !== exchange && sentIn(other)?.status === status && other.read.pet?.status === status;
  return creations.some(isKept) && creations.some((other) => isOverlapping(exchange, other));
}

/** The kind of failure of an animal that is shown with another status than it was created with, or without one. */
const ofCreation = ({ status }: PetView): StatedKind => ({
  ...{ place: 'status', expected: 'the status of its creation', received: status === undefined ? 'missing' : 'another status' },
});

/** Broken where the 201 and all lists and reads show another status than was sent. Other clauses judge it where only one of them does. */
function judgeKept(exchange: Exchange, told: { readonly body: string }, world: World): Judgement {
  const sent = plainIn(exchange, standingOf(exchange, world));
  const { pet } = exchange.read;
  if (sent?.status === undefined || pet === undefined || pet.gaps.includes('status') || told.body !== 'plain') return undefined;
  if (pet.status === sent.status) return 'holds';
  const sights = sightsOf(exchange, world).filter((sight) => !sight.pet.gaps.includes('status'));
  const [first] = sights;
  if (first === undefined || sights.some((sight) => sight.pet.status === sent.status) || mayBeMixedUp(exchange, world)) return undefined;
  const summary = `an animal created as ${sent.status} is ${first.pet.status ?? 'without a status'}`;
  const received = shownField('status', first.pet.status, undefined);
  const failureKinds = [ofCreation(first.pet)];
  return { summary, expected: [`status ${sent.status}`], received, pointer: '/status', failureKinds, shown: [exchange, first.exchange] };
}

/** A list or a read shows the status that the service chose as its 201 did; get.agrees-with-list judges a list that omits it. */
function judgeChosen(exchange: Exchange, told: { readonly body: string }, world: World): Judgement {
  const sent = plainIn(exchange, standingOf(exchange, world));
  const { pet } = exchange.read;
  if (sent === undefined || sent.status !== undefined || pet?.status === undefined || told.body !== 'plain') return undefined;
  const sights = sightsOf(exchange, world).filter((one) => one.pet.status !== undefined || one.exchange.facts.operation === 'getPet');
  const [first] = sights;
  if (first === undefined) return undefined;
  if (sights.some((sight) => agreeOn('status', pet, sight.pet))) return 'holds';
  const summary = `an animal created without a status is ${pet.status} in the 201, but ${first.pet.status ?? 'without a status'} when it is read`;
  return {
    summary,
    expected: [`status ${pet.status}`],
    received: shownField('status', first.pet.status, undefined),
    pointer: '/status',
    failureKinds: [ofCreation(first.pet)],
    shown: [exchange, first.exchange],
  };
}

// --- unusual values

/** How names begin but for those that are special as a whole; no two are alike, and what a service makes of one still begins so. */
const BEGINNING = /^[A-Za-z]{18,20}/;
const beginningOf = (name: string | undefined): string | undefined => BEGINNING.exec(name ?? '')?.[0];

const showsOwn = (exchange: Exchange): boolean => {
  const name = beginningOf(exchange.read.pet?.name);
  return name !== undefined && sentIn(exchange)?.name.startsWith(name) === true;
};

/** Whether the 201 shows another animal, by the name that was sent for that one: that is no matter of a value. */
function showsOther(exchange: Exchange, { creations }: World): boolean {
  const name = beginningOf(exchange.read.pet?.name);
  if (name === undefined || sentIn(exchange)?.name.startsWith(name) !== false) return false;
  return creations.some((other) => nameSent(other)?.startsWith(name) === true);
}

type Unusual = {
  readonly clause: ClauseId;
  readonly field: 'name' | 'categoryId';
  readonly mayReject: (exchange: Exchange, world: World) => boolean;
};

function unusualClause({ clause, field, mayReject }: Unusual): readonly Rule[] {
  const isOf = (exchange: Exchange, world: World): boolean =>
    hasKey(exchange) &&
    exchange.facts.body?.kind !== 'open' &&
    standingOf(exchange, world).body === 'unusual' &&
    unusualFieldsOf(exchange, world).includes(field);
  // Of what both may be the reason of, the name tells.
  const isFirst = (exchange: Exchange, world: World): boolean => isOf(exchange, world) && unusualFieldsOf(exchange, world)[0] === field;
  // A 201 that does not even show plain values as they were sent, or those of others that are created at the same time.
  const simpler = {
    clauses: ['create.answer', 'create.independent'] as const,
    isTwin: isSimplerCreation,
    explains: ({ breach }: Case) => breach?.pointer === `/${field}`,
  };
  const inResponse =
    (isOwn: boolean) =>
    (exchange: Exchange, _told: unknown, world: World): Judgement => {
      const { pet } = exchange.read;
      const sent = sentIn(exchange)?.[field];
      if (showsOwn(exchange) !== isOwn || showsOther(exchange, world) || !isOf(exchange, world)) return undefined;
      if (sent === undefined || pet?.[field] === undefined || pet.gaps.includes(field)) return undefined;
      if (pet[field] === sent) return 'holds';
      const [expected, received] = [shownField(field, sent, sent), shownField(field, pet[field], sent)];
      const failureKinds = [otherValue(field)];
      return { summary: `${expected} was returned as ${received}`, expected: [expected], received, pointer: `/${field}`, failureKinds };
    };
  return [
    expects({
      of: (x, _s, w) => isFirst(x, w),
      ...{ statuses: [CREATED, BAD_REQUEST], expected: ['201 with the created Pet', '400 with an Error body'], judgesAsRead: true },
      note: (x) => (field === 'name' ? `with the name ${showName(sentIn(x)?.name)}` : `with categoryId ${sentIn(x)?.categoryId}`),
      isIgnored: (x, _s, w) => mayReject(x, w) || !w.accepted.has('createPet'),
      blame: { simpler: { clauses: ['create.success'], isTwin: isSimplerCreation } },
    }),
    { layer: 'values', judge: inResponse(false), blame: { after: AFTER['create.unusual: 201'], simpler } },
    { layer: 'values', judge: inResponse(true), blame: { after: AFTER['create.unusual: own 201'], simpler } },
    timeline(clause, { after: AFTER['create.unusual'] }),
  ];
}

/** Rejections that may say that there is no such category: whether one must exist is not shown. */
const UNKNOWN_CATEGORY = [403, 404, 409, 410, 422];
const [CONFLICT, UNPROCESSABLE] = [409, 422];

/** Whether a NewPet with the exact name of an animal before it got that status. */
const isForTaken = (status: number, { creations }: World): boolean =>
  creations.some((one) => {
    const name = sentIn(one)?.name;
    return (
      one.status === status && creations.some((other) => other.read.pet !== undefined && other.at < one.at && sentIn(other)?.name === name)
    );
  });

/** Length and uniqueness rules of name are not shown. A name without a plain beginning may be any animal's. */
function mayRejectName(exchange: Exchange, world: World): boolean {
  const { status = 0 } = exchange;
  const name = sentIn(exchange)?.name ?? '';
  const mayBeTaken = !/[A-Za-z]{12}/.test(name) || isNameTaken(name, exchange, world);
  return mayBeTaken && (status === CONFLICT || (status === UNPROCESSABLE && isForTaken(status, world)));
}

// --- ids

const sendsId = ({ facts: { body } }: Exchange): boolean => body?.kind === 'open' && body.why === 'id';

/** What else has the id by the time of the creation: another creation, or a response that shows an animal of another name. */
function distinct(world: World): readonly Case[] {
  if (world.creations.length === 0) return [];
  const made = new Map<bigint, Exchange>();
  const seen = new Map<bigint, { readonly exchange: Exchange; readonly name: string | undefined }>();
  const { listsMixIds } = timelineViewOf(world);
  return world.exchanges.flatMap((exchange): Case[] => {
    const { pet } = exchange.read;
    if (!isCreation(exchange)) {
      if (hasKey(exchange) && isDocumented(exchange) && (exchange.facts.operation !== 'listPets' || !listsMixIds))
        for (const { id, name } of animalsShownIn(exchange)) seen.set(id, { exchange, name });
      return [];
    }
    const name = sentIn(exchange)?.name;
    if (!hasKey(exchange) || pet === undefined || name === undefined) return [];
    const sight = seen.get(pet.id);
    const isOther = sight?.name !== undefined && sight.name !== pet.name && sight.name !== name;
    const owner = made.get(pet.id) ?? (isOther ? sight.exchange : undefined);
    if (!made.has(pet.id)) made.set(pet.id, exchange);
    if (sendsId(exchange) || !isDocumented(exchange)) return [];
    if (owner === undefined) return [{ exchange }];
    const summary = `a new animal received id ${pet.id}, which another animal already has`;
    return [
      {
        exchange,
        breach: {
          summary,
          expected: ['an id that no animal has'],
          received: describeReceived(exchange),
          pointer: '/id',
          failureKinds: [{ place: 'id', expected: 'an id that no animal has', received: 'the id of another animal' }],
          shown: [owner, exchange],
        },
      },
    ];
  });
}

/** Earlier runs may have left animals with any other name. */
const isOfThisRun = (name = ''): boolean => name.toLowerCase().includes(NAME_PREFIX.toLowerCase());

/** One creation makes one animal: no list and no read shows a second one under its name. */
function onlyOnce({ creations, exchanges }: World): readonly Case[] {
  const births = creations.filter((one) => hasKey(one) && isOfThisRun(sentIn(one)?.name) && one.read.pet !== undefined);
  const made = new Set(births.map(({ read }) => read.pet?.id));
  const posts = Map.groupBy(creations, (one) => nameSent(one) ?? '');
  const shownAs = new Map<string, Map<string, Map<bigint, Exchange>>>(births.map((one) => [one.read.pet?.name ?? '', new Map()]));
  for (const exchange of exchanges) {
    if (isCreation(exchange) || !hasKey(exchange) || !isDocumented(exchange)) continue;
    for (const { id, name = '' } of animalsShownIn(exchange)) {
      const places = shownAs.get(name);
      if (places === undefined) continue;
      const place = places.get(exchange.facts.operation) ?? new Map<bigint, Exchange>();
      places.set(exchange.facts.operation, place);
      if (!place.has(id)) place.set(id, exchange);
    }
  }
  return births.flatMap((exchange): Case[] => {
    const { id = 0n, name = '' } = exchange.read.pet ?? {};
    const seen = [...(shownAs.get(name)?.values() ?? [])].filter((shown) => shown.has(id));
    if (seen.length === 0 || posts.get(name)?.length !== 1) return [];
    const [second] = seen.flatMap((shown) => [...shown].filter(([other]) => other !== id && !made.has(other)));
    if (second === undefined) return [{ exchange, animal: id }];
    const summary = `one creation of ${showName(name)} created two animals: ${id}, as returned, and ${second[0]}`;
    const breach = {
      summary,
      expected: [`one animal with that name and id ${id}`],
      received: `animals ${id} and ${second[0]}`,
      failureKinds: [{ place: 'animal', expected: 'one animal', received: 'two animals' }],
      shown: [exchange, second[1]],
    };
    return [{ exchange, animal: id, breach }];
  });
}

/** The id that the body of a creation has, under whatever name mappers take for it. */
function clientIdIn(exchange: Exchange): { readonly id: bigint; readonly member: string } | undefined {
  if (!hasKey(exchange) || !sendsId(exchange)) return undefined;
  const [, member = '', digits = ''] =
    /"(id|ID|petId)"\s*:\s*"?(-?\d{1,19})"?/.exec(Buffer.from(exchange.sent.body ?? []).toString('utf8')) ?? [];
  return digits === '' ? undefined : { id: BigInt(digits), member };
}

const ADOPTED: StatedKind = { place: 'id', expected: 'an id of the service', received: 'the id sent' };
const REMOVED: StatedKind = { place: 'animal', expected: 'as it was', received: 'missing' };

/** The service may reject an id that the client sends, or ignore it, but does not adopt it. */
const NOT_ADOPTED: Rule = {
  ...{
    layer: 'values',
    blame: { simpler: { clauses: ['create.success'], isTwin: (one, _own, world) => plainIn(one, standingOf(one, world)) !== undefined } },
  },
  judge(exchange, told, { sharedIds, accepted }) {
    const client = clientIdIn(exchange);
    const {
      read: { pet },
      status = 0,
    } = exchange;
    if (client === undefined || saysNothingOfRequest(exchange) || told.mayRejectClient || sharedIds.has(client.id)) return undefined;
    const rest = { expected: ['400 with an Error body', '201 with an id assigned by the service'], received: describeReceived(exchange) };
    if (pet?.id === client.id)
      return { summary: `the service adopted id ${client.id}, which the client sent`, pointer: '/id', failureKinds: [ADOPTED], ...rest };
    if (status === CREATED) return pet === undefined ? undefined : 'holds';
    // If no creation succeeded, the id is probably not the reason for the rejection.
    if (status === BAD_REQUEST) return accepted.has('createPet') ? 'holds' : undefined;
    // The document leaves open how a service rejects other properties, and an id with another status than 400.
    const isOther = status > BAD_REQUEST && status < LEAST_SERVER_ERROR;
    if (client.member !== 'id' || isOther || status < LEAST_REJECTION) return undefined;
    return { summary: `POST /pets with id ${client.id} in the body returned ${status}; expected 201 or 400`, ...rest };
  },
};

/** Nothing shows the new animal under the id of the client, and an animal that had it before is still there. */
function storedUnder(world: World): readonly Case[] {
  const { exchanges, creations, sharedIds } = world;
  return creations.flatMap((creation): readonly Case[] => {
    const client = clientIdIn(creation);
    if (client === undefined || sharedIds.has(client.id)) return [];
    const { id } = client;
    const name = sentIn(creation)?.name;
    const shows = (one: Exchange): boolean =>
      !isCreation(one) && hasKey(one) && isDocumented(one) && animalsShownIn(one).some((pet) => pet.id === id);
    const sights = exchanges.filter(shows);
    const under = sights.find((one) => animalsShownIn(one).some((pet) => pet.id === id && pet.name !== undefined && pet.name === name));
    const isRead = (one: Exchange): boolean => one.facts.id?.kind === 'int64' && one.facts.id.value === id && one.at >= creation.done;
    if (under !== undefined) {
      const summary = `the new animal is stored under id ${id}, which the client sent`;
      const breach = {
        summary,
        expected: ['404, or a different animal'],
        received: describeReceived(under),
        pointer: '/id',
        failureKinds: [ADOPTED],
        shown: [creation, under],
      };
      return [{ exchange: under, breach }];
    }
    // What other clients removed before was not there to be lost.
    const isGone = (one: Exchange): boolean => one.facts.id?.kind === 'int64' && one.facts.id.value === id && one.status === NOT_FOUND;
    const isLost = creation.status === CREATED && sights.length > 0 && sights.every(({ at }) => at < creation.at);
    const wasGone = exchanges.some((one) => isGone(one) && one.at < creation.at);
    const lost = isLost && !wasGone ? exchanges.findLast((one) => isGone(one) && one.at >= creation.done) : undefined;
    if (lost !== undefined) {
      const summary = `a creation with the id of animal ${id} removed that animal`;
      const breach = { summary, expected: [`animal ${id} as it was`], received: '404', failureKinds: [REMOVED], shown: [creation, lost] };
      return [{ exchange: lost, animal: id, breach }];
    }
    return exchanges.flatMap((exchange) => (isRead(exchange) && exchange.response !== undefined ? [{ exchange }] : []));
  });
}

const any = (title: string) => [{ title, meets: () => true }];
const VALUES = 'values' as const;

export const createValues: readonly JudgedClause[] = [
  {
    id: 'create.answer',
    rules: [judgePlain, judgeOthers].map((judge): Rule => ({ layer: VALUES, judge, blame: { after: AFTER['create.answer'] } })),
    must: [
      { title: 'plain bodies', meets: ({ exchange }, world) => standingOf(exchange, world).body === 'plain' },
      { title: 'other bodies', meets: ({ exchange }, world) => standingOf(exchange, world).body !== 'plain' },
    ],
  },
  {
    id: 'create.status-optional',
    rules: [
      plain('create.status-optional', ({ status }) => status !== undefined),
      { layer: VALUES, judge: judgeChosen, blame: { after: AFTER['create.status-optional'] } },
    ],
    must: [WITHOUT_STATUS],
  },
  {
    id: 'create.status-values',
    rules: [plain('create.status-values', ({ status }) => status === undefined), { layer: VALUES, judge: judgeKept }],
    must: STATUSES,
  },
  {
    id: 'create.round-trip',
    rules: [timeline('create.round-trip', { after: AFTER['create.round-trip'] })],
    must: any('lists and reads'),
  },
  {
    id: 'create.unusual-names',
    rules: unusualClause({ clause: 'create.unusual-names', field: 'name', mayReject: mayRejectName }),
    must: any('unusual names'),
  },
  {
    id: 'create.unusual-categories',
    rules: unusualClause({
      ...{ clause: 'create.unusual-categories', field: 'categoryId' },
      mayReject: ({ status = 0 }) => UNKNOWN_CATEGORY.includes(status),
    }),
    must: any('unusual categories'),
  },
  {
    id: 'create.id-assigned',
    rules: [
      { layer: 'history', judgeAll: distinct },
      { layer: 'history', judgeAll: onlyOnce },
    ],
    must: [
      { title: 'creations alone', meets: (one) => one.animal === undefined },
      {
        title: 'creations at the same time',
        meets: ({ exchange }, { creations }) => creations.some((other) => isOverlapping(exchange, other)),
      },
      { title: 'names shown', meets: (one) => one.animal !== undefined },
    ],
  },
  {
    id: 'create.id-not-adopted',
    rules: [NOT_ADOPTED, { layer: 'history', judgeAll: storedUnder, blame: { after: AFTER['create.id-not-adopted'] } }],
    must: [
      { title: 'responses', meets: ({ exchange }) => isCreation(exchange) },
      { title: 'reads afterwards', meets: ({ exchange }) => !isCreation(exchange) },
    ],
  },
];
