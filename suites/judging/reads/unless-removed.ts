import { haltInconclusive, haltNotApplicable } from '../../../src/clause/halt.ts';
import { GONE_STATUSES, mayBeRemoved, REMOVED_STATUSES } from '../../../src/clause/removal.ts';
import { answerOf, describeRequest } from '../../../src/expect/expect.ts';
import { judgeable } from '../../../src/expect/judgeable.ts';
import type { Session } from '../../../src/session/session.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';

/** Why nothing can be read by id from the announced date on. */
export const REMOVED = "getPet has been removed as announced, so animals can't be read by id";

/** The exchange; halts when its status says that the operation is gone, which the deprecation clauses judge. */
export function unlessRemoved(s: Session, exchange: Exchange): Exchange {
  const { status } = answerOf(judgeable(exchange));
  if (mayBeRemoved(s.options.now) && REMOVED_STATUSES.includes(status)) haltNotApplicable(REMOVED);
  if (GONE_STATUSES.includes(status)) haltInconclusive(`${describeRequest(exchange)} returned ${status}`, 'deprecation.still-works');
  return exchange;
}
