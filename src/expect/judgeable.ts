import { haltAt } from '../clause/halt.ts';
import type { Exchange } from '../wire/exchange.ts';
import { answerOf, describeRequest } from './expect.ts';

/** Whether a status is a crash: 501 is deliberate. */
export function isCrash(status: number): boolean {
  return status >= 500 && status !== 501;
}

/** The exchange; halts for a response that says nothing about the request: none at all, a rejected key, a crash. */
export function judgeable(exchange: Exchange): Exchange {
  const { status } = answerOf(exchange);
  if (status === 401 && exchange.request.intent.credential === 'valid') {
    haltAt(exchange, `${describeRequest(exchange)} with the API key returned 401`);
  }
  if (isCrash(status)) haltAt(exchange, `${describeRequest(exchange)} returned ${status}`);
  return exchange;
}
