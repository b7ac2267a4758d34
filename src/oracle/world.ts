// What rules see: events of the history, the world that they make; and the types of rules.

import type { Case as CaseOf, Check, Clause, ClauseId, Kind as KindOf, Rule as RuleOf } from '../clause/clause.ts';
import { type PetView, petView, petViews } from '../schema/pet.ts';
import { isCrash } from '../session/read-exchange.ts';
import type { Session } from '../session/session.ts';
import type { RunState } from '../session/state/run-state.ts';
import { asReceived, type Exchange, type HttpResponse, type Intent, isSuccess, type Operation, unreadReason } from '../wire/exchange.ts';

function responseIn({ outcome }: Exchange): HttpResponse | undefined {
  return outcome.kind === 'answered' ? outcome.answer : undefined;
}

/** By the items of a list: equal bodies are read once, and so are their animals. */
const readable = new WeakMap<readonly (PetView | undefined)[], readonly PetView[]>();

function readableIn(items: readonly (PetView | undefined)[]): readonly PetView[] {
  const known = readable.get(items) ?? items.filter((pet) => pet !== undefined);
  readable.set(items, known);
  return known;
}

function petsIn({ request: { intent } }: Exchange, read: HttpResponse | undefined): readonly PetView[] | undefined {
  if (intent.operation !== 'listPets' || read?.status !== 200 || !read.json.ok || !Array.isArray(read.json.value)) return undefined;
  return readableIn(petViews(read.json.value));
}

function petIn({ request: { intent } }: Exchange, read: HttpResponse | undefined): PetView | undefined {
  const { operation } = intent;
  if (operation === 'listPets' || read?.status !== (operation === 'getPet' ? 200 : 201) || !read.json.ok) return undefined;
  return petView(read.json.value);
}

/** One exchange of the history, read once. Rules of form judge the letter, all others what can be read of it. */
export type Event = {
  readonly exchange: Exchange;
  readonly number: number;
  readonly intent: Intent;
  /** The part of a clause that sent it. */
  readonly asker: string | undefined;
  /** Milliseconds since the run began. */
  readonly sent: number;
  readonly done: number;
  /** The response to the letter; undefined without a complete one. */
  readonly response: HttpResponse | undefined;
  /** Its status, to the letter. */
  readonly status: number | undefined;
  /** The animals of a list, as read. */
  readonly pets: readonly PetView[] | undefined;
  /** The animal of a read or a creation, as read. */
  readonly pet: PetView | undefined;
};

const events = new WeakMap<Exchange, { readonly outcome: Exchange['outcome']; readonly event: Event }>();

/** The exchange as rules look at it: it is read with all that the run has learned by then of how the service writes responses, and once until it learns more. */
export function eventOf(exchange: Exchange): Event {
  const { outcome } = exchange;
  const known = events.get(exchange);
  if (known?.outcome === outcome) return known.event;
  const event = readEvent(exchange);
  events.set(exchange, { outcome, event });
  return event;
}

/** What the request means: a client that a service may reject is like any other once it is accepted. */
function meantBy({ intent }: Exchange['request'], status: number | undefined): Intent {
  return intent.onceAccepted !== undefined && isSuccess(status) ? { ...intent, credential: intent.onceAccepted } : intent;
}

function readEvent(exchange: Exchange): Event {
  const { number, request, timings } = exchange;
  const response = responseIn(asReceived(exchange));
  const read = responseIn(exchange);
  return {
    ...{ exchange, number, intent: meantBy(request, response?.status), asker: request.asker, response, status: response?.status },
    ...{ sent: timings.startedAt, done: timings.startedAt + timings.duration },
    ...{ pets: petsIn(exchange, read), pet: petIn(exchange, read) },
  };
}

/** Whether a limit of our own hides the response. */
export function isUnread({ exchange }: Event): boolean {
  return unreadReason(exchange) !== undefined;
}

/** Whether the response is read as the document words it although it is worded otherwise. */
export function isReadThrough({ exchange, response }: Event): boolean {
  return responseIn(exchange) !== response;
}

/** What the history says about the service: all that rules may know besides the exchange that they judge. */
export type World = {
  /** In the order in which the exchanges ended, without unread ones: nothing is concluded from a body that the suite has not read. */
  readonly events: readonly Event[];
  /** Includes the unread ones, whose status can be judged. */
  readonly all: readonly Event[];
  /** Animals, categories, quotas, and what else follows from all of them. */
  readonly known: RunState;
  /** Whether a request with the API key, sent as the document has it, was seen to get a 2xx: a body that must be rejected is none of them. */
  accepts(operation: Operation): boolean;
};

/** The world as the events leave it, and what was accepted before them. */
export function worldOf(all: readonly Event[], known: RunState, earlier: readonly Event[] = []): World {
  const accepted = new Set(
    [...earlier, ...all]
      .filter(({ intent, status }) => intent.credential === 'valid' && intent.body !== 'invalid' && isSuccess(status))
      .map(({ intent }) => intent.operation),
  );
  return { events: all.filter((event) => !isUnread(event)), all, known, accepts: (operation) => accepted.has(operation) };
}

const shownFirst = new WeakMap<World, ReadonlyMap<bigint, number>>();

/** When the response was there that showed each animal first, in milliseconds since the run began. */
function shownFirstIn(world: World): ReadonlyMap<bigint, number> {
  const known = shownFirst.get(world);
  if (known !== undefined) return known;
  const first = new Map<bigint, number>();
  for (const { pet, pets = [], done } of world.events)
    for (const { id } of pet === undefined ? pets : [pet, ...pets]) first.set(id, Math.min(done, first.get(id) ?? done));
  shownFirst.set(world, first);
  return first;
}

/** Whether a response has shown that animal before the request was sent, or its own does: what is created later did not exist. */
export function wasShown(petId: bigint, { sent, pet }: Event, world: World): boolean {
  const { seen, created } = world.known;
  if (!seen.has(String(petId)) && !created.has(String(petId))) return false;
  return pet?.id === petId || (shownFirstIn(world).get(petId) ?? sent) <= sent;
}

/** Whether it is a documented read of an animal that a response has shown before. */
export function isReadOfKnown(event: Event, world: World): boolean {
  const { operation, petId, credential } = event.intent;
  return operation === 'getPet' && credential === 'valid' && petId !== undefined && wasShown(petId, event, world);
}

/**
 * Whether the document requires success for the request, apart from its credential: a list with parameters in range, a plain NewPet, or an animal that a
 * response has shown.
 */
export function isRightButForKey(event: Event, world: World): boolean {
  const { intent } = event;
  if (intent.undocumented === true) return false;
  switch (intent.operation) {
    case 'listPets':
      return intent.limit !== 'open' && intent.status !== 'open';
    case 'createPet':
      return intent.body === 'plain';
    case 'getPet':
      return intent.petId !== undefined && wasShown(intent.petId, event, world);
    default:
      return intent.operation satisfies never;
  }
}

export const SUCCESS = {
  listPets: 'list.success',
  createPet: 'create.success',
  getPet: 'get.success',
} as const satisfies Readonly<Record<Operation, ClauseId>>;

/** The clause of an error that a right request with the API key gets. */
export function clauseOfError(status: number, operation: Operation): ClauseId {
  return isCrash(status) ? 'errors.no-server-error' : SUCCESS[operation];
}

/** A clause that sessions judge. */
export type SessionClause = Clause<Session, Event, World>;
export type SessionCheck = Check<Session, Event, World>;
/** A sentence as a pure function of one exchange and the world (`judge`), or of the whole history (`judgeAll`), with its layer and what may explain a breach. */
export type Rule = RuleOf<Event, World>;
/** An exchange of which a rule holds or is broken, as `judgeAll` returns it and as kinds choose among: with the breach, where there is one. */
export type Case = CaseOf<Event>;
/** Which cases a part of a clause consists of, and what is reported if it has no case. */
export type Kind = KindOf<Event, World>;
