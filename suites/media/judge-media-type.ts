import type { InvariantJudgement } from '../../src/clause/clause.ts';
import { describeRequest } from '../../src/expect/expect.ts';
import { type Answer, asReceived, type Exchange } from '../../src/wire/exchange.ts';
import { isInfrastructure } from '../errors/infrastructure.ts';

/** The media type without parameters, in lower case (RFC 9110, section 8.3.1), or undefined without the header. */
export function mediaTypeOf(answer: Answer): string | undefined {
  const value = answer.headers.find(([name]) => name === 'content-type')?.[1];
  return value?.split(';')[0]?.trim().toLowerCase();
}

/** Whether the body belongs to the interface, as opposed to an empty one, a redirect's, or one from the infrastructure in front of it. */
export function hasOwnBody(answer: Answer): boolean {
  return answer.size > 0 && !isInfrastructure(answer) && (answer.status < 300 || answer.status >= 400);
}

/** A response body of the interface is application/json. */
export function judgeMediaType(exchange: Exchange): InvariantJudgement {
  const { outcome } = asReceived(exchange);
  if (outcome.kind === 'failed' || !hasOwnBody(outcome.answer)) return 'not-applicable';
  const { answer } = outcome;
  const sent = answer.headers.filter(([name]) => name === 'content-type').map(([, value]) => value);
  if (mediaTypeOf(answer) === 'application/json' && sent.length === 1) return 'holds';
  const received = sent.length === 0 ? 'no Content-Type' : `Content-Type ${sent.join(' and ')}`;
  return {
    summary: `the ${answer.status} response to ${describeRequest(exchange)} has a body with ${received}`,
    expected: ['Content-Type: application/json'],
    received,
  };
}
