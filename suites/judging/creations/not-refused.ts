import type { Finding } from '../../../src/clause/outcome.ts';
import { wrongRefusal } from '../../../src/expect/expect.ts';
import { judgeable } from '../../../src/expect/judgeable.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';

/** A finding when the creation is not rejected with 400; halts when another clause owns the response. */
export function notRefused(exchange: Exchange, situation: string): Finding | undefined {
  return wrongRefusal(judgeable(exchange), 400, situation);
}
