// What can be asked of the service, and what the document says about such a request.

import type { ClauseId } from '../../clause/clause.ts';
import { PLAIN_LIMIT } from '../../clause/limits.ts';
import { asStatus, type NewPetInput } from '../../schema/pet.ts';
import { INT64_MAX, INT64_MIN } from '../../schema/validators.ts';
import type { Exchange, Intent, WireRequest } from '../../wire/exchange.ts';
import { isJsonObject } from '../../wire/json.ts';
import type { RunState } from '../state/run-state.ts';

type Header = readonly [name: string, value: string];

/** What is sent instead of the API key. `headers` replace the Authorization header; `query` is added to the URL. */
export type Credential = {
  /** In words, for the reader of a report: "no Authorization header". */
  readonly note: string;
  /** Whether the response must be 401 (`refused`), the document leaves it open, or it is the API key after all. */
  readonly standing: 'refused' | 'open' | 'valid';
  readonly headers: readonly Header[];
  readonly query?: string;
};

export type CallOptions = {
  /** Default: the API key. */
  readonly credential?: Credential;
  /** Headers added to those of the operation (they replace headers of the same name). */
  readonly headers?: readonly Header[];
  /** Names, in lower case, of headers of the operation that are not sent. */
  readonly without?: readonly string[];
  /** Raw query, as sent, instead of or after the parameters. */
  readonly rawQuery?: string;
  /** Raw query of other parameters, as sent, before the parameters. */
  readonly leadingQuery?: string;
  /** Another text with the same meaning as the query or the JSON body: the intent of the request stays the same. */
  readonly spelling?: (text: string) => string;
  /**
   * The header fields as they are written: changes their order, the letter case of their names, or white space around values, none of which
   * has a meaning.
   */
  readonly fields?: (headers: readonly Header[]) => readonly Header[];
  /** A separate connection, used only for calls with the same value. */
  readonly connection?: Connection;
  /** Sent only once: if the response asks to wait, the request is not repeated. */
  readonly once?: boolean;
  /** Sent together with as many others as `concurrency` allows, even if the service was seen to serve fewer at a time. */
  readonly atOnce?: boolean;
  /** Sent at the same moment as the others in the meeting. */
  readonly meeting?: Meeting;
  /** The body is sent in two pieces, the second one a moment after the first. */
  readonly divided?: boolean;
  /** The body is sent in chunks, without a Content-Length. */
  readonly chunked?: boolean;
  /** The last segment of getPet's path as sent, if it is not a text that can be encoded. */
  readonly segment?: string;
  /**
   * Sent as is, instead of the path of the operation: another spelling of it. Only rules that accept undocumented requests judge the
   * response, except for an empty query (EMPTY_QUERY) with the API key, which changes nothing.
   */
  readonly path?: string;
  /** A header asks for something that the document does not mention: only rules that accept undocumented requests judge the response. */
  readonly undocumented?: boolean;
  /**
   * Sent by a client that does not identify itself, or does not say what it accepts: a service may reject it. Once accepted, it is a client
   * like any other.
   */
  readonly vague?: boolean;
  /**
   * What the service has seen before from this client, on the connection and at the URL: for a request without the key that shows what is
   * carried over.
   */
  readonly before?: 'nothing' | 'the API key';
};

/** A single kept-alive connection, to test what the service carries over from one request to the next. */
export type Connection = { readonly brand: 'Connection'; close(): Promise<void> };

export type ListParameters = {
  /** A number is in 1..100 or open; a string is sent as is (URL-encoded) and is open unless it spells one of 1..100 plainly. */
  readonly limit?: number | string;
  /** One of the statuses, or any other string, which is open. */
  readonly status?: string;
};

/** The body of a creation: a value (digits of bigint kept), or raw bytes with their media type. */
export type CreateBody = { readonly value: unknown } | { readonly raw: string | Uint8Array | undefined };

export type CreateOptions = CallOptions & {
  /** The allowed responses: plain 201; unusual 201 or 400; invalid 400; open anything but a broken response. */
  readonly domain: 'plain' | 'unusual' | 'invalid' | 'open';
  /** For `invalid`: the clause that forbids the body. */
  readonly clause?: ClauseId;
  /** What is special about the body, in words that complete "a body …", for the reader of a report. */
  readonly note?: string;
};

/** The three operations. Each call is one recorded exchange; none throws because of what the service does. */
export type Api = {
  list(parameters?: ListParameters, options?: CallOptions): Promise<Exchange>;
  /** A bigint is sent as its digits; a string as is, percent-encoded, and counts as int64 only if it is plain digits in range. */
  get(petId: bigint | string, options?: CallOptions): Promise<Exchange>;
  /**
   * Sends a POST if the budget has room; otherwise halts the check as inconclusive (read-only, budget spent). The animal in a 201 is
   * entered in the run state, whatever the domain.
   */
  create(body: CreateBody, options: CreateOptions): Promise<Exchange>;
  connect(): Connection;
};

/** Requests that are sent at the same moment: each one waits in its turn until all are ready. */
type Meeting = {
  arrive(): Promise<void>;
};

/** Milliseconds after which those that are ready stop waiting: one may be held back until the others are done. */
const PATIENCE = 250;

/** A meeting of this many requests. A request that is repeated finds it over and does not wait. */
export function createMeeting(expected: number): Meeting {
  const over = Promise.withResolvers<void>();
  let arrived = 0;
  let patience: NodeJS.Timeout | undefined;
  return {
    async arrive() {
      arrived += 1;
      patience ??= setTimeout(over.resolve, PATIENCE);
      if (arrived >= expected) {
        clearTimeout(patience);
        over.resolve();
      }
      await over.promise;
    },
  };
}

const PLAIN_ID = /^(?:0|-?[1-9]\d{0,18})$/;

const NOTHING = { limit: 'absent', status: 'absent', body: 'none', bodyClause: undefined, petId: undefined } as const;

function credentialIntent(credential: Credential): Pick<Intent, 'credential' | 'credentialNote'> {
  return { credential: credential.standing, credentialNote: credential.note };
}

function limitOf(limit: ListParameters['limit']): Intent['limit'] {
  if (limit === undefined) return 'absent';
  return PLAIN_LIMIT.test(String(limit)) ? Number(limit) : 'open';
}

/** Whether a raw query may mention `limit` or `status`, percent-encoded or not. */
function mentionsParameters(rawQuery: string): boolean {
  try {
    return /(?:^|&)(?:limit|status)\b/i.test(decodeURIComponent(rawQuery));
  } catch {
    // Not percent-encoded text: its meaning is unknown.
    return true;
  }
}

/** The intent of a list request. A raw query may contain anything: limit and status are then open unless it is empty. */
export function listIntent(parameters: ListParameters, request: { credential: Credential; rawQuery: string | undefined }): Intent {
  const raw = request.rawQuery !== undefined && mentionsParameters(request.rawQuery);
  const status = parameters.status === undefined ? 'absent' : (asStatus(parameters.status) ?? 'open');
  return {
    ...NOTHING,
    ...credentialIntent(request.credential),
    operation: 'listPets',
    limit: raw ? 'open' : limitOf(parameters.limit),
    status: raw ? 'open' : status,
  };
}

/** The NewPet in a value that is one, or would be except for additional members and its status. */
function inputOf(body: CreateBody): NewPetInput | undefined {
  if (!('value' in body) || !isJsonObject(body.value)) return undefined;
  const { name, categoryId, status } = body.value as Record<string, unknown>;
  if (typeof name !== 'string') return undefined;
  if (typeof categoryId !== 'bigint' && !(typeof categoryId === 'number' && Number.isSafeInteger(categoryId))) return undefined;
  const known = asStatus(status);
  return { name, categoryId: BigInt(categoryId), ...(known === undefined ? {} : { status: known }) };
}

/** The intent of a creation. About raw bytes, only what the check says is known. */
export function createIntent(body: CreateBody, { domain, clause, note }: CreateOptions, credential: Credential): Intent {
  const sent = inputOf(body);
  return {
    ...NOTHING,
    ...credentialIntent(credential),
    operation: 'createPet',
    body: domain,
    bodyClause: clause,
    ...(note === undefined ? {} : { bodyNote: note }),
    ...(sent === undefined ? {} : { sent }),
  };
}

/** The id that a path segment spells plainly, if it is an int64. */
export function plainInt64(segment: string): bigint | undefined {
  if (!PLAIN_ID.test(segment)) return undefined;
  const value = BigInt(segment);
  return value >= INT64_MIN && value <= INT64_MAX ? value : undefined;
}

export function getIntent(petId: bigint | string, credential: Credential): Intent {
  return { ...NOTHING, ...credentialIntent(credential), operation: 'getPet', petId: plainInt64(String(petId)) };
}

/** What lists with any limit share, for a service that hangs on all lists with a status. */
export function widerSituationOf({ intent }: WireRequest): string | undefined {
  return intent.operation === 'listPets' && intent.status !== 'absent' ? `GET /pets with status ${intent.status}` : undefined;
}

/** What distinguishes the request for a service that responds to some and hangs on others: the circuit breaker counts by it. */
export function situationOf({ intent }: WireRequest, { created, seen }: Pick<RunState, 'created' | 'seen'>): string {
  const key = { valid: 'the API key', refused: 'a wrong key', open: 'an unusual credential' }[intent.credential];
  switch (intent.operation) {
    case 'listPets':
      return `GET /pets with limit ${intent.limit}, status ${intent.status} and ${key}`;
    case 'createPet':
      return `POST /pets of ${intent.bodyClause ?? intent.body} with ${key}`;
    case 'getPet': {
      const id = String(intent.petId);
      return `GET /pets/{petId} for ${created.has(id) || seen.has(id) ? 'an existing animal' : 'an unknown id'} with ${key}`;
    }
    default:
      return intent.operation satisfies never;
  }
}
