import type { Sent } from '../../../src/session/rows.ts';
import type { WireRequest } from '../../../src/wire/exchange.ts';

/** A request of a recorded run as bytes. */
export function sentOf({ method, path, query, headers, body, chunked = false, divided = false }: WireRequest): Sent {
  return {
    method,
    target: query === '' ? path : `${path}${path.includes('?') ? '' : '?'}${query}`,
    headers,
    body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
    framing: chunked ? 'chunked' : divided ? 'divided' : 'length',
    connection: 'kept',
  };
}
