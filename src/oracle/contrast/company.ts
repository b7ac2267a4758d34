// What happened before and during each request of a run, and what the store held by then.

import { DEFAULT_LIMIT } from '../../clause/limits.ts';
import { isCrash } from '../../session/read-exchange.ts';
import type { Operation, PetStatus } from '../../wire/exchange.ts';
import { LEAST_ERROR } from '../../wire/statuses.ts';
import { statusOf, viewOf } from '../view.ts';
import type { Event, World } from '../world.ts';
import { type Circumstance, circumstance, numbered, ordinal } from './circumstance.ts';
import { METHODS, unusual } from './of-request.ts';

export type Company = {
  readonly before: ReadonlyMap<number, Event>;
  /** The request right before on the same connection. */
  readonly onConnection: ReadonlyMap<number, Event>;
  readonly underWay: ReadonlyMap<number, number>;
  /** Milliseconds since another request was sent. */
  readonly sinceSent: ReadonlyMap<number, number>;
  /** Place among the requests of its operation, from 1. */
  readonly turn: ReadonlyMap<number, number>;
  /** Of a read, its place among those of its animal, from 1. */
  readonly reading: ReadonlyMap<number, number>;
  readonly lastCreation: ReadonlyMap<number, Event>;
  readonly sameName: ReadonlySet<number>;
  readonly createdBy: (moment: number) => number;
  /** How many animals were there by then, with that status if one is given, as far as the run knows. */
  readonly animalsBy: (moment: number, status?: PetStatus | 'absent') => number;
};

function countUntil(moments: readonly number[], moment: number): number {
  let [from, to] = [0, moments.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((moments[middle] ?? 0) <= moment) from = middle + 1;
    else to = middle;
  }
  return from;
}

const inOrder = (moments: readonly number[]): readonly number[] => moments.toSorted((a, b) => a - b);

function animalsOf(world: World): Pick<Company, 'createdBy' | 'animalsBy'> {
  const animals = [...viewOf(world).animals.values()];
  // What others created was there before.
  const since = animals.map((animal) => ({ moment: animal.birth === undefined ? Number.NEGATIVE_INFINITY : animal.since, animal }));
  const all = inOrder(since.map(({ moment }) => moment));
  const byStatus = new Map(
    [...Map.groupBy(since, ({ animal }) => statusOf(animal))].map(([status, some]) => [status, inOrder(some.map(({ moment }) => moment))]),
  );
  const created = inOrder(since.flatMap(({ moment, animal }) => (animal.birth === undefined ? [] : [moment])));
  return {
    createdBy: (moment) => countUntil(created, moment),
    animalsBy: (moment, status = 'absent') => countUntil(status === 'absent' ? all : (byStatus.get(status) ?? []), moment),
  };
}

/** Seen from its own moment of sending: what had ended last, and what had not ended. */
export function companyOf(world: World): Company {
  const { events } = world;
  const bySending = events.toSorted((a, b) => a.sent - b.sent || a.number - b.number);
  const byEnding = events.toSorted((a, b) => a.done - b.done);
  const before = new Map<number, Event>();
  const underWay = new Map<number, number>();
  const sinceSent = new Map<number, number>();
  const turn = new Map<number, number>();
  const turns = new Map<Operation, number>();
  const reading = new Map<number, number>();
  const readings = new Map<bigint, number>();
  const lastCreation = new Map<number, Event>();
  const names = new Set<string>();
  const sameName = new Set<number>();
  let creation: Event | undefined;
  let ended = 0;
  bySending.forEach((event, index) => {
    const { number, sent, intent } = event;
    while (ended < byEnding.length && (byEnding[ended]?.done ?? Number.POSITIVE_INFINITY) <= sent) ended += 1;
    const last = byEnding[ended - 1];
    if (last !== undefined) before.set(number, last);
    underWay.set(number, index - ended);
    sinceSent.set(number, sent - (bySending[index - 1]?.sent ?? Number.NEGATIVE_INFINITY));
    const next = (turns.get(intent.operation) ?? 0) + 1;
    turns.set(intent.operation, next);
    turn.set(number, next);
    if (intent.petId !== undefined && intent.credential === 'valid') {
      const nth = (readings.get(intent.petId) ?? 0) + 1;
      readings.set(intent.petId, nth);
      reading.set(number, nth);
    }
    if (intent.operation === 'createPet' && intent.sent !== undefined && intent.credential === 'valid') {
      if (creation !== undefined) lastCreation.set(number, creation);
      creation = event;
      if (names.has(intent.sent.name)) sameName.add(number);
      names.add(intent.sent.name);
    }
  });
  return { before, onConnection: neighborsOf(events), underWay, sinceSent, turn, reading, lastCreation, sameName, ...animalsOf(world) };
}

function neighborsOf(events: readonly Event[]): ReadonlyMap<number, Event> {
  const byConnection = Map.groupBy(
    events.filter(({ response }) => response?.connection !== undefined),
    ({ response }) => response?.connection?.id,
  );
  const before = new Map<number, Event>();
  for (const all of byConnection.values()) {
    const inTurn = all.toSorted((a, b) => (a.response?.connection?.turn ?? 0) - (b.response?.connection?.turn ?? 0));
    inTurn.forEach((event, index) => {
      const last = inTurn[index - 1];
      if (last !== undefined) before.set(event.number, last);
    });
  }
  return before;
}

export function connectionCircumstances({ number, response, status }: Event, { onConnection }: Company): readonly Circumstance[] {
  const turn = response?.connection?.turn;
  if (turn === undefined) return [];
  const before = onConnection.get(number);
  // In an outage each 5xx follows another: the one before is not the reason.
  const last = status !== undefined && isCrash(status) && before?.status === status ? undefined : before;
  return [
    circumstance('connection', 'connection', turn === 1 ? 'on a new connection' : 'on a connection that was used before'),
    ...(last === undefined
      ? []
      : [
          circumstance(
            'connection',
            'operation on the connection',
            `on a connection on which ${METHODS[last.intent.operation]} has just returned ${last.status ?? 'nothing'}`,
          ),
          circumstance('connection', 'last on the connection', `on a connection that has just returned ${last.status ?? 'nothing'}`),
          circumstance(
            'connection',
            'credential on the connection',
            `on a connection that was used with ${last.intent.credentialNote} before`,
          ),
        ]),
    circumstance(
      'connection',
      'turn on the connection',
      numbered(turn, (range) => `in requests ${range} of a connection`, {
        says: `in request ${turn} of its connection`,
        least: (least) => (least === 2 ? 'on a connection that was used before' : `from request ${least} of its connection on`),
        most: (most) => (most === 1 ? 'on a new connection' : `in the first ${most} requests of its connection`),
        multiple: (of) => `in every ${ordinal(of)} request of its connection`,
      }),
    ),
  ];
}

export const afterResponse = (operation: Operation, status: number | undefined): string =>
  `right after ${METHODS[operation]} returned ${status ?? 'nothing'}`;

/**
 * The request right before. If others were in flight, it is unknown. A crash or a missing response is the failure itself and not its
 * circumstance.
 */
function beforeCircumstances(event: Event, { before, underWay }: Company): readonly Circumstance[] {
  const last = before.get(event.number);
  if (last === undefined || (underWay.get(event.number) ?? 0) > 0 || last.status === undefined || isCrash(last.status)) return [];
  const { intent, status = 0, exchange } = last;
  const method = METHODS[intent.operation];
  const isFiltered = intent.operation === 'listPets' && intent.status !== 'absent';
  const isSame = exchange.request.path === event.exchange.request.path && exchange.request.query === event.exchange.request.query;
  return [
    circumstance('before', 'response before', afterResponse(intent.operation, last.status)),
    circumstance('before', 'operation before', `right after ${method}`),
    ...unusual('before', 'filter before', isFiltered && 'right after GET /pets with a status'),
    circumstance('before', 'status before', `right after a ${last.status ?? 'failed'} response`),
    circumstance(
      'before',
      'rejection before',
      status >= LEAST_ERROR ? 'right after an error response' : 'right after a response without an error',
    ),
    circumstance('before', 'same before', isSame ? 'right after a request to the same URL' : 'right after a request to another URL'),
  ];
}

function sinceLastCreation({ number, intent: { sent } }: Event, { lastCreation, sameName }: Company): readonly Circumstance[] {
  const last = lastCreation.get(number)?.intent.sent;
  if (sent === undefined || last === undefined) return [];
  const compared = (of: string, isSame: boolean): Circumstance =>
    circumstance(
      'before',
      `${of} of the last creation`,
      `with ${isSame ? 'the same' : 'another'} ${of} ${isSame ? 'as' : 'than'} the creation before`,
    );
  return [
    ...unusual('body', 'name of an earlier creation', sameName.has(number) && 'with the name of an earlier creation'),
    compared('categoryId', last.categoryId === sent.categoryId),
    compared('status', last.status === sent.status),
    circumstance(
      'before',
      'length of the last name',
      sent.name.length > last.name.length ? 'with a longer name than the creation before' : 'with no longer name than the creation before',
    ),
  ];
}

export const ALONE = 'with no other request under way';
export const BESIDE = 'while another request is under way';
/** The words for at least so many in flight: whoever sends more meets it, too. */
const moreOthers = (least: number): string => `with ${least} or more other requests under way`;
export const MORE_OTHERS = /^with \d+ or more other requests under way$/;

const IDLE = 50;
const SECOND = 1_000;
const seconds = (milliseconds: number): string => `${(milliseconds / SECOND).toFixed(milliseconds < SECOND ? 2 : 1)} s`;

export function companyCircumstances(event: Event, company: Company): readonly Circumstance[] {
  const { before, underWay, sinceSent, turn, createdBy } = company;
  const last = before.get(event.number);
  const others = underWay.get(event.number) ?? 0;
  const idle = last === undefined || others > 0 ? 0 : event.sent - last.done;
  const nth = turn.get(event.number) ?? 0;
  const gap = sinceSent.get(event.number) ?? 0;
  const at = event.sent;
  return [
    ...beforeCircumstances(event, company),
    ...sinceLastCreation(event, company),
    circumstance('at the same time', 'under way', others === 0 ? ALONE : BESIDE),
    circumstance(
      'at the same time',
      'how many under way',
      numbered(others, (range) => `with ${range} others under way`, {
        least: moreOthers,
        most: (most) => `with ${most} or fewer other requests under way`,
      }),
    ),
    circumstance(
      'time',
      'idle',
      numbered(idle, (range) => `after ${range} without any request`, {
        format: seconds,
        says: idle < IDLE ? 'without a pause before' : `after ${seconds(idle)} without any request`,
        most: (most) => `within ${seconds(most)} of the request before`,
      }),
    ),
    circumstance(
      'time',
      'gap',
      numbered(gap, (range) => `${range} after another was sent`, {
        format: (value) => `${value.toFixed(0)} ms`,
        most: (most) => `within ${Math.max(1, Math.round(most))} ms of another request`,
      }),
    ),
    circumstance(
      'time',
      'since the start',
      numbered(at, (range) => `${range} after the start`, {
        format: seconds,
        least: (least) => `from ${seconds(least)} after the start on`,
        most: (most) => `within ${seconds(most)} of the start`,
      }),
    ),
    circumstance(
      'count',
      'turn',
      numbered(nth, (range) => `in requests ${range} of its kind`, {
        says: `in request ${nth} of its kind`,
        least: (least) => `from request ${least} of its kind on`,
        most: (most) => `in the first ${most} requests of its kind`,
      }),
    ),
    circumstance(
      'count',
      'created',
      numbered(createdBy(at), (range) => `while this run had created ${range} animals`, {
        least: (least) => `once this run had created ${least} animals`,
        most: (most) => (most === 0 ? 'before this run created animals' : `until this run had created ${most + 1} animals`),
      }),
    ),
  ];
}

/** The words for a list without room: where animals are missing, it proves nothing. */
export const FULL = 'in full lists';

export function pageCircumstances({ intent, sent }: Event, { animalsBy }: Company): readonly Circumstance[] {
  const { limit: given, status } = intent;
  if (given === 'open' || status === 'open') return [];
  const limit = given === 'absent' ? DEFAULT_LIMIT : given;
  const matching = animalsBy(sent, status);
  return [
    circumstance('parameters', 'room', matching < limit ? 'in lists with room for more animals' : FULL),
    ...unusual('parameters', 'exact', matching === limit && 'in lists of exactly as many animals as there are'),
    circumstance(
      'parameters',
      'animals of the list',
      numbered(Math.min(matching, limit), (range) => `in lists of ${range} animals`, {
        least: (least) => `in lists of ${least} animals or more`,
        most: (most) => `in lists of ${most} animals or less`,
      }),
    ),
  ];
}
