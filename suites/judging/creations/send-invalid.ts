import type { ClauseId } from '../../../src/clause/clause.ts';
import { answerOf } from '../../../src/expect/expect.ts';
import type { CallOptions, CreateBody } from '../../../src/session/client/api.ts';
import type { Session } from '../../../src/session/session.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';

/** A body that must be rejected under a clause; `what` completes "a body …". */
export type Refusal = { readonly clause: ClauseId; readonly what: string; readonly body: CreateBody; readonly options?: CallOptions };

/** Sends a body that must be rejected. Halts without a response. */
export async function sendInvalid(s: Session, { clause, body, options }: Omit<Refusal, 'what'>): Promise<Exchange> {
  const exchange = await s.api.create(body, { ...options, domain: 'invalid', clause });
  answerOf(exchange);
  return exchange;
}
