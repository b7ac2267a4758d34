import { statusOf } from '../../../src/expect/expect.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';

/** How behavior.json describes a response that is not an animal. */
export function describeOpen(exchange: Exchange): string {
  const status = statusOf(exchange);
  if (status === undefined) return 'no complete response';
  return status < 400 ? `returned ${status} without an animal` : `rejected with ${status}`;
}
