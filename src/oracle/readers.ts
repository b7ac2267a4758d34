// How a service departs from the document in the same way everywhere. The first two responses of a place decide: where neither is as documented, and both
// depart alike, everything that reads responses reads this place through it.

import { createdView, petView, petViews } from '../schema/pet.ts';
import { isInt64 } from '../schema/validators.ts';
import type { Received } from '../session/history.ts';
import { type HttpResponse, isSuccess } from '../wire/exchange.ts';
import { isJsonObject, type Json, readJson } from '../wire/json.ts';
import { HTTP_LAYER_STATUSES } from '../wire/statuses.ts';
import type { Read } from './exchange.ts';
import type { Facts } from './facts.ts';
import { readLenientJson } from './lenient-json.ts';

export const DOCUMENTED_STATUS = { list: 200, singleList: 200, emptyList: 200, read: 200, created: 201, unauthorized: 401 } as const;
export type ReadPlace = keyof typeof DOCUMENTED_STATUS;

export const PLAIN = 'plain';
/** The value inside a body, and how it is wrapped. */
type Unwrapped = { readonly wrapping: string; readonly value: Json };
export type Form = { readonly status: number; readonly wrapping: string };

export type Readers = {
  /** Returns whether the response was the second one that departs: what was read before is then read anew. */
  note(received: Received, facts: Facts): boolean;
  read(received: Received, facts: Facts): Read;
  departures(): ReadonlyMap<ReadPlace, Form>;
};

const CRASHED = 500;
const isRejection = (status: number): boolean => status >= 300 && status <= CRASHED && !HTTP_LAYER_STATUSES.includes(status);
const isEmptyValue = (value: unknown): boolean => typeof value === 'object' && value !== null && Object.keys(value).length === 0;
const isList = ({ json }: HttpResponse): boolean => json.ok && Array.isArray(json.value);

/** The place of a response that should be as documented; undefined for any other. */
export function readPlaceOf({ operation, credential, list, body, path, client }: Facts, response: HttpResponse): ReadPlace | undefined {
  if (path === 'respelled' || client.kind === 'undocumented') return undefined;
  const isRefused = credential.kind !== 'valid' && credential.kind !== 'open' && credential.kind !== 'malformed';
  if (isRefused && isRejection(response.status)) return 'unauthorized';
  if (credential.kind !== 'valid' || !isSuccess(response.status)) return undefined;
  if (operation === 'getPet') return 'read';
  if (operation === 'createPet') return body?.kind === 'invalid' ? undefined : 'created';
  if (list?.limit.kind === 'open' || list?.status.kind === 'open') return undefined;
  const value = response.json.ok ? response.json.value : undefined;
  if (response.size === 0 || value === null || isEmptyValue(value)) return 'emptyList';
  return value !== undefined && petView(value) !== undefined ? 'singleList' : 'list';
}

/** Whether the response counts for its place: among lists and rejections, the plainest. */
function countsForPlace(place: ReadPlace, { sent }: Received, { operation, list, id, body, client }: Facts): boolean {
  if (place === 'list') return list?.limit.kind === 'absent' && list.status.kind === 'absent';
  if (place !== 'unauthorized') return true;
  const isPlain = operation === 'listPets' || id?.kind === 'int64' || body?.kind === 'plain';
  const names = sent.headers.map(([name]) => name.toLowerCase());
  return isPlain && client.kind === 'usual' && !sent.target.includes('?') && !names.includes('authorization') && !names.includes('cookie');
}

const isSame = (one: Form | undefined, other: Form | undefined): boolean =>
  one !== undefined && one.status === other?.status && one.wrapping === other.wrapping;

export function createReaders(): Readers {
  const first = new Map<ReadPlace, { readonly form: Form | undefined }>();
  const settled = new Set<ReadPlace>();
  const adopted = new Map<ReadPlace, Form>();
  /** Whether a request with the key was served since the first rejection: else a crash is no rejection, but the service is down. */
  let isServed = false;

  const formOf = (place: ReadPlace, response: HttpResponse): Form | undefined => {
    const unwrapped = unwrap(place, response);
    return unwrapped === undefined ? undefined : { status: response.status, wrapping: unwrapped.wrapping };
  };

  function readThrough(response: HttpResponse, facts: Facts): HttpResponse {
    const place = adopted.size === 0 ? undefined : readPlaceOf(facts, response);
    // An animal instead of a list is a list of one only if the service has lists.
    const form = place === undefined || (place === 'singleList' && first.get('list')?.form === undefined) ? undefined : adopted.get(place);
    if (place === undefined || form === undefined || !isSame(formOf(place, response), form)) return response;
    if (place === 'unauthorized') return { ...response, status: DOCUMENTED_STATUS[place] };
    return { ...response, status: DOCUMENTED_STATUS[place], json: { ok: true, value: unwrap(place, response)?.value ?? null } };
  }

  return {
    note({ response, ...received }, facts) {
      if (response === undefined) return false;
      if (facts.credential.kind === 'valid' && response.status < CRASHED) isServed = true;
      const place = readPlaceOf(facts, response);
      if (place === 'list' && isList(response) && isOfOne(response)) settled.add('singleList');
      if (place === undefined || settled.has(place) || !countsForPlace(place, { response, ...received }, facts)) return false;
      const form = formOf(place, response);
      const before = first.get(place);
      const isDown = place === 'unauthorized' && response.status >= CRASHED && (before?.form?.status ?? CRASHED) >= CRASHED && !isServed;
      if (before === undefined || isDown) {
        first.set(place, { form });
        if (place === 'unauthorized') isServed = false;
        return false;
      }
      settled.add(place);
      if (form === undefined || !isSame(before.form, form) || (form.status === DOCUMENTED_STATUS[place] && form.wrapping === PLAIN))
        return false;
      adopted.set(place, form);
      return true;
    },
    read({ response: letter }, facts) {
      const response = letter === undefined ? undefined : readThrough(letter, facts);
      return { response, hasDeparture: response !== letter, ...animalsIn(response, facts) };
    },
    departures: () => adopted,
  };
}

const isOfOne = ({ json }: HttpResponse): boolean => json.ok && Array.isArray(json.value) && json.value.length === 1;

function animalsIn(response: HttpResponse | undefined, { operation }: Facts): Pick<Read, 'pets' | 'pet' | 'size'> {
  const none = { pets: undefined, pet: undefined, size: 0 };
  if (response === undefined || !response.json.ok || response.status !== (operation === 'createPet' ? 201 : 200)) return none;
  const { value } = response.json;
  if (operation !== 'listPets') return { ...none, pet: operation === 'createPet' ? createdView(value) : petView(value), size: 1 };
  if (!Array.isArray(value)) return none;
  return { ...none, pets: petViews(value).filter((pet) => pet !== undefined), size: value.length };
}

/** The value in a response of that place, however it is wrapped; undefined if nothing can be read from it. */
function unwrap(place: ReadPlace, response: HttpResponse): Unwrapped | undefined {
  if (place === 'unauthorized') return { wrapping: PLAIN, value: null };
  const value = response.json.ok ? undefined : readLenientJson(response.text);
  if (value === undefined) return unwrapStrict(place, response);
  const inner = unwrapStrict(place, { ...response, json: { ok: true, value } });
  return inner?.wrapping === PLAIN ? { ...inner, wrapping: 'in a body that is not strict JSON' } : undefined;
}

function unwrapStrict(place: ReadPlace, response: HttpResponse): Unwrapped | undefined {
  const value = response.json.ok ? response.json.value : undefined;
  switch (place) {
    case 'list':
      return value === undefined ? undefined : Array.isArray(value) ? unwrapItems(value) : listIn(value);
    case 'singleList':
      if (value === undefined) return undefined;
      return Array.isArray(value) ? { wrapping: PLAIN, value } : { wrapping: 'without an array', value: [value] };
    case 'emptyList':
      return Array.isArray(value) ? { wrapping: PLAIN, value } : { wrapping: response.size === 0 ? 'no body' : typeof value, value: [] };
    case 'read':
      return value === undefined ? undefined : petIn(value);
    case 'created':
      return (value === undefined ? undefined : (petIn(value) ?? idIn(value))) ?? locatedIn(response);
    case 'unauthorized':
      return { wrapping: PLAIN, value: null };
    default:
      return place satisfies never;
  }
}

const inMember = (name: string): string => `in the member "${name}"`;
const isListOfRecords = (value: Json): boolean => Array.isArray(value) && value.every(isJsonObject);

const onlyOne = <One>([found, ...more]: readonly One[]): One | undefined => (more.length === 0 ? found : undefined);

/** The animal whose other fields are in a member next to its id. */
function attributesIn(item: Json): Unwrapped | undefined {
  if (!isJsonObject(item) || item['id'] === undefined) return undefined;
  const { id } = item;
  return onlyOne(
    Object.entries(item).flatMap(([name, member]) => {
      const value = isJsonObject(member) ? { ...member, id } : undefined;
      return value === undefined || petView(value) === undefined ? [] : [{ wrapping: inMember(name), value }];
    }),
  );
}

/** The animals of an array that wraps each of them, or all of them, in something else. */
function unwrapItems(items: readonly Json[]): Unwrapped {
  const plain = { wrapping: PLAIN, value: [...items] };
  if (items.length === 0) return plain;
  if (items.every((item) => Array.isArray(item) && isListOfRecords(item)))
    return { wrapping: 'in an array within the array', value: items.flat(1) };
  const inner = items.map((item) => (petView(item) === undefined ? (petIn(item) ?? attributesIn(item)) : undefined));
  const values = inner.flatMap((one) => (one === undefined || one.wrapping !== inner[0]?.wrapping ? [] : [one.value]));
  return inner[0] === undefined || values.length < items.length ? plain : { wrapping: `${inner[0].wrapping} of each item`, value: values };
}

/** The only member, at most one level deep, that holds an array of records. */
function listIn(value: Json): Unwrapped | undefined {
  const text = typeof value === 'string' ? readJson(value) : undefined;
  if (text?.ok === true && Array.isArray(text.value)) return { wrapping: 'in a JSON string', value: text.value };
  if (!isJsonObject(value)) return undefined;
  const members = Object.entries(value);
  if (members.length > 0 && members.every(([, member]) => petView(member) !== undefined))
    return { wrapping: 'in an object of animals', value: Object.values(value) };
  const listsOf = (object: Json, outer = ''): readonly Unwrapped[] =>
    isJsonObject(object)
      ? Object.entries(object).flatMap(([name, member]) =>
          isListOfRecords(member) ? [{ wrapping: inMember(`${outer}${name}`), value: member }] : [],
        )
      : [];
  const own = listsOf(value);
  return onlyOne(own.length > 0 ? own : members.flatMap(([outer, member]) => listsOf(member, `${outer}.`)));
}

/** The animal that is the body, its only record, or its only item. */
function petIn(value: Json): Unwrapped | undefined {
  if (petView(value) !== undefined) return { wrapping: PLAIN, value };
  if (Array.isArray(value)) {
    const item = onlyOne(value);
    return item !== undefined && petView(item) !== undefined ? { wrapping: 'in an array of one', value: item } : undefined;
  }
  if (!isJsonObject(value)) return undefined;
  const found = Object.entries(value).filter(([, member]) => petView(member) !== undefined);
  if (found.length === 0) return attributesIn(value);
  const member = onlyOne(found);
  return member === undefined ? undefined : { wrapping: inMember(member[0]), value: member[1] };
}

/** Only an id says what was created. */
const idIn = (value: Json): Unwrapped | undefined => (isJsonObject(value) && isInt64(value['id']) ? { wrapping: PLAIN, value } : undefined);

function locatedIn({ headers, text }: HttpResponse): Unwrapped | undefined {
  const location = headers.find(([name]) => name === 'location')?.[1] ?? '';
  const digits = (text ?? '').trim() === '' ? /\/(-?\d{1,19})\/?$/.exec(location)?.[1] : undefined;
  if (digits === undefined || !isInt64(BigInt(digits))) return undefined;
  return { wrapping: 'in the Location header', value: { id: BigInt(digits) } };
}
