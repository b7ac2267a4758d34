// What only the history knows about a request: whether its category is accepted, its name free, its animal there, its client accepted before, and what came
// before it.

import { isJsonObject } from '../wire/json.ts';
import { oncePerObject } from '../wire/once.ts';
import { postponement } from '../wire/rate-limit.ts';
import { cleanText } from '../wire/redact.ts';
import { BAD_REQUEST, CONTENT_TOO_LARGE, FORBIDDEN, LEAST_ERROR, QUOTAS } from '../wire/statuses.ts';
import { ALLOWED } from './allowed.ts';
import { clientValueOf, type UnusualClient, unusualSizeOf } from './client-facts.ts';
import { type Exchange, hasKey, isCreation, isDocumented, isOverlapping } from './exchange.ts';
import { isErrorBody, lettersOf, userAgentOf, type World } from './world.ts';

export type Standing = {
  readonly asksForKnownAnimal: boolean;
  /** `plain`: 201. `unusual`: 201 as sent, or 400. `open`: also where a name is taken, in another letter case, or creations have stopped. */
  readonly body: 'none' | 'plain' | 'unusual' | 'open' | 'invalid';
  /** Apart from the credential. */
  readonly mustSucceed: boolean;
  readonly hasOnlyDocumentedParameters: boolean;
  /** Whether the client may be rejected like this: it is unusual, and this service does not accept it. */
  readonly mayRejectClient: boolean;
  /** Without the key: whether and how a request with it came before this one; undefined where that is not known. */
  readonly afterKey: Readonly<Record<AfterKey, boolean | undefined>> | undefined;
};

/** On the same connection, a creation on the same connection, for the same target, from the same client. */
export const AFTER_KEY = ['connection', 'creation', 'target', 'client'] as const;
export type AfterKey = (typeof AFTER_KEY)[number];

const made = new WeakMap<World, WeakMap<Exchange, Standing>>();

export function standingOf(exchange: Exchange, world: World): Standing {
  const known = made.get(world) ?? new WeakMap<Exchange, Standing>();
  made.set(world, known);
  const standing = known.get(exchange) ?? judgeStanding(exchange, world);
  known.set(exchange, standing);
  return standing;
}

function judgeStanding(exchange: Exchange, world: World): Standing {
  const { facts } = exchange;
  const { list, operation } = facts;
  const asksForKnownAnimal = facts.id?.kind === 'int64' && wasShown(facts.id.value, exchange, world);
  const body = bodyOf(exchange, world);
  const areDocumented = list !== undefined && list.limit.kind !== 'open' && list.status.kind !== 'open';
  const isRight = operation === 'listPets' ? areDocumented : operation === 'getPet' ? asksForKnownAnimal : body === 'plain';
  return {
    ...{
      asksForKnownAnimal,
      body,
      mustSucceed: isRight && isDocumented(exchange),
      hasOnlyDocumentedParameters: areDocumented && list.otherParameters.length === 0,
    },
    mayRejectClient: mayRejectClient(exchange, world),
    afterKey: afterKey(exchange, world),
  };
}

/** Whether a response had shown the animal before the request was sent, or its own does. */
export function wasShown(id: bigint, { at, read }: Exchange, world: World): boolean {
  if (!world.animals.has(id) && !world.seen.has(id)) return false;
  return read.pet?.id === id || (world.shownFirst.get(id) ?? at) <= at;
}

/** A service that has accepted what is unusual about a client, or more of it, does not reject a request for it. */
function mayRejectClient({ facts: { client }, status, sent }: Exchange, { acceptedClients, run: { allowed = ALLOWED } }: World): boolean {
  if (client.kind !== 'unusual') return false;
  const isNew = (by: UnusualClient): boolean => unusualSizeOf(sent, by) > (acceptedClients.get(clientValueOf(sent, by)) ?? 0);
  return allowed.some((one) => one.status === status && client.by.includes(one.by) && isNew(one.by));
}

/** The letter case of a name: capitals at the beginnings of words, as the suite writes them; undefined for a mixture. */
const letterCaseOf = (name: string): 'words' | 'lower' | 'upper' | undefined =>
  /^(?:[A-Z][a-z]+)+$/.test(name) ? 'words' : /^[a-z]+$/.test(name) ? 'lower' : /^[A-Z]+$/.test(name) ? 'upper' : undefined;

/** The letter case that all names of others share, which a service may require; else that of the suite. */
export const usualLetterCase = oncePerObject(({ animals }: World): ReturnType<typeof letterCaseOf> => {
  const names = [...animals.values()].flatMap(({ creation, sights }) =>
    creation === undefined ? (sights.values().next().value?.[0]?.pet.name ?? []) : [],
  );
  const spelled = names.filter((name) => /\p{Lu}|\p{Ll}/u.test(name));
  if (spelled.length === 0) return 'words';
  if (spelled.every((name) => name === name.toLowerCase())) return 'lower';
  return spelled.every((name) => name === name.toUpperCase()) ? 'upper' : 'words';
});

const acceptedLetterCases = oncePerObject(
  ({ creations }: World): ReadonlySet<string | undefined> =>
    new Set(
      creations.flatMap(({ facts: { body }, read }) =>
        body?.kind === 'plain' && read.pet !== undefined ? [letterCaseOf(body.sent.name)] : [],
      ),
    ),
);

/**
 * Categories that a plain NewPet may have: of those accepted, the first one, and those that animals of others have. While none is accepted, any that an
 * animal has.
 */
const usualCategories = oncePerObject(({ acceptedCategories, animals }: World): ReadonlySet<bigint> => {
  const ofOthers = new Set<bigint>();
  for (const { creation, sights } of animals.values()) {
    const category = creation === undefined ? sights.values().next().value?.[0]?.pet.categoryId : undefined;
    if (category !== undefined) ofOthers.add(category);
  }
  if (acceptedCategories.size === 0) return ofOthers;
  const [first = 0n] = acceptedCategories;
  return new Set([first, ...ofOthers].filter((one) => acceptedCategories.has(one)));
});

function bodyOf(exchange: Exchange, world: World): Standing['body'] {
  const { body } = exchange.facts;
  if (body === undefined) return 'none';
  if (isRejectedByStop(exchange, world) || isOfUnknownCategory(exchange, world)) return 'open';
  // Other unusual names may resemble it; an earlier run may have left the same one.
  if (body.kind === 'unusual' && isNameTaken(body.sent.name, exchange, world, (other) => other === body.sent.name)) return 'open';
  if (body.kind !== 'plain') return body.kind;
  const { name, categoryId } = body.sent;
  const usual = usualCategories(world);
  if (usual.size > 0 && !usual.has(categoryId)) return 'unusual';
  const letterCase = letterCaseOf(name);
  const isInForm = letterCase !== undefined && (letterCase === usualLetterCase(world) || acceptedLetterCases(world).has(letterCase));
  return isInForm && !isNameTaken(name, exchange, world) ? 'plain' : 'open';
}

/** Whether another creation, or another animal, has or may have almost that name. */
export function isNameTaken(name: string, exchange: Exchange, { names }: World, isAlike = (_other: string): boolean => true): boolean {
  return (names.get(lettersOf(name)) ?? []).some((one) => {
    if (!isAlike(one.name)) return false;
    if (one.exchange === exchange || one.exchange.at > exchange.done) return false;
    if (!isCreation(one.exchange)) return one.exchange.done <= exchange.at;
    return hasKey(one.exchange) && (one.exchange.status ?? 0) < LEAST_ERROR;
  });
}

const LEAST_QUOTA_REJECTIONS = 2;

function isOfQuota(exchange: Exchange, world: World): boolean {
  const { response, status = 0, facts } = exchange;
  const mayHaveKey = hasKey(exchange) || facts.credential.kind === 'open';
  if (!mayHaveKey || !QUOTAS.includes(status) || response === undefined) return false;
  const isOfBody = status === CONTENT_TOO_LARGE && (facts.framing === 'chunked' || mayRejectClient(exchange, world));
  return !isOfBody && isErrorBody(response);
}

/** From when on, and with which status, every creation is rejected, plain ones too: at once if none was ever accepted. */
const quotaOf = oncePerObject((world: World): { readonly from: number; readonly status: number } | undefined => {
  const keyed = world.creations.filter(hasKey);
  const last = keyed.findLast(({ read }) => read.pet !== undefined);
  // What was in flight together with the last accepted one may have been rejected already.
  const isSince = ({ done }: Exchange): boolean => done > (last?.at ?? -1);
  const since = keyed.filter((one) => isSince(one) && one.read.pet === undefined);
  // A crash, or no response, says nothing about it.
  const tells = (one: Exchange): boolean => isOfQuota(one, world) || !saysNothingOfRequest(one);
  const plain = since.filter((one) => one.facts.body?.kind === 'plain' && isDocumented(one) && tells(one));
  const [first] = plain.filter((one) => isOfQuota(one, world));
  if (
    first === undefined ||
    plain.length < LEAST_QUOTA_REJECTIONS ||
    !plain.every((one) => isOfQuota(one, world) && one.status === first.status)
  )
    return undefined;
  const all = keyed.filter((one) => one.status === first.status && isOfQuota(one, world) && isSince(one));
  return { from: Math.min(...all.map(({ at }) => at)), status: first.status ?? 0 };
});

/** Why creations are rejected whatever their body is; undefined while they may be accepted. */
export function whyCreationsStopped(world: World): { readonly why: 'service' | 'circumstance'; readonly missing: string } | undefined {
  const quota = quotaOf(world);
  if (quota === undefined) return undefined;
  const accepted = world.creations.filter((one) => hasKey(one) && one.read.pet !== undefined).length;
  if (accepted === 0) {
    const reason = quota.status === FORBIDDEN ? 'the API key may be read-only' : 'it may have a quota that is used up';
    return { why: 'service', missing: `the service rejects every creation (${quota.status}): ${reason}` };
  }
  return { why: 'circumstance', missing: `the service accepts no more creations after ${accepted} (${quota.status})` };
}

/** Whether creations have stopped, and this one with them, whatever its body is. */
export function isRejectedByStop(exchange: Exchange, world: World): boolean {
  const quota = quotaOf(world);
  return quota !== undefined && exchange.status === quota.status && exchange.at >= quota.from && isOfQuota(exchange, world);
}

const LONGEST_MESSAGE = 200;
const SHOWN_CATEGORIES = 3;

/** The message of an Error body, or else the start of the body. */
function messageIn({ response }: Exchange): string {
  const value = response?.json.ok === true ? response.json.value : undefined;
  const message = isJsonObject(value) ? value['message'] : undefined;
  return cleanText(typeof message === 'string' ? message : (response?.text ?? ''), LONGEST_MESSAGE).replace(/\s+/g, ' ');
}

/** The plain creations of a run that knows no category, if all were rejected as an invalid value is: the service may have none of those tried. */
const ofUnknownCategory = oncePerObject((world: World): readonly Exchange[] => {
  const { acceptedCategories, creations, run } = world;
  if (acceptedCategories.size > 0 || (run.categoryIds ?? []).length > 0 || usualCategories(world).size > 0) return [];
  const plain = creations.filter(
    (one) => hasKey(one) && one.facts.body?.kind === 'plain' && isDocumented(one) && !saysNothingOfRequest(one),
  );
  return plain.every(({ status }) => status === BAD_REQUEST) ? plain : [];
});

/** Whether the creation is rejected, and the reason may be that the service has no such category. */
export const isOfUnknownCategory = (exchange: Exchange, world: World): boolean => ofUnknownCategory(world).includes(exchange);

/** Why no creation was accepted if the reason may be the category, in the words of the service. */
export function unknownCategory(world: World): { readonly why: 'circumstance'; readonly missing: string } | undefined {
  const rejected = ofUnknownCategory(world);
  if (rejected.length === 0) return undefined;
  const tried = [...new Set(rejected.flatMap(({ facts: { body } }) => (body?.kind === 'plain' ? [body.sent.categoryId] : [])))];
  const hidden = tried.length - SHOWN_CATEGORIES;
  const categories = `${tried.slice(0, SHOWN_CATEGORIES).join(', ')}${hidden > 0 ? ` and ${hidden} more` : ''}`;
  const messages = [...new Set(rejected.map(messageIn))];
  const said = messages[0] === '' ? '' : ` ${JSON.stringify(messages[0])}`;
  const advice = messages.some((message) => /categor/i.test(message)) ? '; name a category that exists with --category-id' : '';
  return {
    why: 'circumstance',
    missing: `the service rejected every plain creation with ${BAD_REQUEST}${said} (categories tried: ${categories})${advice}`,
  };
}

/** What a cache carries over, it forgets after a while: after so many milliseconds, nothing is known. */
const CACHED_FOR = 1_000;

function afterKey(exchange: Exchange, { keyed }: World): Standing['afterKey'] {
  const { response, sent, at, done } = exchange;
  if (hasKey(exchange) || response?.connection === undefined) return undefined;
  const before = (keyed.connections.get(response.connection.id) ?? []).filter((one) => one.at < at);
  const whetherAfter = (times: readonly number[] = []): boolean | undefined => {
    const known = times.filter((one) => one < done);
    return known.length > 0 ? known.some((one) => one < at && one > at - CACHED_FOR) || undefined : false;
  };
  return {
    connection: before.length > 0,
    creation: before.some(isCreation),
    target: whetherAfter(keyed.targets.get(`${sent.method} ${sent.target}`)),
    client: whetherAfter(keyed.clients.get(userAgentOf(exchange))),
  };
}

/** What else was going on: how many other requests were in flight, and for how many milliseconds none was before. */
export type Load = { readonly inFlight: number; readonly idle: number };

/** When requests were sent, in order, and until when each of them or one before it was in flight. */
type Times = { readonly starts: readonly number[]; readonly busyUntil: readonly number[] };

export function timesOf(exchanges: readonly Exchange[]): Times {
  const inOrder = exchanges.toSorted((a, b) => a.at - b.at);
  let latest = Number.NEGATIVE_INFINITY;
  const busyUntil = inOrder.map(({ done }) => {
    latest = Math.max(latest, done);
    return latest;
  });
  return { starts: inOrder.map(({ at }) => at), busyUntil };
}

function countBefore(sorted: readonly number[], moment: number): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] ?? moment) < moment) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Until when one of the requests that were sent before the moment was in flight. */
export const busyBefore = ({ starts, busyUntil }: Times, moment: number): number =>
  busyUntil[countBefore(starts, moment) - 1] ?? Number.NEGATIVE_INFINITY;

const moments = oncePerObject(({ all }: World) => ({ times: timesOf(all), ends: all.map(({ done }) => done).toSorted((a, b) => a - b) }));

export function loadOf({ at, done }: Exchange, world: World): Load {
  const { times, ends } = moments(world);
  const before = busyBefore(times, at);
  const idle = before === Number.NEGATIVE_INFINITY ? 0 : Math.max(0, at - before);
  return { inFlight: countBefore(times.starts, done) - countBefore(ends, at) - 1, idle };
}

export const concurrentCreations = (exchange: Exchange, { creations }: World): readonly Exchange[] =>
  creations.filter((other) => hasKey(other) && isOverlapping(exchange, other));

const creationsInOrder = oncePerObject(({ creations }: World): readonly Exchange[] =>
  creations.filter(hasKey).toSorted((a, b) => a.at - b.at),
);

/** The creation with the key right before this one, if neither was in flight with another. */
export function creationBefore(exchange: Exchange, world: World): Exchange | undefined {
  const all = creationsInOrder(world);
  const at = all.indexOf(exchange);
  const previous = all[at - 1];
  if (previous === undefined || previous.done > exchange.at) return undefined;
  const near = all.slice(Math.max(0, at - 20), at + 20);
  return near.some((other) => isOverlapping(other, exchange) || isOverlapping(other, previous)) ? undefined : previous;
}

/** Whether the response says nothing about the request: a rejected key, a crash, or that the service asks to wait. */
export function saysNothingOfRequest({ response }: Exchange): boolean {
  if (response === undefined) return true;
  return response.status === 401 || (response.status >= 500 && response.status !== 501) || postponement(response, 0) !== undefined;
}

/** Whether everything had to know the animal when the request was sent. */
export const isSettled = (since: number, { at }: Exchange, { run }: World): boolean => since + run.window < at;
