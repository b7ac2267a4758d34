import type { Answer } from '../../src/wire/exchange.ts';

/**
 * Statuses that the HTTP layer or a proxy usually returns before the service sees the request, with a body
 * of its own: 408 (slow request), 413 and 414 (too large, which is the server's right: body size limits are not shown), 429 (rate
 * limits are not shown), 431 (headers too large), 502 and 504 (the gateway found no service; errors.no-server-error judges that).
 * What their bodies are is advised at most (errors.infrastructure-errors).
 */
const INFRASTRUCTURE: readonly number[] = [408, 413, 414, 429, 431, 502, 504];

/** Whether the body is not one of the interface: the statuses above, and 503, which asks to retry later or comes from a gateway too. */
export function isInfrastructure({ status }: Answer): boolean {
  return INFRASTRUCTURE.includes(status) || status === 503;
}
