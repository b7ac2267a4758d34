// How the operations send: every request of a check passes here.

import type { Dispatcher } from 'undici';
import { haltInconclusive } from '../../clause/halt.ts';
import type { Client } from '../../wire/client.ts';
import { type Exchange, type Intent, USER_AGENT, type WireRequest } from '../../wire/exchange.ts';
import { writeJson } from '../../wire/json.ts';
import { postponement } from '../../wire/rate-limit.ts';
import type { Traces } from '../../wire/traces.ts';
import type { Dialect } from '../dialect.ts';
import { currentCheck } from '../session.ts';
import { type CreationLimit, createCreationLimits } from '../state/creation-limits.ts';
import type { Recorder } from '../state/history.ts';
import { kindOfRejection, type RunState } from '../state/run-state.ts';
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
import { EMPTY_QUERY } from './equivalent.ts';
import { createMomentaryFailures } from './momentary-failures.ts';
import { createSeeker } from './nameless-creations.ts';

type Header = readonly [name: string, value: string];

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
  readonly traces: Traces;
  readonly spareName: () => string;
  readonly assertMaySend: () => void;
};

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

function writtenBody(body: CreateBody, { spelling = (text) => text }: CreateOptions): string | Uint8Array | undefined {
  return 'value' in body ? spelling(writeJson(body.value)) : body.raw;
}

function joinQuery(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('&');
}

const PLAIN = { domain: 'plain' } as const;

function withCallOptions(intent: Intent, { path, undocumented = false, vague = false, before }: CallOptions): Intent {
  // Without the key, a service may redirect before it rejects.
  const isOnlySpelled = path === EMPTY_QUERY.path && intent.credential === 'valid';
  return {
    ...intent,
    ...(vague ? { credential: 'open', onceAccepted: intent.credential } : {}),
    ...(undocumented || (path !== undefined && !isOnlySpelled) ? { undocumented: true } : {}),
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

type SendAgain = (exchange: Pick<Exchange, 'request'>, options?: Pick<CallOptions, 'connection'>) => Promise<Exchange>;

export function createApi(parts: ApiParts): Api & { readonly again: SendAgain } {
  const { client, recorder, knowledge, budget, breaker, dialect, assertMaySend, traces } = parts;
  const right = validCredential(parts.apiKey);
  const dispatchers = new WeakMap<Connection, Dispatcher>();
  const limits = createCreationLimits({
    created: () => knowledge.created.size,
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
      query: joinQuery(options.leadingQuery, target.query, options.rawQuery, credential.query),
      headers: fields(sent),
      ...attribution(),
    };
  }

  function createRequest(body: CreateBody, options: CreateOptions): WireRequest {
    const intent = withCallOptions(createIntent(body, options, options.credential ?? right), options);
    const base = requestOf('POST', { path: '/pets', query: '', options, headers: [['content-type', 'application/json']] });
    const { divided = false, chunked = false } = options;
    return { ...base, body: writtenBody(body, options), divided, chunked, intent };
  }

  function list(parameters: ListParameters = {}, options: CallOptions = {}): Promise<Exchange> {
    const pairs = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
    const known = listIntent(parameters, { credential: options.credential ?? right, rawQuery: options.rawQuery });
    const intent = withCallOptions(known, options);
    const query = (options.spelling ?? String)(pairs.join('&'));
    const base = requestOf('GET', { path: '/pets', query, options, headers: [] });
    return sendGet({ ...base, body: undefined, intent }, options);
  }

  function sendGet(request: WireRequest, options: CallOptions): Promise<Exchange> {
    return getPast((firstTry) => send(request, options, { firstTry }), options);
  }

  /** The list that shows what has been created: creations wait for it. */
  let looking: Promise<unknown> | undefined;

  async function post(request: WireRequest, options: CallOptions, firstTry?: Exchange): Promise<Exchange> {
    const kind = kindOfRejection(request);
    await budget.reserve(kind);
    let settled = false;
    // At the moment of recording: from then on the run state counts its result.
    const settle = (): void => {
      settled = true;
      budget.release(kind);
    };
    try {
      return await send(request, options, { settle, firstTry });
    } finally {
      if (!settled) budget.release(kind);
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
      if (lookUp !== undefined) {
        looking = list(lookUp).finally(() => {
          looking = undefined;
        });
      }
      await looking;
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
