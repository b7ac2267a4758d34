import { isObject, type Json, member } from './json.ts';
import type { Context, ListQuery, Parts, Reply } from './parts.ts';
import type { NewPet, Pet } from './pet.ts';
import { invalid, notFound, Problem } from './problem.ts';
import { jsonReply, problemReply } from './replies.ts';

/** Authentication first: nothing else is checked before the credential. */
export async function handle(context: Context): Promise<Reply> {
  const rejection = context.parts.authenticate(context.call, context.apiKey);
  return rejection === undefined ? await context.parts.dispatch(context) : problemReply(context, rejection);
}

/** Runs the operation that method and path name. */
export async function dispatch(context: Context): Promise<Reply> {
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
export function listPets(context: Context): Reply {
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
export async function createPet(context: Context): Promise<Reply> {
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

/** `GET /pets/{petId}`. */
export function getPet(context: Context): Reply {
  const { parts, call, store } = context;
  const id = parts.parseId(call.petId);
  if (id instanceof Problem) return problemReply(context, id);
  const pet = parts.find(store, id);
  if (pet === undefined) return problemReply(context, notFound());
  return jsonReply(context, 200, parts.petRecord(pet, 'get'));
}

/** JSON to NewPet. Members beyond the three are ignored. */
export function readNewPet(body: Json, parts: Parts): NewPet | Problem {
  if (!isObject(body)) return invalid('The body must be a JSON object', 'invalid_body');
  const name = parts.readName(member(body, 'name'));
  if (name instanceof Problem) return name;
  const categoryId = parts.readCategory(member(body, 'categoryId'));
  if (categoryId instanceof Problem) return categoryId;
  const status = parts.readStatus(member(body, 'status'));
  return status instanceof Problem ? status : { name, categoryId, status };
}
