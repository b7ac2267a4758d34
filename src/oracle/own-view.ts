// What rules of clauses from outside see: exchanges and their history, in the words of docs/own-clauses.md.

import type { ClauseId } from '../clause/clause.ts';
import { createdView, type PetView, petView, petViews } from '../schema/pet.ts';
import {
  type HttpResponse,
  isSuccess,
  type Operation,
  type PetStatus,
  shownBody,
  type Timings,
  type TransportFailure,
} from '../wire/exchange.ts';
import { once, oncePer, oncePerObject } from '../wire/once.ts';
import { cleanText } from '../wire/redact.ts';
import type { SentPet } from './body-facts.ts';
import type { CredentialFacts } from './credential-facts.ts';
import { bodyTextOf, type Exchange, isDocumented } from './exchange.ts';
import type { Parameter } from './facts.ts';
import { standingOf } from './standing.ts';
import type { Animal, World } from './world.ts';

/** What was asked for, and what the document says about it. */
export type OwnIntent = {
  readonly operation: Operation;
  /** `refused`: must get 401. `open`: the document does not decide, also because the service may reject the client. */
  readonly credential: 'valid' | 'refused' | 'open';
  /** List: a limit of 1 to 100, a status of the enum; `open` for any other value. */
  readonly limit: number | 'absent' | 'open';
  readonly status: PetStatus | 'absent' | 'open';
  /** Create: whether the document wants 201 (`plain`), 201 or 400 (`unusual`), or 400 (`invalid`). */
  readonly body: 'none' | 'plain' | 'unusual' | 'invalid' | 'open';
  /** The clause by which an `invalid` body is invalid. */
  readonly bodyClause: ClauseId | undefined;
  /** Create: what was sent, if the body has only values that a NewPet may have. */
  readonly sent?: SentPet;
  /** Get: the requested id; undefined if the path segment is not an int64. */
  readonly petId: bigint | undefined;
  /** The path is spelled differently, or a header asks for something else. */
  readonly undocumented?: boolean;
};

/** The response, or why there was no complete one. */
export type OwnOutcome =
  | { readonly kind: 'answered'; readonly answer: HttpResponse }
  | { readonly kind: 'failed'; readonly failure: TransportFailure };

/** One request and its outcome. `number` counts the requests of the run from 1. */
export type OwnExchange = {
  readonly number: number;
  readonly request: {
    readonly method: 'GET' | 'POST';
    /** Relative to the base address. */
    readonly path: string;
    /** Without `?`; empty if there is none. */
    readonly query: string;
    readonly headers: readonly (readonly [name: string, value: string])[];
    readonly body: string | undefined;
    readonly intent: OwnIntent;
  };
  readonly timings: Timings;
  /** As it can be read, where the service departs from the document in the same way everywhere. */
  readonly outcome: OwnOutcome;
  /** To the letter, if that differs. */
  readonly received?: OwnOutcome;
};

/** An exchange, and what is read from it. */
export type OwnEvent = {
  readonly exchange: OwnExchange;
  readonly number: number;
  readonly intent: OwnIntent;
  /** Milliseconds since the run began. */
  readonly sent: number;
  readonly done: number;
  /** To the letter; undefined without a complete one. */
  readonly response: HttpResponse | undefined;
  readonly status: number | undefined;
  /** The animals of a list, as read. */
  readonly pets: readonly PetView[] | undefined;
  /** The animal of a read or a creation, as read. */
  readonly pet: PetView | undefined;
};

/** An animal that the run created. */
export type OwnAnimal = {
  readonly id: bigint;
  readonly sent: SentPet;
  /** As the creation returned it. */
  readonly answered: PetView;
  readonly plain: boolean;
  /** Milliseconds since the run began at which the response was complete. */
  readonly createdAt: number;
  readonly exchange: OwnExchange;
};

/** The animals that the run knows, and what it was told about the service. */
export type OwnKnowledge = {
  /** Animals that the run created, by the digits of their id. */
  readonly created: ReadonlyMap<string, OwnAnimal>;
  /** Every animal that a valid response showed, as it was seen last. */
  readonly seen: ReadonlyMap<string, PetView>;
  /** Milliseconds until a creation is visible everywhere. */
  readonly consistencyWindow: number;
  readonly baseUrl: string;
  readonly now: Date;
};

/** What the whole run has shown. */
export type OwnWorld = {
  /** In the order in which the exchanges ended, without those whose body a limit of the suite has kept from being read. */
  readonly events: readonly OwnEvent[];
  /** All of them. */
  readonly all: readonly OwnEvent[];
  readonly known: OwnKnowledge;
  /** Whether a request with the API key, as the document has it, was seen to succeed. */
  accepts(operation: Operation): boolean;
};

export type OwnView = {
  readonly world: OwnWorld;
  readonly eventOf: (exchange: Exchange) => OwnEvent;
  readonly exchangeOf: (number: number) => Exchange | undefined;
};

const CREDENTIALS = {
  ...{ valid: 'valid', open: 'open', malformed: 'open' },
  ...{ absent: 'refused', elsewhere: 'refused', scheme: 'refused', wrong: 'refused' },
} as const satisfies Readonly<Record<CredentialFacts['kind'], OwnIntent['credential']>>;

function givenBy<Value>(parameter: Parameter<Value> | undefined): Value | 'absent' | 'open' {
  return parameter?.kind === 'documented' ? parameter.value : (parameter?.kind ?? 'absent');
}

function intentOf(exchange: Exchange, world: World): OwnIntent {
  const { operation, credential, client, list, id, body } = exchange.facts;
  const mayBeRejected = client.kind === 'unusual' && !isSuccess(exchange.status);
  const said = mayBeRejected ? ('open' as const) : CREDENTIALS[credential.kind];
  const sent = body === undefined || body.kind === 'invalid' ? undefined : body.sent;
  return {
    ...{ operation, credential: said },
    ...{ limit: givenBy(list?.limit), status: givenBy(list?.status), body: standingOf(exchange, world).body },
    bodyClause: body?.kind === 'invalid' ? body.clause : undefined,
    ...(sent === undefined ? {} : { sent }),
    petId: id?.kind === 'int64' ? id.value : undefined,
    ...(isDocumented(exchange) ? {} : { undocumented: true }),
  };
}

const NO_RESPONSE: TransportFailure = { reason: 'protocol', message: 'there was no complete response', stale: false };

function exchangeIn(exchange: Exchange, intent: OwnIntent): OwnExchange {
  const { number, sent, at, done, response, failure = NO_RESPONSE, read } = exchange;
  const [path = '', ...query] = sent.target.split('?');
  const outcomeOf = (answer: HttpResponse | undefined): OwnOutcome =>
    answer === undefined ? { kind: 'failed', failure } : { kind: 'answered', answer };
  return {
    ...{ number, timings: { startedAt: at, duration: done - at }, outcome: outcomeOf(read.response) },
    ...(read.response === response ? {} : { received: outcomeOf(response) }),
    request: {
      ...{ method: sent.method, path, query: query.join('?'), headers: sent.headers, intent },
      body: sent.body === undefined ? undefined : bodyTextOf(exchange),
    },
  };
}

function eventIn(exchange: Exchange, world: World): OwnEvent {
  const { number, at, done, response, status, read } = exchange;
  const intent = intentOf(exchange, world);
  const base = { exchange: exchangeIn(exchange, intent), number, intent, sent: at, done, response, status };
  return { ...base, pets: read.pets, pet: read.pet };
}

function animalIn({ id, creation, sent }: Animal, world: World, eventOf: OwnView['eventOf']): readonly OwnAnimal[] {
  if (creation?.read.pet === undefined || sent === undefined) return [];
  const plain = standingOf(creation, world).body === 'plain';
  return [{ id, sent, answered: creation.read.pet, plain, createdAt: creation.done, exchange: eventOf(creation).exchange }];
}

/** The history as rules of clauses from outside see it. Equal exchanges of one history are the same object. */
export const ownViewOf = oncePerObject((world: World): OwnView => {
  const eventOf = oncePer((exchange: Exchange) => eventIn(exchange, world));
  const animals = once(
    () => new Map([...world.animals.values()].flatMap((one) => animalIn(one, world, eventOf)).map((one) => [String(one.id), one])),
  );
  const seen = once(() => new Map([...world.seen].map(([id, pet]) => [String(id), pet])));
  const byNumber = once(() => new Map(world.all.map((exchange) => [exchange.number, exchange])));
  const events = once(() => world.exchanges.map(eventOf));
  const all = once(() => world.all.map(eventOf));
  const { window: consistencyWindow, baseUrl, now } = world.run;
  return {
    ...{ eventOf, exchangeOf: (number) => byNumber().get(number) },
    world: {
      get events() {
        return events();
      },
      get all() {
        return all();
      },
      known: {
        ...{ consistencyWindow, baseUrl, now },
        get created() {
          return animals();
        },
        get seen() {
          return seen();
        },
      },
      accepts: (operation) => world.accepted.has(operation),
    },
  };
});

const responseIn = ({ outcome }: Pick<OwnExchange, 'outcome'>): HttpResponse | undefined =>
  outcome.kind === 'answered' ? outcome.answer : undefined;

/** The status as read, or undefined without a complete response. */
export const statusOf = (exchange: Pick<OwnExchange, 'outcome'>): number | undefined => responseIn(exchange)?.status;

/** The animals that a successful response shows: of a list (200), a read (200), or a creation (201). Empty for any other. */
export function petsOf(exchange: OwnExchange): readonly PetView[] {
  const { operation } = exchange.request.intent;
  const response = responseIn(exchange);
  if (response?.status !== (operation === 'createPet' ? 201 : 200) || !response.json.ok) return [];
  const { value } = response.json;
  if (operation === 'listPets') return Array.isArray(value) ? petViews(value).filter((pet) => pet !== undefined) : [];
  const pet = operation === 'getPet' ? petView(value) : createdView(value);
  return pet === undefined ? [] : [pet];
}

const SHORT = 160;

/** The request as a person writes it, `GET /pets?limit=5`. */
export function describeRequest({ request: { method, path, query } }: OwnExchange): string {
  return cleanText(`${method} ${path}${query === '' ? '' : `?${query}`}`, SHORT);
}

/** The status and the start of the body, in one line, or why there was no complete response. */
export function describeResponse({ outcome, received = outcome }: OwnExchange): string {
  if (received.kind === 'failed') return `no complete response (${received.failure.message})`;
  const { status, size } = received.answer;
  const text = shownBody(received.answer);
  const shown = text === '' ? 'no body' : text === undefined ? undefined : cleanText(text, SHORT).replace(/\s+/g, ' ');
  return `${status} ${shown ?? `${size} bytes that are not UTF-8`}`;
}
