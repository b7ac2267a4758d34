import { haltInconclusive } from '../../../src/clause/halt.ts';
import { answerOf, describeRequest, statusOf } from '../../../src/expect/expect.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';
import type { Documented } from './documented.ts';

const LEAST_ERROR = 400;

/**
 * The exchange, if it is what the document names: that success, or an error where it names one, whatever its status (which the owner
 * judges). Otherwise halts as blocked by the owner.
 */
export function asDocumented(documented: Documented): Exchange {
  const { exchange, status, owner } = documented;
  const received = answerOf(exchange).status;
  if (!isDocumented(documented)) haltInconclusive(`${describeRequest(exchange)} returned ${received} instead of ${status}`, owner);
  return exchange;
}

/** Whether the status is one of an error. */
export const isError = (status: number): boolean => status >= LEAST_ERROR;

/** Whether the exchange is what the document names: that success, or an error where it names one. */
export function isDocumented({ exchange, status }: Documented): boolean {
  const received = statusOf(exchange);
  return received === status || (received !== undefined && isError(status) && isError(received));
}
