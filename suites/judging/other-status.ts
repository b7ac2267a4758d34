import type { Finding } from '../../src/clause/outcome.ts';
import { wrongStatus } from '../../src/expect/expect.ts';
import { judgeable } from '../../src/expect/judgeable.ts';
import type { Exchange } from '../../src/wire/exchange.ts';

/** A finding when the status is not one of those expected; halts when another clause owns the response. */
export function otherStatus(exchange: Exchange, expected: readonly number[], situation: string): Finding | undefined {
  return wrongStatus(judgeable(exchange), expected, situation);
}
