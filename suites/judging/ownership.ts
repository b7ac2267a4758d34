import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Finding } from '../../src/clause/outcome.ts';
import { answerOf, describeRequest, wrongRefusal, wrongStatus } from '../../src/expect/expect.ts';
import { postponement } from '../../src/wire/client.ts';
import type { Answer, Exchange } from '../../src/wire/exchange.ts';

/** A crash: 501 is an answer that somebody chose. */
export function isCrash(status: number): boolean {
  return status >= 500 && status !== 501;
}

/** Whether another clause owns the status of this answer: the key, a crash, a wait. For invariants. */
export function isOwnedElsewhere(answer: Answer): boolean {
  return answer.status === 401 || isCrash(answer.status) || postponement(answer, 0) !== undefined;
}

/** The exchange, unless its answer is the business of another clause: no answer, a refused key, a crash. Then it halts. */
export function judgeable(exchange: Exchange): Exchange {
  const { status } = answerOf(exchange);
  if (status === 401 && exchange.request.intent.credential === 'valid') {
    haltInconclusive(`${describeRequest(exchange)} with the right key answered 401`, 'auth.valid-key');
  }
  if (isCrash(status)) haltInconclusive(`${describeRequest(exchange)} answered ${status}`, 'errors.no-server-error');
  return exchange;
}

/** A finding when the status is none of those wanted; halts when another clause owns the answer. */
export function otherStatus(exchange: Exchange, expected: readonly number[], situation: string): Finding | undefined {
  return wrongStatus(judgeable(exchange), expected, situation);
}

/** A finding when the creation is not refused with 400; halts when another clause owns the answer. */
export function notRefused(exchange: Exchange, situation: string): Finding | undefined {
  return wrongRefusal(judgeable(exchange), 400, situation);
}
