// Where a response comes from: the interface, a gateway, or a cause that another clause judges.

import { isCrash } from '../src/session/read-exchange.ts';
import type { HttpResponse } from '../src/wire/exchange.ts';
import { postponement } from '../src/wire/rate-limit.ts';
import { HTTP_LAYER_STATUSES } from '../src/wire/statuses.ts';

/** Whether another clause owns the status of this response (a rejected key, a crash, a wait). For invariants. */
export function isOwnedElsewhere(response: HttpResponse): boolean {
  return response.status === 401 || isCrash(response.status) || postponement(response, 0) !== undefined;
}

/**
 * Statuses that the HTTP layer or a proxy usually returns before the service sees the request, with a body of its own: 408 (slow request),
 * 413 and 414 (too large, which is the server's right: size limits are not documented), 429 (rate limits are not documented), 431 (headers
 * too large), 502 and 504 (the gateway found no service; errors.no-server-error judges that). What their bodies contain is at most advised
 * (errors.infrastructure-errors).
 */
const INFRASTRUCTURE: readonly number[] = [...HTTP_LAYER_STATUSES, 502, 504];

/** Whether the body may not come from the interface: the statuses above, and 503, which asks to retry later or may come from a gateway. */
export function isInfrastructure({ status }: HttpResponse): boolean {
  return INFRASTRUCTURE.includes(status) || status === 503;
}

/** The media type without parameters, in lower case (RFC 9110, section 8.3.1), or undefined without the header. */
export function mediaTypeOf(response: HttpResponse): string | undefined {
  const value = response.headers.find(([name]) => name === 'content-type')?.[1];
  return value?.split(';')[0]?.trim().toLowerCase();
}

/** The kind of failure of a response without the body that it must have. */
export const NO_BODY = { place: 'body', expected: 'a body', received: 'missing' } as const;

/** Whether the body comes from the interface: it is not empty, not a redirect's, and not from the infrastructure in front of it. */
export function hasOwnBody(response: HttpResponse): boolean {
  return response.size > 0 && !isInfrastructure(response) && (response.status < 300 || response.status >= 400);
}
