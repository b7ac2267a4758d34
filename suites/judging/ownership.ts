import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Finding } from '../../src/clause/outcome.ts';
import { answerOf, describeRequest, wrongRefusal, wrongStatus } from '../../src/expect/expect.ts';
import { postponement } from '../../src/wire/client.ts';
import type { Answer, Exchange } from '../../src/wire/exchange.ts';

/** A crash: 501 is a deliberate response. */
export function isCrash(status: number): boolean {
  return status >= 500 && status !== 501;
}

/** Whether another clause owns the status of this response (a rejected key, a crash, a wait). For invariants. */
export function isOwnedElsewhere(answer: Answer): boolean {
  return answer.status === 401 || isCrash(answer.status) || postponement(answer, 0) !== undefined;
}

/** The exchange; halts when another clause owns its response: none at all, a rejected key, a crash. */
export function judgeable(exchange: Exchange): Exchange {
  const { status } = answerOf(exchange);
  if (status === 401 && exchange.request.intent.credential === 'valid') {
    haltInconclusive(`${describeRequest(exchange)} with the API key returned 401`, 'auth.valid-key');
  }
  if (isCrash(status)) haltInconclusive(`${describeRequest(exchange)} returned ${status}`, 'errors.no-server-error');
  return exchange;
}

/** A finding when the status is not one of those expected; halts when another clause owns the response. */
export function otherStatus(exchange: Exchange, expected: readonly number[], situation: string): Finding | undefined {
  return wrongStatus(judgeable(exchange), expected, situation);
}

/** A finding when the creation is not rejected with 400; halts when another clause owns the response. */
export function notRefused(exchange: Exchange, situation: string): Finding | undefined {
  return wrongRefusal(judgeable(exchange), 400, situation);
}
