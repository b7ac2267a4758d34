// How the operations send: every request of a run passes here.

import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { Halt, haltInconclusive } from '../../clause/halt.ts';
import { petViews } from '../../schema/pet.ts';
import { type Client, postponement } from '../../wire/client.ts';
import { type Exchange, type Intent, PET_STATUSES, USER_AGENT, type WireRequest } from '../../wire/exchange.ts';
import { isJsonObject, readJson, writeJson } from '../../wire/json.ts';
import type { Dialect } from '../dialect.ts';
import { currentCheck } from '../session.ts';
import { type CreationLimit, createCreationLimits } from '../state/creation-limits.ts';
import type { Recorder } from '../state/history.ts';
import type { RunState } from '../state/run-state.ts';
import type { WriteBudget } from '../state/write-budget.ts';
import {
  type Api,
  type CallOptions,
  type Connection,
  type CreateBody,
  type CreateOptions,
  type Credential,
  createIntent,
  getIntent,
  type ListParameters,
  listIntent,
  situationOf,
  widerSituationOf,
} from './api.ts';
import type { Breaker } from './circuit-breaker.ts';

type Header = readonly [name: string, value: string];

/** The check that sends the request, if there is one. */
function attribution(): Pick<WireRequest, 'asker'> {
  const asker = currentCheck();
  return asker === undefined ? {} : { asker };
}

/** Merges headers; a later one replaces an earlier one of the same name. */
function mergeHeaders(...groups: readonly (readonly Header[])[]): Header[] {
  const merged: Header[] = [];
  for (const group of groups) {
    const names = new Set(group.map(([name]) => name.toLowerCase()));
    const kept = merged.filter(([name]) => !names.has(name.toLowerCase()));
    merged.splice(0, merged.length, ...kept, ...group);
  }
  return merged;
}

export type ApiParts = {
  readonly client: Client;
  readonly recorder: Pick<Recorder, 'record'>;
  readonly knowledge: RunState;
  readonly budget: WriteBudget;
  readonly breaker: Breaker;
  readonly dialect: Dialect;
  readonly apiKey: string;
  readonly createdEarlier: boolean;
  readonly traces: Traces;
  /** A plain name that is unique in the run. */
  readonly spareName: () => string;
  /** Halts if no more requests may be sent. */
  readonly assertMaySend: () => void;
};

/** The API key, sent as the document requires. */
export function validCredential(apiKey: string): Credential {
  return { note: 'the API key', standing: 'valid', headers: [['authorization', `Bearer ${apiKey}`]] };
}

/** No credential at all: the response shows whether the API key makes a difference. */
export const NO_CREDENTIAL: Credential = { note: 'no Authorization header', standing: 'refused', headers: [] };

/** A list request that belongs to no check: to see whether the service is back. */
export function aliveRequest(apiKey: string): WireRequest {
  const credential = validCredential(apiKey);
  const headers = mergeHeaders(
    [
      ['accept', 'application/json'],
      ['user-agent', USER_AGENT],
    ],
    credential.headers,
  );
  const intent = listIntent({ limit: 1 }, { credential, rawQuery: undefined });
  return { method: 'GET', path: '/pets', query: 'limit=1', headers, body: undefined, intent };
}

function bodyOf(body: CreateBody, { spelling = (text) => text }: CreateOptions): string | Uint8Array | undefined {
  return 'value' in body ? spelling(writeJson(body.value)) : body.raw;
}

function joinQuery(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('&');
}

const PLAIN = { domain: 'plain' } as const;

/** The intent of a request, with what only the sender knows. */
function withCallOptions(intent: Intent, { path, undocumented = false, vague = false, before }: CallOptions): Intent {
  return {
    ...intent,
    ...(vague ? { credential: 'open', onceAccepted: intent.credential } : {}),
    ...(path !== undefined || undocumented ? { undocumented: true } : {}),
    ...(before === undefined ? {} : { before }),
  };
}

/**
 * If nothing is created because of a quota, or of what the key may be used for, the document decides nothing: the body is open, whatever it
 * is.
 */
function asLimited(exchange: Exchange, { by }: CreationLimit): Exchange {
  const { request } = exchange;
  const limited = { by, domain: request.intent.body };
  return { ...exchange, request: { ...request, intent: { ...request.intent, body: 'open', bodyClause: undefined, limited } } };
}

/** Why a request that may not be repeated is undecided: a service that has created animals may have stopped creating them. */
function causeOfWait({ request: { intent } }: Exchange, { created }: RunState): 'service' | 'circumstance' {
  return intent.operation === 'createPet' && created.size > 0 ? 'circumstance' : 'service';
}

/** Sends a request once more, unchanged. */
type SendAgain = (exchange: Pick<Exchange, 'request'>, options?: Pick<CallOptions, 'connection'>) => Promise<Exchange>;

export function createApi(parts: ApiParts): Api & { readonly again: SendAgain } {
  const { client, recorder, knowledge, budget, breaker, dialect, assertMaySend, traces } = parts;
  const right = validCredential(parts.apiKey);
  const dispatchers = new WeakMap<Connection, Dispatcher>();
  const limits = createCreationLimits({
    created: () => knowledge.created.size,
    createdEarlier: parts.createdEarlier,
    createPlain,
    enter(exchange) {
      budget.release();
      recorder.record(withCreationLimit(exchange));
    },
  });

  const seeker = createSeeker({ dialect, list });
  const momentary = createMomentaryFailures();

  function getPast(ask: (firstTry?: Exchange) => Promise<Exchange>, { once = false }: CallOptions): Promise<Exchange> {
    return once ? ask() : momentary.getPast(ask, ({ request }) => situationOf(request, knowledge));
  }

  async function createPlain(): Promise<Exchange | undefined> {
    const known = knowledge.created.values().find(({ plain }) => plain);
    if (known === undefined || budget.room() <= 0) return undefined;
    await budget.reserve();
    // Raw: its result is not an animal that checks continue with.
    const raw = writeJson({ name: parts.spareName(), categoryId: known.sent.categoryId });
    const request = createRequest({ raw }, PLAIN);
    return dialect.read(await client.send(request, { once: true }));
  }

  /** The exchange as it is judged, once it is known whether its response is only about creations in general. */
  function withCreationLimit(exchange: Exchange): Exchange {
    const limit = limits.limitOf(exchange);
    return limit === undefined ? exchange : asLimited(exchange, limit);
  }

  async function send(
    request: WireRequest,
    options: CallOptions,
    { settle, firstTry }: { readonly settle?: (() => void) | undefined; readonly firstTry?: Exchange | undefined } = {},
  ): Promise<Exchange> {
    const connection = options.connection === undefined ? undefined : dispatchers.get(options.connection);
    const situation = situationOf(request, knowledge);
    const wider = widerSituationOf(request);
    // Checked when its turn comes: a hundred requests may be waiting when the service stops responding.
    const sent = await client.send(request, {
      admit: async () => {
        assertMaySend();
        await breaker.check(situation, wider);
        await options.meeting?.arrive();
      },
      // A connection that was closed on an undocumented spelling says nothing about the service.
      note: (attempt) => {
        if (request.intent.undocumented !== true) breaker.note(situation, attempt, wider);
        const tried = { request, outcome: attempt.outcome };
        momentary.note(situation, tried);
        if (momentary.isRejectedNow(situation, tried)) client.sendFewerThan(attempt.underWay);
      },
      once: options.once ?? false,
      atOnce: options.atOnce ?? false,
      ...(connection === undefined ? {} : { connection }),
    });
    const received = firstTry === undefined ? sent : { ...sent, firstTry };
    if (request.intent.undocumented === true) {
      settle?.();
      recorder.record(received);
      return received;
    }
    dialect.note(received);
    await seeker.seek(received);
    const read = dialect.read(received);
    await limits.consider(read);
    const limit = limits.limitOf(read);
    const exchange = withCreationLimit(read);
    settle?.();
    recorder.record(exchange);
    if (exchange.outcome.kind === 'answered' && postponement(exchange.outcome.answer, 0) !== undefined) {
      haltInconclusive(
        `the service limits the rate of requests (${exchange.outcome.answer.status}) for longer than the suite waits`,
        causeOfWait(exchange, knowledge),
      );
    }
    if (limit !== undefined) haltInconclusive(limit.missing, limit.cause);
    return exchange;
  }

  function requestOf(method: WireRequest['method'], target: { path: string; query: string; options: CallOptions; headers: Header[] }) {
    const { options } = target;
    const credential = options.credential ?? right;
    // A request whose headers matter is sent exactly as its check specifies.
    const trace = options.headers === undefined && options.without === undefined ? traces() : undefined;
    const headers = mergeHeaders(
      [['accept', 'application/json'], ['user-agent', USER_AGENT], ...(trace === undefined ? [] : [['traceparent', trace] as const])],
      target.headers,
      credential.headers,
      options.headers ?? [],
    );
    const sent = headers.filter(([name]) => options.without?.includes(name.toLowerCase()) !== true);
    const { fields = (usual) => usual } = options;
    return {
      method,
      path: options.path ?? target.path,
      query: joinQuery(target.query, options.rawQuery, credential.query),
      headers: fields(sent),
      ...attribution(),
    };
  }

  function createRequest(body: CreateBody, options: CreateOptions): WireRequest {
    const intent = withCallOptions(createIntent(body, options, options.credential ?? right), options);
    const base = requestOf('POST', { path: '/pets', query: '', options, headers: [['content-type', 'application/json']] });
    const { divided = false, chunked = false } = options;
    return { ...base, body: bodyOf(body, options), divided, chunked, intent };
  }

  function list(parameters: ListParameters = {}, options: CallOptions = {}): Promise<Exchange> {
    const pairs = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
    const known = listIntent(parameters, { credential: options.credential ?? right, rawQuery: options.rawQuery });
    const intent = withCallOptions(known, options);
    const query = (options.spelling ?? String)(pairs.join('&'));
    const base = requestOf('GET', { path: '/pets', query, options, headers: [] });
    return sendGet({ ...base, body: undefined, intent }, options);
  }

  /** Sends a GET, repeating it after a momentary failure. */
  function sendGet(request: WireRequest, options: CallOptions): Promise<Exchange> {
    return getPast((firstTry) => send(request, options, { firstTry }), options);
  }

  /** Sends a POST that the budget has reserved. */
  async function post(
    request: WireRequest,
    options: CallOptions & Pick<Partial<CreateOptions>, 'clause'>,
    firstTry?: Exchange,
  ): Promise<Exchange> {
    await budget.reserve(options);
    let settled = false;
    // At the moment of recording: from then on the run state counts its result.
    const settle = (): void => {
      settled = true;
      budget.release();
    };
    try {
      return await send(request, options, { settle, firstTry });
    } finally {
      if (!settled) budget.release();
    }
  }

  return {
    list,
    get(petId, options = {}) {
      const intent = withCallOptions(getIntent(petId, options.credential ?? right), options);
      const { segment = encodeURIComponent(String(petId)) } = options;
      const base = requestOf('GET', { path: `/pets/${segment}`, query: '', options, headers: [] });
      return sendGet({ ...base, body: undefined, intent }, options);
    },
    async create(body, options) {
      const request = createRequest(body, options);
      const lookUp = budget.lookUp();
      if (lookUp !== undefined) await list(lookUp);
      return getPast((firstTry) => post(request, options, firstTry), options);
    },
    again({ request }, options = {}) {
      const once = { ...options, once: true };
      return request.method === 'GET' ? send(request, once) : post(request, once);
    },
    connect() {
      const dispatcher = client.connect();
      const connection: Connection = { brand: 'Connection', close: () => dispatcher.destroy() };
      dispatchers.set(connection, dispatcher);
      return connection;
    },
  };
}

/** One of this many requests has no trace, which reveals a service that requires one. */
const BARE = 8;
const RUN_BYTES = 4;
const TRACE_BYTES = 16;
const SPAN_BYTES = 8;
const SAMPLED = '01';
/** The number of bytes drawn at a time. */
const DRAWN = 4_096;

/** Random bytes in hexadecimal digits. */
function createDigits(): (bytes: number) => string {
  let drawn = '';
  return (bytes) => {
    if (drawn.length < 2 * bytes) drawn = randomBytes(DRAWN).toString('hex');
    const digits = drawn.slice(0, 2 * bytes);
    drawn = drawn.slice(2 * bytes);
    return digits;
  };
}

/** The `traceparent` of the next request (W3C Trace Context), or undefined if it has none. */
type Traces = () => string | undefined;

/**
 * One trace per request: the first eight digits are those of the run, so that the logs of a service can be searched for one exchange or for
 * all. If tracing is off, no request has one.
 */
export function createTraces({ trace }: { readonly trace: boolean }): Traces {
  const digits = createDigits();
  const run = digits(RUN_BYTES);
  let count = 0;
  return () => {
    count += 1;
    return trace && count % BARE !== 0 ? `00-${run}${digits(TRACE_BYTES - RUN_BYTES)}-${digits(SPAN_BYTES)}-${SAMPLED}` : undefined;
  };
}

/** Milliseconds before a request is repeated, the first time and later. */
const PAUSES = [0, 25, 50];
/** The number of requests that failed at each attempt after which none is repeated. */
const MOST_IN_VAIN = 8;

const UNAUTHORIZED = 401;
const FORBIDDEN = 403;
const LEAST_SERVER_ERROR = 500;

type Attempt = Pick<Exchange, 'request' | 'outcome'>;

/**
 * Repeats requests that a service fails intermittently although it serves them at other times: it rejects the API key, or it breaks off the
 * response to a read. Each such exchange is recorded, for the invariants to judge; a check continues with the response to the repeated
 * request. A situation is what distinguishes kinds of requests (`situationOf`).
 */
export type MomentaryFailures = {
  /** Notes the result of a request of that situation. */
  note(situation: string, attempt: Attempt): void;
  /** Whether the API key was rejected in a situation in which it is accepted at other times. */
  isRejectedNow(situation: string, attempt: Attempt): boolean;
  /** Sends with `ask`, and repeats it after a momentary failure; `ask` then gets the result of the first attempt. */
  getPast(ask: (firstTry?: Exchange) => Promise<Exchange>, situationOf: (exchange: Exchange) => string): Promise<Exchange>;
};

const isMeant = ({ request: { intent } }: Attempt): boolean => intent.credential === 'valid' && intent.undocumented !== true;

function isAdmitted({ outcome }: Attempt): boolean {
  if (outcome.kind === 'failed') return false;
  const { status } = outcome.answer;
  return status !== UNAUTHORIZED && status !== FORBIDDEN && status < LEAST_SERVER_ERROR;
}

const isRejected = ({ outcome }: Attempt): boolean => outcome.kind === 'answered' && outcome.answer.status === UNAUTHORIZED;

function isBrokenOff({ request: { method }, outcome }: Attempt): boolean {
  return method === 'GET' && outcome.kind === 'failed' && outcome.failure.reason === 'protocol' && !outcome.failure.stale;
}

function createMomentaryFailures(): MomentaryFailures {
  const admitted = new Set<string>();
  let inVain = 0;

  const isMomentary = (situation: string, attempt: Attempt): boolean =>
    isMeant(attempt) && admitted.has(situation) && (isRejected(attempt) || isBrokenOff(attempt));

  return {
    note(situation, attempt) {
      if (isMeant(attempt) && isAdmitted(attempt)) admitted.add(situation);
    },
    isRejectedNow: (situation, attempt) => isMomentary(situation, attempt) && isRejected(attempt),
    async getPast(ask, situationOf) {
      const first = await ask();
      if (!isMomentary(situationOf(first), first)) return first;
      for (const wait of PAUSES) {
        if (inVain >= MOST_IN_VAIN) return first;
        await pause(wait);
        const again = await ask(first);
        if (!isMomentary(situationOf(again), again)) return again;
      }
      inVain += 1;
      return first;
    },
  };
}

/** Lists that may show a new animal. */
const LISTS: readonly ListParameters[] = [{ limit: 100 }, {}, ...PET_STATUSES.map((status) => ({ status, limit: 100 }))];
/** The number of consecutive creations that no list shows after which no other is looked for: the pages are full. */
const MOST_MISSED = 4;

function nameIn({ request: { body } }: Exchange): string | undefined {
  const reading = typeof body === 'string' ? readJson(body) : undefined;
  const name = reading?.ok === true && isJsonObject(reading.value) ? reading.value['name'] : undefined;
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/** The ids of the listed animals with that name. */
function idsOf(name: string, { outcome }: Exchange): readonly bigint[] {
  if (outcome.kind === 'failed' || outcome.answer.status !== 200 || !outcome.answer.json.ok) return [];
  const { value } = outcome.answer.json;
  const pets = petViews(Array.isArray(value) ? value : []).filter((pet) => pet !== undefined);
  return pets.filter((pet) => pet.name === name).map(({ id }) => id);
}

/**
 * Finds created animals if responses to creations name none: lists are searched for the name, which is unique. The list that showed the
 * last one is requested first.
 */
export function createSeeker({
  dialect,
  list,
}: {
  readonly dialect: Dialect;
  readonly list: (query: ListParameters) => Promise<Exchange>;
}) {
  let lists = LISTS;
  let missed = 0;
  const found = new Set<bigint>();

  async function find(name: string): Promise<bigint | undefined> {
    for (const query of lists) {
      const [id, other] = idsOf(name, await list(query));
      if (id === undefined) continue;
      lists = [query, ...LISTS.filter((one) => one !== query)];
      // If two animals have the name, it is unknown which one the creation made.
      return other === undefined ? id : undefined;
    }
    return undefined;
  }

  return {
    /** Lets the dialect read the response with the id that was found, if it names no animal itself. */
    async seek(exchange: Exchange): Promise<void> {
      for (const nameless of dialect.nameless(exchange)) {
        const name = nameIn(nameless);
        if (name === undefined || missed >= MOST_MISSED) continue;
        try {
          const id = await find(name);
          missed = id === undefined ? missed + 1 : 0;
          // If a name is sent twice, the page may show only the first animal.
          if (id === undefined || found.has(id)) continue;
          found.add(id);
          dialect.identify(nameless, id);
        } catch (error) {
          // Nothing more may be sent: the creation keeps its response.
          if (!(error instanceof Halt)) throw error;
        }
      }
    },
  };
}
