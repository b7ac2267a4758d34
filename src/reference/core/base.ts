import { createHash, timingSafeEqual } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { integerLiteral, isInt64, isObject, type Json, member, NumberText, parseInteger, parseJson } from './json.ts';
import {
  type Call,
  type Context,
  invalid,
  jsonReply,
  type ListQuery,
  notFound,
  type Parts,
  Problem,
  problemReply,
  type Reply,
  unauthorized,
} from './parts.ts';
import { addPet, isStatus, type NewPet, type Pet, STATUSES, type Status, type Store } from './store.ts';

/** Authentication first: nothing else is checked before the credential. */
async function handle(context: Context): Promise<Reply> {
  const rejection = context.parts.authenticate(context.call, context.apiKey);
  return rejection === undefined ? await context.parts.dispatch(context) : problemReply(context, rejection);
}

async function dispatch(context: Context): Promise<Reply> {
  switch (context.call.operation) {
    case 'listPets':
      return await context.parts.listPets(context);
    case 'createPet':
      return await context.parts.createPet(context);
    case 'getPet':
      return await context.parts.getPet(context);
    case 'unknown':
      return problemReply(context, notFound('There is no such operation'));
    default:
      return context.call.operation satisfies never;
  }
}

/** What listPets is asked for, or why that is rejected. */
export function readListQuery(context: Context): ListQuery | Problem {
  const { parts, call } = context;
  const limit = parts.parseLimit(call.query.getAll('limit'));
  if (limit instanceof Problem) return limit;
  const status = parts.parseStatus(call.query.getAll('status'));
  return status instanceof Problem ? status : { limit, status };
}

/** `GET /pets`: filter first, then cut to a page. */
function listPets(context: Context): Reply {
  const { parts, call, store } = context;
  const query = readListQuery(context);
  if (query instanceof Problem) return problemReply(context, query);
  const { status } = query;
  const arranged = parts.arrange(store);
  const matching = status === undefined ? arranged : arranged.filter((pet) => parts.matches(pet, status));
  const records = parts.page(matching, query, call).map((pet) => parts.petRecord(pet, 'list'));
  return jsonReply(context, 200, parts.listBody(records));
}

/** `POST /pets`: nothing is stored before everything is known to be valid. */
async function createPet(context: Context): Promise<Reply> {
  const { parts, call, store } = context;
  const bytes = await call.body();
  if (bytes instanceof Problem) return problemReply(context, bytes);
  const body = parts.readBody(bytes, call);
  if (body instanceof Problem) return problemReply(context, body);
  const newPet = parts.readNewPet(body, parts);
  if (newPet instanceof Problem) return problemReply(context, newPet);
  const status = newPet.status ?? parts.defaultStatus();
  const pet: Pet = { ...newPet, status, id: parts.assignId(store, body), createdAt: Date.now() };
  const shown = await parts.insert(store, pet);
  return jsonReply(context, parts.createdStatus(), parts.petRecord(shown, 'create'));
}

function getPet(context: Context): Reply {
  const { parts, call, store } = context;
  const id = parts.parseId(call.petId);
  if (id instanceof Problem) return problemReply(context, id);
  const pet = parts.find(store, id);
  if (pet === undefined) return problemReply(context, notFound());
  return jsonReply(context, 200, parts.petRecord(pet, 'get'));
}

/** JSON to NewPet. Members beyond the three are ignored. */
function readNewPet(body: Json, parts: Parts): NewPet | Problem {
  if (!isObject(body)) return invalid('The body must be a JSON object', 'invalid_body');
  const name = parts.readName(member(body, 'name'));
  if (name instanceof Problem) return name;
  const categoryId = parts.readCategory(member(body, 'categoryId'));
  if (categoryId instanceof Problem) return categoryId;
  const status = parts.readStatus(member(body, 'status'));
  return status instanceof Problem ? status : { name, categoryId, status };
}

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

const NAMES = ['Rex', 'Mia', 'Balu', 'Luna', 'Coco', 'Nala', 'Simba', 'Bella', 'Felix', 'Tofu', 'Pixel', 'Momo'] as const;

export function seed(store: Store, parts: Parts, count: number, categories: readonly bigint[]): void {
  for (let index = 0; index < count; index += 1) {
    const turn = index % 7;
    // One in seven was created without a status.
    const status: Status | undefined = turn === 6 ? parts.defaultStatus() : STATUSES[turn % STATUSES.length];
    const name = `${NAMES[index % NAMES.length] ?? 'Rex'}${index < NAMES.length ? '' : ` ${Math.floor(index / NAMES.length) + 1}`}`;
    addPet(store, { id: parts.assignId(store, null), name, categoryId: categories[index % categories.length] ?? 1n, status, createdAt: 0 });
  }
}
