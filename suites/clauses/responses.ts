// Where a response comes from: the interface, or what stands in front of it.

import type { StatedKind } from '../../src/clause/failure-kind.ts';
import type { HttpResponse } from '../../src/wire/exchange.ts';
import { HTTP_LAYER_STATUSES } from '../../src/wire/statuses.ts';

/** What the HTTP layer or a gateway returns before the service sees the request, with a body of its own. */
const INFRASTRUCTURE: readonly number[] = [...HTTP_LAYER_STATUSES, 502, 503, 504];

export const isInfrastructure = ({ status }: HttpResponse): boolean => INFRASTRUCTURE.includes(status);

/** The media type without parameters, in lower case (RFC 9110, section 8.3.1), or undefined without the header. */
export function mediaTypeOf(response: HttpResponse): string | undefined {
  const value = response.headers.find(([name]) => name === 'content-type')?.[1];
  return value?.split(';')[0]?.trim().toLowerCase();
}

/** Whether the body comes from the interface: it is not empty, not a redirect's, and not from the infrastructure in front of it. */
export const hasOwnBody = (response: HttpResponse): boolean =>
  response.size > 0 && !isInfrastructure(response) && (response.status < 300 || response.status >= 400);

/** Kinds of failures of responses: without the body that they must have, of another media type, and not JSON. */
export const NO_BODY: StatedKind = { place: 'body', expected: 'a body', received: 'missing' };
export const otherType = (isSent: boolean): StatedKind => ({
  ...{ place: 'header Content-Type', expected: 'application/json', received: isSent ? 'another value' : 'missing' },
});
export const notJson = (received: string): StatedKind => ({ place: 'body', expected: 'JSON in UTF-8', received });
