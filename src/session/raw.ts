// A request that is written out instead of being made from values: method, target, headers and body.

import { createRedactor } from '../wire/redact.ts';
import type { Vector } from './vector.ts';

/**
 * In the target and the body, `{name}` is a plain name that no other request has, `{categoryId}` a category that the service accepts, and `{petId}` the
 * id of an animal.
 */
export type RawRequest = {
  readonly method: 'GET' | 'POST';
  /** Path and query, percent-encoded, relative to the base address: `/pets?limit=5`. */
  readonly target: string;
  /** In addition to Accept, User-Agent and, with a body, Content-Type, which they may replace. The suite adds Authorization. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

const METHODS: readonly unknown[] = ['GET', 'POST'];
/** The suite sends the key, and the client what follows from the connection and the body. */
const NOT_OWN = ['authorization', 'connection', 'content-length', 'host', 'transfer-encoding'];
/** A service that honors it runs another method than the one that is sent. */
const METHOD_HEADER = /^x-(?:http-method|method|http-method-override|method-override|forwarded-method|original-method)$/i;
const TARGET = /^\/[!"$-~]*$/;
const FIELD_NAME = /^[!#$%&'*+.^`|~\w-]+$/;
const FIELD_VALUE = /^[\t\x20-\x7e]*$/;

/** Whether it is meant as a request that is written out: it has no `op`. */
export const isRaw = (row: object): row is RawRequest => !('op' in row);

/** What is wrong with a request, for authors whose editor does not check types; undefined if nothing is. */
export function problemOfRaw({ method, target, headers = {}, body }: RawRequest): string | undefined {
  if (!METHODS.includes(method)) return `has the method ${String(method)}: only GET and POST are sent`;
  if (typeof target !== 'string' || !TARGET.test(target)) return 'needs a "target" that begins with a slash and is percent-encoded';
  if (method === 'GET' && body !== undefined) return 'is a GET, which has no body';
  if (body !== undefined && typeof body !== 'string') return 'needs a text for a "body"';
  const own = Object.entries(headers).find(([name]) => NOT_OWN.includes(name.toLowerCase()));
  if (own !== undefined) return `has the header ${own[0]}, which the suite sends itself`;
  const other = Object.keys(headers).find((name) => METHOD_HEADER.test(name));
  if (other !== undefined) return `has the header ${other}, which asks for another method: only GET and POST are sent`;
  const odd = Object.entries(headers).find(
    ([name, value]) => !FIELD_NAME.test(name) || typeof value !== 'string' || !FIELD_VALUE.test(value),
  );
  return odd === undefined ? undefined : `has a header that HTTP does not allow: ${JSON.stringify(odd[0])}`;
}

/** Where it contains the API key, in whatever spelling; undefined if it does not. */
export function placeOfKey({ target, headers = {}, body = '' }: RawRequest, apiKey: string): string | undefined {
  const redact = createRedactor(apiKey);
  if (redact(target) !== target) return 'in its target';
  const [name] = Object.entries(headers).find(([one, value]) => redact(value, one) !== value || redact(one) !== one) ?? [];
  if (name !== undefined) return `in the header ${redact(name)}`;
  return redact(body) === body ? undefined : 'in its body';
}

/** The row of the request. It is text, so that a plan and a record have all of it. */
export function rawVector({ method, target, headers = {}, body }: RawRequest): Vector {
  const raw = JSON.stringify({ method, target, headers, ...(body === undefined ? {} : { body }) });
  return { op: method === 'POST' ? 'create' : /^\/pets\/[^?]/.test(target) ? 'get' : 'list', raw };
}

/** The request of a row that `rawVector` has made. */
export const readRaw = (raw: string): RawRequest => JSON.parse(raw) as RawRequest;

export const needsAnimal = ({ raw }: Vector): boolean => raw?.includes('{petId}') === true;
