import { describeRequest } from '../../src/expect/expect.ts';
import type { Exchange } from '../../src/wire/exchange.ts';

/** `GET /pets?limit=5 with no Authorization header`. */
export function situation(exchange: Exchange): string {
  return `${describeRequest(exchange)} with ${exchange.request.intent.credentialNote}`;
}
