// The parts of the server that deviations replace, and what they are given and return.

import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Json } from './json.ts';
import type { NewPet, Pet, Status, Store } from './store.ts';

/** What a request is about, known from method and path alone. */
export type Operation = 'listPets' | 'createPet' | 'getPet' | 'unknown';

export type Call = {
  readonly method: string;
  /** The request target as sent, query included. */
  readonly target: string;
  readonly operation: Operation;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Alternating names and values, as sent. */
  readonly rawHeaders: readonly string[];
  /** The last path segment of getPet, percent-decoded; empty for other operations. */
  readonly petId: string;
  /** The TCP connection: the same object for every request that shares it. */
  readonly connection: object;
  /** Reads the body; returns a Problem if it is larger than the server accepts. */
  readonly body: () => Promise<Uint8Array | Problem>;
  /** How many of its bytes arrived first, once it has been read. */
  readonly firstPiece: () => number;
};

export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
};

export type Place = 'list' | 'get' | 'create';

export type ListQuery = { readonly limit: number; readonly status: Status | undefined };

/** Everything that an operation needs. One object per request. */
export type Context = {
  readonly call: Call;
  readonly store: Store;
  readonly parts: Parts;
  readonly apiKey: string;
  readonly now: () => Date;
};

type Awaitable<T> = T | Promise<T>;

/**
 * The server as a record of small replaceable functions. A fault or a variant is one small deviation: it wraps one or two of these. Each
 * base function calls the others through `context.parts`, so that a replacement is used everywhere.
 */
export type Parts = {
  /** The whole request: authentication, then the operation. */
  handle(context: Context): Awaitable<Reply>;
  /** Checks the credential; undefined accepts the request. */
  authenticate(call: Call, apiKey: string): Problem | undefined;
  /** The operation by name, for an authenticated request. */
  dispatch(context: Context): Awaitable<Reply>;
  listPets(context: Context): Awaitable<Reply>;
  createPet(context: Context): Awaitable<Reply>;
  getPet(context: Context): Awaitable<Reply>;

  /** The texts are all values of the parameter, in order. */
  parseLimit(texts: readonly string[]): number | Problem;
  parseStatus(texts: readonly string[]): Status | undefined | Problem;
  /** All animals that a list may show, in the order of the list. */
  arrange(store: Store): readonly Pet[];
  matches(pet: Pet, status: Status): boolean;
  page(animals: readonly Pet[], query: ListQuery, call: Call): readonly Pet[];
  listBody(records: readonly unknown[]): unknown;

  /** Bytes to JSON. */
  readBody(bytes: Uint8Array, call: Call): Json | Problem;
  /** JSON to NewPet: object check and the three field readers. */
  readNewPet(body: Json, parts: Parts): NewPet | Problem;
  readName(value: Json | undefined): string | Problem;
  readCategory(value: Json | undefined): bigint | Problem;
  readStatus(value: Json | undefined): Status | undefined | Problem;
  /** The status of an animal that was created without one. */
  defaultStatus(): Status | undefined;
  assignId(store: Store, body: Json): bigint;
  /** Stores the animal and returns what the response shows. */
  insert(store: Store, pet: Pet): Awaitable<Pet>;

  parseId(text: string): bigint | Problem;
  find(store: Store, id: bigint): Pet | undefined;

  petRecord(pet: Pet, place: Place): Record<string, unknown>;
  errorRecord(problem: Problem, call: Call): unknown;
  errorStatus(problem: Problem, call: Call): number;
  createdStatus(): number;
  encode(value: unknown): string | Uint8Array;
  /** All headers of a response, given those of the operation. */
  headers(headers: Readonly<Record<string, string>>, reply: { readonly status: number }, call: Call): Record<string, string>;
  send(reply: Reply, outgoing: ServerResponse, call: Call): Awaitable<void>;
};

/** A deviation: the parts that it replaces, made from those that it wraps. Called once per server. */
export type Patch = (parts: Parts) => Partial<Parts>;

/** A rejection that becomes an Error body. */
export class Problem {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    this.status = status;
    this.code = code;
    this.message = message;
    this.headers = headers;
  }
}

export function unauthorized(message = 'A valid API key is required'): Problem {
  return new Problem(401, 'unauthorized', message, { 'www-authenticate': 'Bearer realm="pet store"' });
}

export function invalid(message: string, code = 'invalid_request'): Problem {
  return new Problem(400, code, message);
}

export function notFound(message = 'The animal does not exist'): Problem {
  return new Problem(404, 'not_found', message);
}

/** A JSON reply with the headers that the parts add. */
export function jsonReply(context: Context, status: number, value: unknown, extra: Readonly<Record<string, string>> = {}): Reply {
  const { parts, call } = context;
  const headers = parts.headers({ 'content-type': 'application/json', ...extra }, { status }, call);
  return { status, headers, body: parts.encode(value) };
}

/** The reply to a rejected request: an Error body. */
export function problemReply(context: Context, problem: Problem): Reply {
  const { parts, call } = context;
  return jsonReply(context, parts.errorStatus(problem, call), parts.errorRecord(problem, call), problem.headers);
}

/** The same request with other parts, for an operation that deviates for this request only. */
export function withParts(context: Context, changes: Partial<Parts>): Context {
  return { ...context, parts: { ...context.parts, ...changes } };
}

export function withoutHeaders(headers: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}

/** Waits, so that other requests can be processed in between. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, milliseconds);
  });
}
