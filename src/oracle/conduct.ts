// What the history says about the service as a whole: what it accepts and rejects, whether it locks the key out, and when it was down.

import { mayBeRemoved, REMOVED_STATUSES } from '../clause/removal.ts';
import { OPERATIONS, type Operation } from '../wire/exchange.ts';
import { oncePerObject } from '../wire/once.ts';
import { postponement } from '../wire/rate-limit.ts';
import { HTTP_LAYER_STATUSES, LEAST_ERROR, LEAST_SERVER_ERROR, NOT_FOUND, OK, UNAUTHORIZED } from '../wire/statuses.ts';
import { type Exchange, hasKey, isDocumented } from './exchange.ts';
import { standingOf } from './standing.ts';
import { limitIn, statusIn } from './timeline-view.ts';
import type { World } from './world.ts';

export type Conduct = {
  /** Responses that asked to wait (429, and 503 with Retry-After). */
  readonly askedToWait: number;
  /** Operations that were seen to reject a request that they must reject, with any 4xx but those of the HTTP layer. */
  readonly rejects: readonly Operation[];
  /** The API key was accepted first, and from some moment on each request with it got 401: a lock-out, or a revoked key. */
  readonly isLockedOut: boolean;
  /** Numbers of the exchanges that failed in an outage: for a while the service returned 5xx to every request. */
  readonly outage: ReadonlySet<number>;
};

export const conductOf = oncePerObject((world: World): Conduct => {
  const { all } = world;
  const documented = all.filter(isDocumented);
  return {
    askedToWait: documented.filter(asksToWait).length,
    rejects: OPERATIONS.filter((operation) => documented.some((one) => one.facts.operation === operation && rejectsWhatItMust(one))),
    isLockedOut: isLockedOut(documented.filter((one) => hasKey(one) && one.facts.client.kind === 'usual')),
    outage: outageIn(all),
  };
});

const asksToWait = ({ response }: Exchange): boolean => response !== undefined && postponement(response, 0) !== undefined;
const isRejection = (status: number): boolean =>
  status >= LEAST_ERROR && status < LEAST_SERVER_ERROR && !HTTP_LAYER_STATUSES.includes(status);
const WITHOUT_KEY: readonly string[] = ['absent', 'elsewhere', 'scheme', 'wrong'];

/** Whether the document requires the rejection: of a wrong credential, of an invalid body, of an id that no animal has. */
function rejectsWhatItMust(exchange: Exchange): boolean {
  const { status = 0, facts } = exchange;
  if (!isRejection(status)) return false;
  if (facts.operation === 'listPets') return WITHOUT_KEY.includes(facts.credential.kind);
  if (!hasKey(exchange) || status === UNAUTHORIZED) return false;
  return facts.operation === 'createPet' ? facts.body?.kind === 'invalid' : facts.id?.kind === 'int64';
}

const LEAST_KEY_REJECTIONS = 3;

function isLockedOut(keyed: readonly Exchange[]): boolean {
  const counted = keyed.filter((one) => one.status !== undefined && one.status < LEAST_SERVER_ERROR && !asksToWait(one));
  const rejected = counted.filter(({ status }) => status === UNAUTHORIZED);
  const accepted = counted.filter(({ status }) => status !== UNAUTHORIZED);
  const first = Math.min(...rejected.map(({ done }) => done));
  // What was in flight at that moment says nothing.
  return accepted.length > 0 && rejected.length >= LEAST_KEY_REJECTIONS && accepted.every(({ at }) => at <= first);
}

/**
 * So many 5xx in a row are not isolated failures, if so many of them are to ordinary requests: others may fail for what they have in common. After as
 * many, the run waits for the service before it sends more.
 */
const [LEAST_OF_OUTAGE, LEAST_PLAIN] = [5, 2];
/** Milliseconds around an outage in which a 5xx is part of it: at its edges, instances and requests in flight differ. */
const EDGE_OF_OUTAGE = 250;

function isPlain(exchange: Exchange): boolean {
  const { operation, body, list } = exchange.facts;
  if (!hasKey(exchange)) return false;
  if (operation === 'createPet') return body?.kind === 'plain';
  return operation === 'getPet' || (list?.limit.kind !== 'open' && list?.status.kind !== 'open');
}

function outageIn(all: readonly Exchange[]): ReadonlySet<number> {
  // 501 says that the operation does not exist.
  const isCrash = ({ status = 0 }: Exchange): boolean => status >= LEAST_SERVER_ERROR && status !== 501;
  const rows: Exchange[][] = [[]];
  for (const one of all) {
    if (one.response === undefined || asksToWait(one)) continue;
    if (isCrash(one)) rows.at(-1)?.push(one);
    else if (rows.at(-1)?.length !== 0) rows.push([]);
  }
  const spans = rows
    .filter((row) => row.length >= LEAST_OF_OUTAGE && row.filter(isPlain).length >= LEAST_PLAIN)
    .map((row) => ({
      from: Math.min(...row.map(({ at }) => at)) - EDGE_OF_OUTAGE,
      until: Math.max(...row.map(({ done }) => done)) + EDGE_OF_OUTAGE,
    }));
  const isWithin = ({ at, done }: Exchange): boolean => spans.some(({ from, until }) => at <= until && done >= from);
  const failing = spans.length === 0 ? [] : rows.flat().filter(isWithin);
  return new Set(failing.map(({ number }) => number));
}

const whatOf = (exchange: Exchange): string => `${exchange.sent.method} ${exchange.sent.target}`;
const noResponse = (exchange: Exchange): string =>
  `${whatOf(exchange)} got no complete response: ${exchange.failure?.message ?? 'it was not read'}`;

/** A part of a run, in milliseconds since it began. */
type Span = { readonly from: number; readonly until?: number };

/**
 * What held before and does not at that time, as sentences: the last list without parameters, the last read of a known animal, and the last list without
 * the API key. What was never accepted, or never rejected, need not be now.
 */
export function noLongerIn({ from, until = Number.POSITIVE_INFINITY }: Span, world: World): readonly string[] {
  const since = world.all.filter((one) => one.at >= from && one.at < until && isDocumented(one) && !asksToWait(one));
  const isPlain = (one: Exchange): boolean =>
    limitIn(one) === undefined && statusIn(one) === undefined && standingOf(one, world).hasOnlyDocumentedParameters;
  const list = since.findLast((one) => hasKey(one) && isPlain(one));
  const read = since.findLast((one) => hasKey(one) && standingOf(one, world).asksForKnownAnimal);
  const keyless = since.findLast(({ facts }) => facts.operation === 'listPets' && facts.credential.kind === 'absent');
  const sentences = [
    world.accepted.has('listPets') ? ofList(list, world) : undefined,
    world.accepted.has('getPet') && read !== undefined ? ofRead(read, list, world) : undefined,
    conductOf(world).rejects.includes('listPets') ? ofKeyless(keyless) : undefined,
  ];
  return [...new Set(sentences.filter((one) => one !== undefined))].map((sentence) => `at the end of the run ${sentence}`);
}

function ofList(list: Exchange | undefined, { isCredible }: World): string | undefined {
  if (list === undefined) return 'no list was requested';
  const { read, status } = list;
  if (status === undefined) return noResponse(list);
  if (read.response?.status !== OK) return `${whatOf(list)} returned ${status}, not 200 as before`;
  if (read.pets === undefined) return `${whatOf(list)} no longer returned a list`;
  return isCredible && read.size === 0 ? `${whatOf(list)} no longer showed any animal` : undefined;
}

function ofRead(exchange: Exchange, list: Exchange | undefined, { run }: World): string | undefined {
  const { status, read, facts } = exchange;
  const id = facts.id?.kind === 'int64' ? facts.id.value : undefined;
  if (status === undefined) return noResponse(exchange);
  if (read.response?.status === OK) return read.pet?.id === id ? undefined : `${whatOf(exchange)} no longer returned the animal`;
  const isGone = mayBeRemoved(run.now) && REMOVED_STATUSES.includes(status);
  // Other clients may have removed it; what the list shows at this moment exists.
  const isTakenAway = status === NOT_FOUND && list?.read.pets?.some((pet) => pet.id === id) !== true;
  return isGone || isTakenAway ? undefined : `${whatOf(exchange)} returned ${status}, not 200 as before`;
}

function ofKeyless(list: Exchange | undefined): string | undefined {
  if (list === undefined) return 'no list was requested without the API key';
  const { status } = list;
  if (status === undefined) return noResponse(list);
  // auth.missing-credential judges which rejection it is.
  if (status >= LEAST_ERROR && status < LEAST_SERVER_ERROR) return undefined;
  return `${whatOf(list)} without the API key returned ${status}, not 401 as before`;
}
