// What the run knows of the service, computed from its history alone.

import { LARGEST_LIMIT } from '../../clause/limits.ts';
import type { CreatedAnimal } from '../../clause/run-record.ts';
import { createdView, type NewPetInput, type PetView, petViews } from '../../schema/pet.ts';
import { isInt64 } from '../../schema/validators.ts';
import { type Exchange, type HttpResponse, type Intent, isSuccess, type PetStatus, type WireRequest } from '../../wire/exchange.ts';
import { isJsonObject, type Json, readJson } from '../../wire/json.ts';
import { CREATED, LEAST_SERVER_ERROR, UNAUTHORIZED, UNAVAILABLE } from '../../wire/statuses.ts';
import { plainNameIn } from '../names.ts';
import { isErrorBody, isRejected, statusOf } from '../read-exchange.ts';
import { createLeftovers, type LeftoverOptions, type Leftovers } from './leftovers.ts';

export type KnownAnimal = {
  readonly id: bigint;
  readonly sent: NewPetInput;
  /** The 201 body, if it was a valid Pet. */
  readonly answered: PetView;
  /** In the plain domain; unusual ones may be rejected, but not changed. */
  readonly plain: boolean;
  /** Milliseconds since the run began at which the 201 was complete. */
  readonly createdAt: number;
  readonly exchange: Exchange;
};

export type RunState = {
  /** Animals created by the suite, by the decimal digits of their id. */
  readonly created: ReadonlyMap<string, KnownAnimal>;
  /** Every animal that the service has created for this run, including those from invalid bodies: each entry is one creation. */
  readonly entries: readonly CreatedAnimal[];
  /**
   * Names (or a substitute for one that was not sent) of creations whose result is unknown: those without a response and, if the service is known to
   * store what it rejects, those that were rejected.
   */
  readonly ambiguous: readonly string[];
  /** How many of these a list of all animals has left, the last time that there was one: a new object each time. */
  readonly lookedUp: { readonly left: number };
  /** The number of rejected creations that no list of all animals has shown to have stored nothing. */
  readonly uncheckedRejections: number;
  /** Animals that any valid response showed, by id; the latest view. */
  readonly seen: ReadonlyMap<string, PetView>;
  /** Ids, as digits, of created animals that a list has shown. */
  readonly listed: ReadonlySet<string>;
  /** A list showed an animal, or a creation returned its own name: otherwise no check and no invariant passes. */
  readonly credible: boolean;
  /** Names of this run in creations with the API key that were rejected, and the rejections; no other creation had the same name. */
  readonly refusedNames: ReadonlyMap<string, Exchange>;
  /** Creations that got 503 although the suite had waited as asked, at most 20. */
  readonly turnedAway: readonly Exchange[];
  /** The status that creations are rejected with since a quota is exhausted. */
  readonly creationQuota: number | undefined;
  /** Ids, as digits, that the service assigned to more than one creation. */
  readonly sharedIds: ReadonlySet<string>;
  readonly leftovers: Leftovers;
  /** The number of accepted invalid bodies, by the clause that forbids them. */
  readonly acceptedInvalid: ReadonlyMap<string, number>;
  /** The kinds of creations, as `kindOfRejection` names them, of which one was accepted. */
  readonly acceptedKinds: ReadonlySet<string>;
  /** Milliseconds until a creation is visible everywhere. */
  readonly consistencyWindow: number;
  readonly baseUrl: string;
  readonly now: Date;
  /** The letters that all names of this run have in common. */
  readonly runTag: string;
  /** What else a check or an invariant remembers about the run, each under its own function. */
  readonly remember: Remember;
};

/** What is known about the status of a created animal: as sent, or else as in the 201. */
export function knownStatus(animal: KnownAnimal): PetStatus | undefined {
  return animal.sent.status ?? animal.answered.status;
}

export type RunStateOptions = {
  readonly consistencyWindow: number;
  readonly baseUrl: string;
  readonly now: Date;
} & LeftoverOptions;

export type RunStateTracker = {
  readonly knowledge: RunState;
  take(exchange: Exchange): void;
};

/** A service that ignores the limit, or a hostile one, may show millions. */
const MOST_SEEN = 5_000;
const MOST_TURNED_AWAY = 20;

const domainOf = ({ body, limited }: Intent): Intent['body'] => limited?.domain ?? body;

function textOf({ request: { body = '' } }: Exchange): string {
  return typeof body === 'string' ? body : Buffer.from(body).toString('utf8');
}

const PROPERTIES = { name: 'name', category: 'categoryId', status: 'status' } as const;

function isPropertyClause(area: string | undefined): area is keyof typeof PROPERTIES {
  return area !== undefined && Object.hasOwn(PROPERTIES, area);
}

function typeOf(value: Json | undefined): string {
  if (value === null || Array.isArray(value)) return value === null ? 'null' : 'array';
  return typeof value === 'bigint' ? 'number' : typeof value;
}

/**
 * What a service has to check to reject a creation that it must reject: the clause, with the JSON type of the wrong value. What is not JSON, or lacks
 * the key, is a kind by the check that sends it. Undefined for a creation that may be accepted.
 */
export function kindOfRejection({ intent, body, asker = '' }: WireRequest): string | undefined {
  if (intent.operation !== 'createPet') return undefined;
  if (intent.credential === 'refused') return `without the API key: ${asker}`;
  if (intent.body !== 'invalid' || intent.bodyClause === undefined) return undefined;
  const reading = body === undefined ? undefined : readJson(typeof body === 'string' ? body : Buffer.from(body).toString('utf8'));
  if (reading?.ok !== true) return `${intent.bodyClause}: ${asker}`;
  const area = /^create\.([a-z]+)-/.exec(intent.bodyClause)?.[1];
  const { value } = reading;
  const wrong = isJsonObject(value) && isPropertyClause(area) ? value[PROPERTIES[area]] : value;
  return `${intent.bodyClause}: ${typeOf(wrong)}`;
}

function nameOf(exchange: Exchange): string {
  const { intent, body } = exchange.request;
  if (intent.sent !== undefined) return intent.sent.name;
  const reading = body === undefined ? undefined : readJson(textOf(exchange));
  if (reading?.ok !== true) return '(not JSON)';
  return isJsonObject(reading.value) && typeof reading.value['name'] === 'string' ? reading.value['name'] : '(no name)';
}

/** The names in the body of a creation that belong to this run: its name, and a plain name anywhere in the body. */
function namesOf(exchange: Exchange, name: string, tag: string): readonly string[] {
  const plain = plainNameIn(textOf(exchange), tag);
  return [...(plain === undefined ? [] : [plain]), ...(name !== plain && plainNameIn(name, tag) !== undefined ? [name] : [])];
}

/** A rejection says nothing about a valid value if the key, the time, or the rate was rejected, or if the service crashed. */
function isValueRejection(exchange: Exchange): boolean {
  const status = statusOf(exchange) ?? UNAUTHORIZED;
  const isInvalid = domainOf(exchange.request.intent) === 'invalid';
  return isRejected(exchange) && (isInvalid || (status !== UNAUTHORIZED && status < LEAST_SERVER_ERROR));
}

function petsIn({ json }: HttpResponse): PetView[] {
  if (!json.ok) return [];
  return petViews(Array.isArray(json.value) ? json.value : [json.value]).filter((view) => view !== undefined);
}

function idIn({ json }: HttpResponse): string {
  return json.ok && isJsonObject(json.value) && isInt64(json.value['id']) ? String(json.value['id']) : '?';
}

/** Whether the client chose an id, which the service may have adopted. */
function sendsId({ request }: Exchange): boolean {
  return String(request.body).includes('"id"');
}

/**
 * The state of a run that has sent nothing yet. It is a fold over the history: the same exchanges in the same order give the same
 * state, during the run and afterwards. An exchange is read through the departures (src/session/dialect.ts) that are known when it is added: a
 * history that is folded again is read with all that the run has learned.
 */
export function trackRunState(options: RunStateOptions): RunStateTracker {
  const created = new Map<string, KnownAnimal>();
  const entries: CreatedAnimal[] = [];
  const seen = new Map<string, PetView>();
  const listed = new Set<string>();
  const refusedNames = new Map<string, Exchange>();
  const sharedIds = new Set<string>();
  const acceptedInvalid = new Map<string, number>();
  const acceptedKinds = new Set<string>();
  const turnedAway: Exchange[] = [];
  const lost = createLostCreations();
  /** Names of POSTs that were not rejected, or may not have been. */
  const acceptedNames = new Set<string>();
  const ids = new Set<string>();
  /** Names of POSTs without a 2xx response, and whether they were rejected. */
  const unconfirmed = new Map<string, boolean>();
  let credible = false;
  let creationQuota: number | undefined;
  const old = createLeftovers(options, (id) => ids.has(id));
  const knowledge: RunState = {
    ...{ created, entries, seen, listed, refusedNames, sharedIds, acceptedInvalid, acceptedKinds, turnedAway, leftovers: old.leftovers },
    ...{ consistencyWindow: options.consistencyWindow, baseUrl: options.baseUrl, now: options.now },
    ...{ runTag: options.runTag, remember: createMemory() },
    get credible() {
      return credible;
    },
    get creationQuota() {
      return creationQuota;
    },
    get ambiguous() {
      return lost.names();
    },
    get lookedUp() {
      return lost.lookedUp();
    },
    get uncheckedRejections() {
      return lost.rejected();
    },
  };

  function enterAnimal(id: string, name: string, status: PetView['status']): void {
    entries.push({ id, name, ...(status === undefined ? {} : { status }) });
    ids.add(id);
  }

  /** Keeps the names that must never be seen: those of rejections that no other creation had. */
  function judgeNames(exchange: Exchange, name: string): void {
    const rejected = isValueRejection(exchange);
    for (const own of namesOf(exchange, name, options.runTag)) {
      if (!rejected) acceptedNames.add(own);
      if (acceptedNames.has(own)) refusedNames.delete(own);
      else refusedNames.set(own, exchange);
    }
  }

  /** Only names of this run: an unusual name may belong to another animal too. */
  function suspect(name: string, rejected: boolean): void {
    if (name.toLowerCase().includes(options.runTag.toLowerCase())) unconfirmed.set(name, rejected);
  }

  /** A rejected creation creates nothing, unless the service stores what it rejects. */
  function takeRejected(exchange: Exchange, name: string): void {
    const own = namesOf(exchange, name, options.runTag);
    lost.add(own.includes(name) ? name : (own[0] ?? name), exchange, true);
    for (const one of own) suspect(one, true);
  }

  /** Whether an animal with other names than these has the id. */
  function isTaken(id: string, names: readonly (string | undefined)[]): boolean {
    const shown = seen.get(id)?.name;
    return ids.has(id) || (shown !== undefined && !names.includes(shown));
  }

  function takeCreated(exchange: Exchange, response: HttpResponse, name: string): void {
    const { intent } = exchange.request;
    const { json } = response;
    const answered = petsIn(response)[0] ?? (json.ok ? createdView(json.value) : undefined);
    old.enter(exchange, json.ok ? json.value : undefined);
    const id = answered === undefined ? idIn(response) : String(answered.id);
    if (!sendsId(exchange) && isTaken(id, [name, answered?.name])) sharedIds.add(id);
    enterAnimal(id, name, answered?.status);
    const right = response.status === CREATED && domainOf(intent) !== 'invalid' && intent.credential !== 'refused';
    const { sent } = intent;
    if (answered === undefined || sent === undefined || !right) return;
    // A unique name in the response to its own creation.
    if (answered.name === sent.name) credible = true;
    const createdAt = exchange.timings.startedAt + exchange.timings.duration;
    // Two creations got the same id: the first one stays known, so that the second shows as a breach.
    if (!created.has(String(answered.id)))
      created.set(String(answered.id), { id: answered.id, sent, answered, plain: domainOf(intent) === 'plain', createdAt, exchange });
  }

  function takeCreation(exchange: Exchange): void {
    const { request, outcome } = exchange;
    const { bodyClause, credential, limited } = request.intent;
    const name = nameOf(exchange);
    if (credential === 'valid') judgeNames(exchange, name);
    if (outcome.kind === 'failed') {
      // A connection that was never made can't have created anything.
      if (outcome.failure.reason === 'dns' || outcome.failure.reason === 'connect') return;
      lost.add(name, exchange, false);
      suspect(name, false);
      return;
    }
    const { answer: response } = outcome;
    if (limited?.by === 'quota') creationQuota = response.status;
    if (response.status === UNAVAILABLE && exchange.postponed > 0 && turnedAway.length < MOST_TURNED_AWAY) turnedAway.push(exchange);
    const kind = isSuccess(response.status) ? kindOfRejection(request) : undefined;
    if (kind !== undefined) acceptedKinds.add(kind);
    if (domainOf(request.intent) === 'invalid' && bodyClause !== undefined && isSuccess(response.status))
      acceptedInvalid.set(bodyClause, (acceptedInvalid.get(bodyClause) ?? 0) + 1);
    // A 2xx that is a rejection only by its body has created nothing either.
    if (isSuccess(response.status) && (response.status === CREATED || !isErrorBody(response))) takeCreated(exchange, response, name);
    else if (isRejected(exchange) && response.status < LEAST_SERVER_ERROR) takeRejected(exchange, name);
    else suspect(name, false);
  }

  /** An animal with a name that was never confirmed: the service stored what it rejected, or its response was lost. */
  function uncover(pet: PetView): void {
    const rejected = pet.name === undefined || ids.has(String(pet.id)) ? undefined : unconfirmed.get(pet.name);
    if (pet.name === undefined || rejected === undefined) return;
    unconfirmed.delete(pet.name);
    lost.found(pet.name, rejected);
    enterAnimal(String(pet.id), pet.name, pet.status);
  }

  function takeShown(exchange: Exchange): void {
    const { request, outcome } = exchange;
    if (request.intent.credential !== 'valid' || outcome.kind === 'failed' || outcome.answer.status !== 200) return;
    const { json } = outcome.answer;
    const isList = json.ok && Array.isArray(json.value);
    if (json.ok) old.notice(json.value);
    for (const pet of petsIn(outcome.answer).slice(0, MOST_SEEN)) {
      credible ||= request.intent.operation === 'listPets' && isList;
      uncover(pet);
      const id = String(pet.id);
      if (!ids.has(id) && !seen.has(id)) lost.meet(pet.id);
      if (isList && created.has(id)) listed.add(id);
      if (seen.size < MOST_SEEN || seen.has(id)) seen.set(id, pet);
    }
    lost.strikeOut(exchange, (name) => unconfirmed.has(name));
  }

  return {
    knowledge,
    take(exchange) {
      const { operation, undocumented = false } = exchange.request.intent;
      if (operation === 'createPet') takeCreation(exchange);
      // Responses to undocumented requests prove nothing about the operations; what they create exists anyway.
      else if (!undocumented) takeShown(exchange);
    },
  };
}

/** A creation without a response or with a rejection, and when it ended, in milliseconds since the start of the run. */
type Lost = { readonly name: string; readonly at: number; readonly rejected: boolean };

/**
 * Creations that got no response: the service may have created the animal. They count against the budget until a list shows otherwise; so do rejected
 * ones, once the animal of one was found, or several without a name after bodies without one.
 */
export type LostCreations = {
  add(name: string, exchange: Exchange, rejected: boolean): void;
  /** The names of the creations that count; a placeholder for a creation without a name. */
  names(): readonly string[];
  /** The number of rejected creations. */
  rejected(): number;
  found(name: string, rejected: boolean): void;
  /** An animal that no known creation explains is seen for the first time. */
  meet(id: bigint): void;
  /** Removes those that a list of all animals, requested since, does not show. `isOwn`: no other animal has that name. */
  strikeOut(exchange: Exchange, isOwn: (name: string) => boolean): void;
  /** The number that the last such list has left; a new object for each list. */
  lookedUp(): { readonly left: number };
};

/** The animals of a list that has room for more. */
function completeList({ request, outcome }: Exchange): readonly PetView[] | undefined {
  const { operation, limit, status } = request.intent;
  if (operation !== 'listPets' || limit !== LARGEST_LIMIT || status !== 'absent' || outcome.kind === 'failed') return undefined;
  const { json } = outcome.answer;
  if (!json.ok || !Array.isArray(json.value) || json.value.length >= LARGEST_LIMIT) return undefined;
  const pets = petViews(json.value);
  return pets.every((pet) => pet !== undefined) ? pets : undefined;
}

/** New animals without a name that are no coincidence where bodies without one were rejected. */
const FEW_NAMELESS = 2;

function createLostCreations(): LostCreations {
  const lost: Lost[] = [];
  const strangers = new Set<bigint>();
  let lookedUp = { left: 0 };
  let storesRejected = false;
  /** The ids in the last list of all animals. */
  let before: ReadonlySet<bigint> | undefined;
  const counted = (): readonly Lost[] => lost.filter(({ rejected }) => storesRejected || !rejected);
  return {
    add(name, { timings }, rejected) {
      lost.push({ name, at: timings.startedAt + timings.duration, rejected });
    },
    names: () => counted().map(({ name }) => name),
    rejected: () => lost.filter(({ rejected }) => rejected).length,
    found(name, rejected) {
      storesRejected ||= rejected;
      const index = lost.findIndex((one) => one.name === name);
      if (index >= 0) lost.splice(index, 1);
    },
    meet(id) {
      if (lost.length > 0) strangers.add(id);
    },
    strikeOut(exchange, isOwn) {
      const pets = completeList(exchange);
      if (pets === undefined) return;
      const shown = new Set(pets.map(({ name }) => name));
      const unexplained = pets.some(({ id }) => strangers.has(id));
      const nameless = pets.filter(({ id, name = '' }) => name === '' && strangers.has(id) && before?.has(id) === false).length;
      const unnamed = lost.filter(({ name }) => !isOwn(name));
      const unanswered = unnamed.filter(({ rejected }) => !rejected).length;
      storesRejected ||= unnamed.length > unanswered && nameless >= FEW_NAMELESS + unanswered;
      before = new Set(pets.map(({ id }) => id));
      const stays = ({ name, at }: Lost): boolean => at > exchange.timings.startedAt || shown.has(name) || (unexplained && !isOwn(name));
      lost.splice(0, lost.length, ...lost.filter(stays));
      lookedUp = { left: counted().length };
    },
    lookedUp: () => lookedUp,
  };
}

/**
 * What checks and invariants remember in a run, which ends with its session: for each function, the value that it made at the first call.
 * Callers with the same function get the same value, and may change it.
 */
type Remember = <Value>(begin: () => Value) => Value;

export function createMemory(): Remember {
  const values = new Map<() => unknown, unknown>();
  return <Value>(begin: () => Value): Value => {
    if (!values.has(begin)) values.set(begin, begin());
    // Only this function has made the value stored under it.
    return values.get(begin) as Value;
  };
}
