import type { InvariantJudgement } from '../../src/clause/clause.ts';
import { describeRequest } from '../../src/expect/expect.ts';
import { asReceived, type Exchange } from '../../src/wire/exchange.ts';
import { hasOwnBody, mediaTypeOf } from './media-type.ts';

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
