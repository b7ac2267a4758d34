import { createHash, timingSafeEqual } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { isInt64, parseInteger } from './int64.ts';
import { integerLiteral, type Json, NumberText, parseJson } from './json.ts';
import { createPet, dispatch, getPet, handle, listPets, readNewPet } from './operations.ts';
import type { Call, ListQuery, Parts, Reply } from './parts.ts';
import { isStatus, type Pet, type Status } from './pet.ts';
import { invalid, type Problem, unauthorized } from './problem.ts';
import { addPet, type Store } from './store.ts';

const SUNSET = 'Thu, 05 Dec 2030 00:00:00 GMT';
const DEPRECATED_SINCE = `@${Date.UTC(2025, 0, 1) / 1000}`;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The credential of a bearer header; undefined if the header is missing or has another scheme. */
export function bearerToken(header: string | undefined): string | undefined {
  // RFC 9110 makes the scheme case-insensitive.
  return /^bearer +(\S+)$/i.exec(header ?? '')?.[1];
}

/** Compares without revealing by its duration how much of the key was correct. */
export function sameKey(given: string, apiKey: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(apiKey));
}

function authenticate(call: Call, apiKey: string): Problem | undefined {
  const token = bearerToken(call.headers.authorization);
  return token !== undefined && sameKey(token, apiKey) ? undefined : unauthorized();
}

function parseLimit(texts: readonly string[]): number | Problem {
  const [text] = texts;
  if (text === undefined) return 20;
  const limit = /^[1-9]\d{0,2}$/.test(text) ? Number(text) : 0;
  if (texts.length > 1 || limit < 1 || limit > 100) return invalid('limit must be one integer from 1 to 100', 'invalid_limit');
  return limit;
}

function parseStatus(texts: readonly string[]): Status | undefined | Problem {
  const [text] = texts;
  if (text === undefined) return undefined;
  if (texts.length === 1 && isStatus(text)) return text;
  return invalid('status must be one of available, pending, sold', 'invalid_status');
}

function readBody(bytes: Uint8Array): Json | Problem {
  try {
    return parseJson(UTF8.decode(bytes));
  } catch {
    return invalid('The body must be JSON in UTF-8', 'invalid_json');
  }
}

function readName(value: Json | undefined): string | Problem {
  return typeof value === 'string' ? value : invalid('name must be a string', 'invalid_name');
}

function readCategory(value: Json | undefined): bigint | Problem {
  const category = value instanceof NumberText ? parseInteger(value.text) : undefined;
  return category !== undefined && isInt64(category) ? category : invalid('categoryId must be an int64', 'invalid_category');
}

function readStatus(value: Json | undefined): Status | undefined | Problem {
  if (value === undefined) return undefined;
  return isStatus(value) ? value : invalid('status must be one of available, pending, sold', 'invalid_status');
}

function parseId(text: string): bigint | Problem {
  const id = parseInteger(text);
  return id !== undefined && isInt64(id) ? id : invalid('petId must be an int64', 'invalid_id');
}

function assignId(store: Store): bigint {
  store.lastId += 1n;
  return store.lastId;
}

function insert(store: Store, pet: Pet): Pet {
  addPet(store, pet);
  return pet;
}

function petRecord(pet: Pet): Record<string, unknown> {
  const { id, name, categoryId, status, raw } = pet;
  return { id: integerLiteral(id), name, categoryId: integerLiteral(categoryId), status, ...raw };
}

function errorRecord({ code, message, status }: Problem): Record<string, unknown> {
  return { code, message, status };
}

function headers(given: Readonly<Record<string, string>>, _reply: { readonly status: number }, call: Call): Record<string, string> {
  return call.operation === 'getPet' ? { ...given, deprecation: DEPRECATED_SINCE, sunset: SUNSET } : { ...given };
}

function send(reply: Reply, outgoing: ServerResponse): void {
  outgoing.writeHead(reply.status, { ...reply.headers, 'content-length': String(Buffer.byteLength(reply.body)) });
  outgoing.end(reply.body);
}

/** The conforming server. Where the document is silent it rejects with 400 and starts animals as `available`. */
export const baseParts: Parts = {
  handle,
  authenticate,
  dispatch,
  listPets,
  createPet,
  getPet,
  parseLimit,
  parseStatus,
  arrange: (store) => store.animals,
  matches: (pet, status) => pet.status === status,
  page: (animals: readonly Pet[], query: ListQuery) => animals.slice(0, query.limit),
  listBody: (records) => records,
  readBody,
  readNewPet,
  readName,
  readCategory,
  readStatus,
  defaultStatus: () => 'available',
  assignId,
  insert,
  parseId,
  find: (store, id) => store.byId.get(id),
  petRecord,
  errorRecord,
  errorStatus: (problem) => problem.status,
  createdStatus: () => 201,
  encode: (value) => JSON.stringify(value),
  headers,
  send,
};
