import { type NewPetInput, petView } from '../../src/schema/pet.ts';
import {
  type CreateOptions,
  type Credential,
  createIntent,
  getIntent,
  type ListParameters,
  listIntent,
} from '../../src/session/client/api.ts';
import { createLeftovers } from '../../src/session/state/leftovers.ts';
import { createMemory, type KnownAnimal, type RunState } from '../../src/session/state/run-state.ts';
import { readBody } from '../../src/wire/body.ts';
import { type Exchange, type HttpResponse, USER_AGENT, type WireRequest } from '../../src/wire/exchange.ts';
import { type Json, writeJson } from '../../src/wire/json.ts';

export const RIGHT_KEY: Credential = { note: 'the API key', standing: 'valid', headers: [] };

/**
 * A response as a server writes it: a body as a value (with exact bigints), as a text, or as bytes; JSON unless the headers say otherwise.
 */
export type Reply = {
  readonly status: number;
  readonly body?: unknown;
  readonly text?: string | Buffer;
  readonly headers?: HttpResponse['headers'];
};

function bytesOf({ body, text }: Reply): Buffer {
  if (text !== undefined) return Buffer.from(text);
  return Buffer.from(body === undefined ? '' : writeJson(body));
}

let number = 0;

function exchangeOf(request: Omit<WireRequest, 'headers'>, reply: Reply | 'timeout'): Exchange {
  const outcome: Exchange['outcome'] =
    reply === 'timeout'
      ? { kind: 'failed', failure: { reason: 'timeout', message: 'no response within 3 s', stale: false } }
      : {
          kind: 'answered',
          answer: {
            status: reply.status,
            headers: reply.headers ?? [['content-type', 'application/json']],
            ...readBody(bytesOf(reply)),
          },
        };
  number += 1;
  const timings = { startedAt: number, duration: 1 };
  return {
    number,
    request: {
      ...request,
      headers: [
        ['accept', 'application/json'],
        ['user-agent', USER_AGENT],
      ],
    },
    timings,
    retried: false,
    postponed: 0,
    outcome,
  };
}

type Sent = { readonly credential?: Credential; readonly rawQuery?: string };

export function listed(parameters: ListParameters, reply: Reply | 'timeout', { credential = RIGHT_KEY, rawQuery }: Sent = {}): Exchange {
  const pairs = Object.entries(parameters).map(([name, value]) => `${name}=${value}`);
  const query = [...pairs, ...(rawQuery === undefined ? [] : [rawQuery])].join('&');
  const intent = listIntent(parameters, { credential, rawQuery });
  return exchangeOf({ method: 'GET', path: '/pets', query, body: undefined, intent }, reply);
}

export function read(id: bigint | string, reply: Reply | 'timeout', { credential = RIGHT_KEY }: Sent = {}): Exchange {
  return exchangeOf({ method: 'GET', path: `/pets/${id}`, query: '', body: undefined, intent: getIntent(id, credential) }, reply);
}

type SentBody = Partial<Pick<CreateOptions, 'domain' | 'credential'>> & { readonly clause?: string };

/** A creation: by default a value of the plain domain, or raw text. */
export function posted(
  body: unknown,
  reply: Reply | 'timeout',
  { domain = 'plain', clause, credential = RIGHT_KEY }: SentBody = {},
): Exchange {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const intent = { ...createIntent(isRaw ? { raw: body } : { value: body }, { domain }, credential), bodyClause: clause };
  const raw = isRaw ? body : writeJson(body);
  return exchangeOf({ method: 'POST', path: '/pets', query: '', body: raw, intent }, reply);
}

/** The animal that a 201 showed, with what was sent for it; by default the 201 shows what was sent. */
export function knownAnimal(
  id: bigint,
  sent: NewPetInput,
  changes: { answered?: Json; plain?: boolean; exchange?: Exchange } = {},
): KnownAnimal {
  const answered = petView(changes.answered ?? { id, ...sent });
  if (answered === undefined) throw new Error('the animal is no Pet');
  const exchange = changes.exchange ?? posted(sent, { status: 201, body: answered.json });
  return { id, sent, answered, plain: changes.plain ?? true, createdAt: 1, exchange };
}

/** What a run knows: animals that it created, and others that a response showed. */
export function knowledgeOf(created: readonly KnownAnimal[] = [], seen: readonly Json[] = []): RunState {
  const views = seen.map(petView).filter((view) => view !== undefined);
  return {
    created: new Map(created.map((animal) => [String(animal.id), animal])),
    seen: new Map(views.map((view) => [String(view.id), view])),
    listed: new Set(views.map(({ id }) => String(id))),
    entries: [],
    ambiguous: [],
    lookedUp: { left: 0 },
    credible: true,
    refusedNames: new Map(),
    sharedIds: new Set(),
    acceptedInvalid: new Map(),
    acceptedKinds: new Set(),
    uncheckedRejections: 0,
    turnedAway: [],
    leftovers: createLeftovers({ runTag: 'tests', leftoverIds: [] }, () => false).leftovers,
    creationQuota: undefined,
    consistencyWindow: 2_000,
    baseUrl: 'http://127.0.0.1:9/v1',
    now: new Date('2026-11-21T12:00:00Z'),
    runTag: 'tests',
    remember: createMemory(),
  };
}
