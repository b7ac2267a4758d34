import { haltInconclusive } from '../../../src/clause/halt.ts';
import type { Finding } from '../../../src/clause/outcome.ts';
import type { Session } from '../../../src/session/session.ts';
import { notRefused } from './not-refused.ts';
import { requireStillCreates } from './require-still-creates.ts';
import { type Refusal, sendInvalid } from './send-invalid.ts';
import { CONTENT_TOO_LARGE, isTooLarge } from './too-large.ts';

/** Sends a body that must be rejected; a finding when the response is not 400. Halts when it was rejected for its size. */
export async function judgeRefusal(s: Session, refusal: Refusal): Promise<Finding | undefined> {
  const exchange = await sendInvalid(s, refusal);
  if (isTooLarge(exchange)) haltInconclusive(`a body ${refusal.what} was rejected for its size (${CONTENT_TOO_LARGE})`, 'circumstance');
  const wrong = notRefused(exchange, `POST /pets with a body ${refusal.what}`);
  if (wrong !== undefined) await requireStillCreates(s, exchange);
  return wrong;
}
