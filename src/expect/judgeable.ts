import { haltInconclusive } from '../clause/halt.ts';
import type { Exchange } from '../wire/exchange.ts';
import { answerOf, describeRequest } from './expect.ts';

/** A crash: 501 is a deliberate response. */
export function isCrash(status: number): boolean {
  return status >= 500 && status !== 501;
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
