// Reads an exchange in terms of the interface: its status, its animals, its request in words. Halts if there is nothing to read.

import { haltAt, haltInconclusive } from '../clause/halt.ts';
import { createdView, type PetView, petView, petViews } from '../schema/pet.ts';
import { schemaProblems } from '../schema/validators.ts';
import { asReceived, type Exchange, type HttpResponse, shownBody } from '../wire/exchange.ts';
import { isJsonObject } from '../wire/json.ts';
import { cleanText } from '../wire/redact.ts';
import { LEAST_ERROR } from '../wire/statuses.ts';

const SHORT = 160;
/** The complete response; halts without one. */
export function responseOf(exchange: Exchange): HttpResponse {
  if (exchange.outcome.kind === 'failed') {
    const { message, stale, heldUp, party } = exchange.outcome.failure;
    if (heldUp === true)
      haltInconclusive(
        `this machine was too busy to receive the response to ${describeRequest(exchange)} in time: ${message}`,
        'circumstance',
      );
    const missing = `${describeRequest(exchange)} got no complete response: ${message}`;
    // The service may close a kept-alive connection at any time, and what a proxy or our settings end is none of its doing.
    if (stale || party !== undefined) haltInconclusive(missing, 'circumstance');
    haltAt(exchange, missing);
  }
  return exchange.outcome.answer;
}

/**
 * The status, or undefined without a complete response.
 *
 * @example
 * ```ts
 * import { statusOf } from '@petstore-conformance/cli';
 * import type { Exchange } from '@petstore-conformance/cli';
 *
 * export const isOk = (exchange: Exchange): boolean => statusOf(exchange) === 200;
 * ```
 */
export function statusOf(exchange: Exchange): number | undefined {
  return exchange.outcome.kind === 'answered' ? exchange.outcome.answer.status : undefined;
}

/** A timeout or a rate limit: it says nothing about the request, nor about the client. Fewer than `HTTP_LAYER_STATUSES`, which may be about its size. */
export function isBesidesRequest(status: number): boolean {
  return status === 408 || status === 429;
}

/** Whether the request was rejected, with any status: for checks that need no more than that; the status is judged by its clause. */
export function isRejected(exchange: Exchange): boolean {
  const status = statusOf(exchange);
  return status !== undefined && status >= LEAST_ERROR && !isBesidesRequest(status);
}

/** `GET /pets?limit=5`, as a person writes it. */
export function describeRequest(exchange: Exchange): string {
  const { method, path, query } = exchange.request;
  return cleanText(`${method} ${path}${query === '' ? '' : `?${query}`}`, SHORT);
}

/** The status and the start of the body, in one line. */
export function describeResponse(exchange: Exchange): string {
  const { outcome } = asReceived(exchange);
  if (outcome.kind === 'failed') return `no complete response (${outcome.failure.message})`;
  const { status, size } = outcome.answer;
  const text = shownBody(outcome.answer);
  const body =
    text === undefined ? `${size} bytes that are not UTF-8` : text === '' ? 'no body' : cleanText(text, SHORT).replace(/\s+/g, ' ');
  return `${status} ${body}`;
}

/**
 * The animals of a 200 list, field by field if a record breaks the schema; items without a readable id are left out. Halts for any other
 * response.
 */
export function petsOf(exchange: Exchange): readonly PetView[] {
  const response = responseOf(exchange);
  if (response.status !== 200) haltAt(exchange, `${describeRequest(exchange)} returned ${response.status}`);
  if (!response.json.ok) haltAt(exchange, `${describeRequest(exchange)} returned a body that is not JSON: ${response.json.problem}`);
  const views = Array.isArray(response.json.value) ? petViews(response.json.value) : [undefined];
  const pets = views.filter((view) => view !== undefined);
  if (views.length > 0 && pets.length === 0) haltAt(exchange, `${describeRequest(exchange)} returned no animal that can be read`);
  return pets;
}

/** The animal of a 200 or 201, field by field if it breaks the schema; halts for any other response. */
export function petOf(exchange: Exchange): PetView {
  const response = responseOf(exchange);
  const creates = exchange.request.intent.operation === 'createPet';
  if (response.status !== (creates ? 201 : 200)) haltAt(exchange, `${describeRequest(exchange)} returned ${response.status}`);
  if (!response.json.ok) haltAt(exchange, `${describeRequest(exchange)} returned a body that is not JSON: ${response.json.problem}`);
  const pet = creates ? createdView(response.json.value) : petView(response.json.value);
  if (pet === undefined) haltAt(exchange, `${describeRequest(exchange)} returned no valid Pet`);
  return pet;
}

export function isErrorBody(response: HttpResponse): boolean {
  return response.json.ok && isJsonObject(response.json.value) && schemaProblems('error', response.json.value).length === 0;
}

/** Whether a status is a crash: 501 is deliberate. */
export function isCrash(status: number): boolean {
  return status >= 500 && status !== 501;
}

/** The exchange; halts for a response that says nothing about the request: none at all, a rejected key, a crash. */
export function judgeable(exchange: Exchange): Exchange {
  const { status } = responseOf(exchange);
  if (status === 401 && exchange.request.intent.credential === 'valid') {
    haltAt(exchange, `${describeRequest(exchange)} with the API key returned 401`);
  }
  if (isCrash(status)) haltAt(exchange, `${describeRequest(exchange)} returned ${status}`);
  return exchange;
}
