import type { Finding } from '../../../src/clause/outcome.ts';
import { finding } from '../../../src/expect/expect.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';
import type { Difference } from './differences.ts';

/** A finding for a field that differs from what was sent. `where` completes "name X was …": "read back". */
export function differenceFinding(exchanges: readonly [Exchange, ...Exchange[]], difference: Difference, where: string): Finding {
  const { field, expected, received } = difference;
  return finding(exchanges, {
    summary: `${field} ${expected} was ${where} as ${received}`,
    expected: [`${field} ${expected}`],
    received: `${field} ${received}`,
    pointer: `/${field}`,
  });
}
