// What the document says about a request, read back from its bytes: nothing else decides, no label and no plan.

import { PLAIN_LIMIT } from '../clause/limits.ts';
import { asStatus } from '../schema/pet.ts';
import { isInt64 } from '../schema/validators.ts';
import type { Framing, Sent } from '../session/vector.ts';
import type { Operation, PetStatus } from '../wire/exchange.ts';
import { type BodyFacts, bodyOf } from './body-facts.ts';
import { type ClientFacts, clientOf } from './client-facts.ts';
import { type CredentialFacts, credentialOf } from './credential-facts.ts';

export type Facts = {
  readonly operation: Operation;
  /** `respelled`: a path that a router may take for the one of the operation. Served or not. */
  readonly path: 'documented' | 'respelled';
  readonly credential: CredentialFacts;
  readonly client: ClientFacts;
  /** listPets. */
  readonly list?: ListFacts;
  /** getPet. */
  readonly id?: IdFacts;
  /** createPet. */
  readonly body?: BodyFacts;
  readonly framing: Framing;
};

export type Parameter<Value> =
  | { readonly kind: 'absent' }
  | { readonly kind: 'documented'; readonly value: Value }
  | { readonly kind: 'open'; readonly why: 'value' | 'repeated' | 'name' };

export type ListFacts = {
  readonly limit: Parameter<number>;
  readonly status: Parameter<PetStatus>;
  /** Which of the two comes first, if both are there. */
  readonly order: 'limit first' | 'status first' | undefined;
  readonly otherParameters: readonly string[];
};

/** `spelled`: an int64 in another than its usual spelling. All but `int64` are open. */
export type IdFacts =
  | { readonly kind: 'int64'; readonly value: bigint }
  | { readonly kind: 'spelled'; readonly value: bigint }
  | { readonly kind: 'outside int64' }
  | { readonly kind: 'no integer' };

export function factsOf(sent: Sent, apiKey: string): Facts {
  const { path, query } = splitTarget(sent.target);
  const credential = credentialOf(sent, { apiKey, query });
  const route = routeOf(sent.method, path);
  const isEmptyQuery = query === '' && credential.kind !== 'valid';
  const base = {
    path: route.isDocumented && !isEmptyQuery ? ('documented' as const) : ('respelled' as const),
    credential,
    client: clientOf(sent, { credential, query }),
    framing: sent.framing,
  };
  switch (route.operation) {
    case 'listPets':
      return { operation: 'listPets', ...base, list: listOf(query ?? '') };
    case 'getPet':
      return { operation: 'getPet', ...base, id: idOf(route.segment) };
    case 'createPet':
      return { operation: 'createPet', ...base, body: bodyOf(sent, query ?? '') };
    default:
      return route satisfies never;
  }
}

/** `query`: undefined where the target has no question mark. */
function splitTarget(target: string): { readonly path: string; readonly query: string | undefined } {
  const at = target.indexOf('?');
  return at === -1 ? { path: target, query: undefined } : { path: target.slice(0, at), query: target.slice(at + 1) };
}

function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

type Route =
  | { readonly operation: 'listPets' | 'createPet'; readonly isDocumented: boolean }
  | { readonly operation: 'getPet'; readonly segment: string; readonly isDocumented: boolean };

/** RFC 3986, section 2.3: they mean the same percent-encoded, but nobody encodes them. */
const ENCODED_UNRESERVED = /%(?:3[0-9]|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae]|2[de])/i;

/** A path as a lenient router reads it: decoded twice, dot segments resolved, without what comes after a semicolon, and the extension. */
function segmentsOf(path: string): readonly string[] {
  const twice = decodePercent(decodePercent(path) ?? path) ?? path;
  const segments: string[] = [];
  for (const part of twice.split('/')) {
    const name = part.split(';')[0] ?? '';
    if (name === '..') segments.pop();
    else if (name !== '' && name !== '.') segments.push(name);
  }
  return segments;
}

function routeOf(method: Sent['method'], path: string): Route {
  if (method === 'POST') return { operation: 'createPet', isDocumented: path === '/pets' };
  if (path === '/pets') return { operation: 'listPets', isDocumented: true };
  const [, segment] = /^\/pets\/([^/;]+)$/.exec(path) ?? [];
  const isDocumented = segment !== undefined && !ENCODED_UNRESERVED.test(segment) && !/%2f|\.json$/i.test(segment);
  if (isDocumented) return { operation: 'getPet', segment, isDocumented };
  const [, id, ...more] = segmentsOf(path);
  if (id === undefined || more.length > 0) return { operation: 'listPets', isDocumented: false };
  return { operation: 'getPet', segment: encodeURIComponent(id.replace(/\.json$/, '')), isDocumented: false };
}

type Pair = { readonly name: string; readonly value: string };

/** A plus sign is a space in a form, and a plus sign in a URL: a value with one is neither a limit nor a status. */
function pairsIn(query: string): readonly Pair[] {
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const at = pair.indexOf('=');
      const [name, value] = at === -1 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
      return { name: decodePercent(name) ?? name, value: decodePercent(value) ?? value };
    });
}

function listOf(query: string): ListFacts {
  const pairs = pairsIn(query);
  const limit = parameterOf(pairs, 'limit', (text) => (PLAIN_LIMIT.test(text) ? Number(text) : undefined));
  const status = parameterOf(pairs, 'status', asStatus);
  const names = pairs.map(({ name }) => name);
  const [limitAt, statusAt] = [names.indexOf('limit'), names.indexOf('status')];
  const order = limitAt < statusAt ? 'limit first' : 'status first';
  return {
    limit,
    status,
    order: limitAt === -1 || statusAt === -1 ? undefined : order,
    otherParameters: names.filter((name) => name !== 'limit' && name !== 'status'),
  };
}

/** The name in other letter case, or as frameworks write arrays. */
const resembles = (name: string, wanted: string): boolean => name.toLowerCase().replace(/\[.*\]$/, '') === wanted;

function parameterOf<Value>(pairs: readonly Pair[], wanted: string, read: (text: string) => Value | undefined): Parameter<Value> {
  const [first, ...more] = pairs.filter(({ name }) => name === wanted);
  if (pairs.some(({ name }) => name !== wanted && resembles(name, wanted))) return { kind: 'open', why: 'name' };
  if (first === undefined) return { kind: 'absent' };
  if (more.length > 0) return { kind: 'open', why: 'repeated' };
  const value = read(first.value);
  return value === undefined ? { kind: 'open', why: 'value' } : { kind: 'documented', value };
}

const PLAIN_INTEGER = /^(?:0|-?[1-9]\d*)$/;
const ANY_INTEGER = /^\s*\+?(-?)0*(\d+)(?:\.0+)?(?:[eE][+-]?0+)?\s*$/;

function idOf(segment: string): IdFacts {
  const text = decodePercent(segment);
  const [, sign = '', digits] = (text === undefined ? undefined : ANY_INTEGER.exec(text)) ?? [];
  if (text === undefined || digits === undefined) return { kind: 'no integer' };
  const value = BigInt(`${sign}${digits}`);
  if (!isInt64(value)) return { kind: 'outside int64' };
  return { kind: PLAIN_INTEGER.test(text) ? 'int64' : 'spelled', value };
}
