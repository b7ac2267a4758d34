import type { ClauseId } from '../../src/clause/clause.ts';
import { haltInconclusive } from '../../src/clause/halt.ts';
import { describeAnswer, statusOf } from '../../src/expect/expect.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { NO_HEADER } from '../cases/no-header.ts';
import { oncePerSession } from '../judging/once-per-session.ts';
import { situation } from './situation.ts';

/** Asks once more where 401 is not returned: two of a kind confirm what stands for it, and earlier responses are read the same way. */
const askWithoutKey = oncePerSession(async (s): Promise<void> => {
  for (const list of [{}, {}]) await s.api.list(list, { credential: NO_HEADER });
});

/** Halts as blocked by the owner when the service accepts the credential on an otherwise valid request. */
export async function requireRejected(s: Session, exchange: Exchange, owner: ClauseId): Promise<void> {
  if (statusOf(exchange) === 401) return;
  await askWithoutKey(s);
  if (statusOf(exchange) === 401) return;
  haltInconclusive(`${situation(exchange)} is not rejected in the first place: ${describeAnswer(exchange)}`, owner);
}
