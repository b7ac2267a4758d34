import { describeAnswer } from '../../../src/expect/expect.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';
import { isOwnedElsewhere } from '../owned-elsewhere.ts';
import { type PlainList, situationOf } from './plain-list.ts';
import type { Wrong } from './wrong-list.ts';

/** A valid list request that does not return 200. Other clauses own a rejected key and a crash. */
export function notAccepted(list: PlainList, exchange: Exchange): Wrong | undefined {
  if (list.answer.status === 200 || isOwnedElsewhere(list.answer)) return undefined;
  return {
    summary: `${situationOf(list)} returned ${list.answer.status}; expected 200`,
    expected: ['200 with Pets'],
    received: describeAnswer(exchange),
  };
}
