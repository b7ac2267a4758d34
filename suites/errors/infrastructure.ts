import type { Answer } from '../../src/wire/exchange.ts';

/**
 * Statuses that the HTTP layer or a proxy usually returns before the service sees the request, with a body of its own: 408 (slow request),
 * 413 and 414 (too large, which is the server's right: size limits are not documented), 429 (rate limits are not documented), 431 (headers
 * too large), 502 and 504 (the gateway found no service; errors.no-server-error judges that). What their bodies contain is at most advised
 * (errors.infrastructure-errors).
 */
const INFRASTRUCTURE: readonly number[] = [408, 413, 414, 429, 431, 502, 504];

/** Whether the body may not come from the interface: the statuses above, and 503, which asks to retry later or may come from a gateway. */
export function isInfrastructure({ status }: Answer): boolean {
  return INFRASTRUCTURE.includes(status) || status === 503;
}
