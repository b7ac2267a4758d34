import type { ClauseId } from '../../clause/clause.ts';
import { isInt64 } from '../../schema/int64.ts';
import { petView } from '../../schema/pet.ts';
import type { Answer } from '../../wire/exchange.ts';
import { isJsonObject, type Json, readJson } from '../../wire/json.ts';
import { salvage } from './salvage.ts';

/**
 * The places to which the document assigns one form of response: a list, one of a single animal or of none, a read animal, a created one, a
 * rejected credential.
 */
export const PLACES = ['list', 'singleList', 'emptyList', 'read', 'created', 'unauthorized'] as const;
export type Place = (typeof PLACES)[number];

/** The documented form of a place, and which clauses judge it. */
export type Documented = { readonly status: number; readonly success: ClauseId; readonly record: ClauseId; readonly what: string };

export const DOCUMENTED: Readonly<Record<Place, Documented>> = {
  list: { status: 200, success: 'list.success', record: 'record.pets', what: 'lists' },
  singleList: { status: 200, success: 'list.success', record: 'record.pets', what: 'lists of one animal' },
  emptyList: { status: 200, success: 'list.success', record: 'record.pets', what: 'lists without animals' },
  read: { status: 200, success: 'get.success', record: 'record.pet', what: 'responses to GET /pets/{petId}' },
  unauthorized: { status: 401, success: 'auth.missing-credential', record: 'errors.shape', what: 'rejections of credentials' },
  created: { status: 201, success: 'create.success', record: 'record.pet', what: 'responses to POST /pets' },
};

/** The value inside a body, how it is wrapped (`plain` if it is not), and the clause that judges what is around it. */
export type Unwrapped = { readonly wrapping: string; readonly value: Json; readonly around?: ClauseId };

const isListOfRecords = (value: Json): boolean => Array.isArray(value) && value.every((item) => isJsonObject(item));

/** The animal whose other fields are in a member next to its id. */
function attributesIn(item: Json): Unwrapped | undefined {
  if (!isJsonObject(item) || item['id'] === undefined) return undefined;
  const { id } = item;
  const [found, second] = Object.entries(item).flatMap(([name, member]) => {
    const value = isJsonObject(member) ? { ...member, id } : undefined;
    return value === undefined || petView(value) === undefined ? [] : [{ name, value }];
  });
  return found === undefined || second !== undefined ? undefined : { wrapping: `in the member "${found.name}"`, value: found.value };
}

/** The animals of an array that wraps each of them, or all of them, in something else. */
function itemsIn(items: readonly Json[]): Unwrapped {
  const plain = { wrapping: 'plain', value: items as Json[] };
  if (items.length === 0) return plain;
  if (items.every((item) => Array.isArray(item) && isListOfRecords(item)))
    return { wrapping: 'in an array within the array', value: items.flatMap((item) => (Array.isArray(item) ? item : [])) };
  const unwrapped = items.map((item) => (petView(item) === undefined ? (petIn(item) ?? attributesIn(item)) : undefined));
  const [first] = unwrapped;
  const values = unwrapped.flatMap((one) => (one === undefined || one.wrapping !== first?.wrapping ? [] : [one.value]));
  return first === undefined || values.length < items.length ? plain : { wrapping: `${first.wrapping} of each item`, value: values };
}

/** The value that a JSON string spells. */
function textIn(value: Json): Json | undefined {
  const read = typeof value === 'string' ? readJson(value) : undefined;
  return read?.ok === true && typeof read.value !== 'string' ? read.value : undefined;
}

/** The only member, at most one level deep, that holds an array of records. */
function listIn(value: Json): Unwrapped | undefined {
  const text = textIn(value);
  if (Array.isArray(text)) return { wrapping: 'in a JSON string', value: text };
  if (!isJsonObject(value)) return undefined;
  const keyed = Object.values(value);
  if (keyed.length > 0 && keyed.every((member) => petView(member) !== undefined))
    return { wrapping: 'in an object of animals', value: keyed };
  const members = Object.entries(value);
  const own = members.filter(([, member]) => isListOfRecords(member)).map(([name, member]) => ({ name, member }));
  const nested = members.flatMap(([outer, object]) =>
    isJsonObject(object)
      ? Object.entries(object)
          .filter(([, member]) => isListOfRecords(member))
          .map(([name, member]) => ({ name: `${outer}.${name}`, member }))
      : [],
  );
  const [found, second] = own.length > 0 ? own : nested;
  return found === undefined || second !== undefined ? undefined : { wrapping: `in the member "${found.name}"`, value: found.member };
}

/** The animal that is the body, its only record, or its only item. */
function petIn(value: Json): Unwrapped | undefined {
  if (petView(value) !== undefined) return { wrapping: 'plain', value };
  if (Array.isArray(value)) {
    const [only] = value;
    return value.length === 1 && only !== undefined && petView(only) !== undefined
      ? { wrapping: 'in an array of one', value: only }
      : undefined;
  }
  if (!isJsonObject(value)) return undefined;
  const [found, second] = Object.entries(value).filter(([, member]) => petView(member) !== undefined);
  if (found === undefined) return attributesIn(value);
  return second !== undefined ? undefined : { wrapping: `in the member "${found[0]}"`, value: found[1] };
}

const ID_AT_THE_END = /\/(-?\d{1,19})\/?$/;

/** The id that the Location header of a creation without a body ends in. */
function locatedIn({ headers, text }: Answer): Unwrapped | undefined {
  const location = headers.find(([name]) => name === 'location')?.[1];
  const digits = (text ?? '').trim() === '' ? ID_AT_THE_END.exec(location ?? '')?.[1] : undefined;
  if (digits === undefined || !isInt64(BigInt(digits))) return undefined;
  return { wrapping: 'in the Location header', value: { id: BigInt(digits) } };
}

/** Only an id says what was created. */
function idIn(value: Json): Unwrapped | undefined {
  return isJsonObject(value) && isInt64(value['id']) ? { wrapping: 'plain', value } : undefined;
}

/** The body as strict JSON would have it, if it contains something other than JSON. */
function salvaged(answer: Answer): Answer | undefined {
  const value = answer.json.ok ? undefined : salvage(answer.text);
  return value === undefined ? undefined : { ...answer, json: { ok: true, value } };
}

/** The clause that judges a body that is not JSON: it depends on whether the body is declared as JSON. */
export function judgeOfForm({ headers }: Answer): ClauseId {
  const type = headers.find(([name]) => name === 'content-type')?.[1] ?? 'json';
  return /json/i.test(type) ? 'media.well-formed' : 'media.json';
}

/** The value in a 2xx of that place, however it is wrapped; undefined if nothing can be read from it. */
export function unwrap(place: Place, answer: Answer): Unwrapped | undefined {
  const readable = place === 'unauthorized' ? undefined : salvaged(answer);
  if (readable === undefined) return unwrapStrict(place, answer);
  const unwrapped = unwrapStrict(place, readable);
  const wrapping = 'in a body that is not strict JSON';
  return unwrapped?.wrapping === 'plain' ? { ...unwrapped, wrapping, around: judgeOfForm(answer) } : undefined;
}

function unwrapStrict(place: Place, answer: Answer): Unwrapped | undefined {
  const { json } = answer;
  switch (place) {
    case 'list':
      if (!json.ok) return undefined;
      return Array.isArray(json.value) ? itemsIn(json.value) : listIn(json.value);
    case 'singleList':
      if (!json.ok) return undefined;
      return Array.isArray(json.value) ? { wrapping: 'plain', value: json.value } : { wrapping: 'without an array', value: [json.value] };
    case 'emptyList':
      if (json.ok && Array.isArray(json.value)) return { wrapping: 'plain', value: json.value };
      return {
        wrapping:
          answer.size === 0 ? 'in a response without a body' : `as ${json.ok && isJsonObject(json.value) ? 'an empty object' : 'null'}`,
        value: [],
      };
    case 'read':
      return json.ok ? petIn(json.value) : undefined;
    case 'unauthorized':
      // A rejection is one by its status; its body is read as is.
      return { wrapping: 'plain', value: json.ok ? json.value : null };
    case 'created':
      return (json.ok ? (petIn(json.value) ?? idIn(json.value)) : undefined) ?? locatedIn(answer);
    default:
      return place satisfies never;
  }
}
