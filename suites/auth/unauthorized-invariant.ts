import type { InvariantJudgement } from '../../src/clause/clause.ts';
import { describeAnswer, statusOf } from '../../src/expect/expect.ts';
import type { RunState } from '../../src/session/state/run-state.ts';
import { postponement } from '../../src/wire/client.ts';
import { asReceived, type Exchange } from '../../src/wire/exchange.ts';
import { type Family, familyOf } from '../cases/credential-families.ts';
import { situation } from './situation.ts';
import type { Letter } from './unauthorized.ts';

/** 429, or 503 with Retry-After: rate limits are not shown, and a rate-limiting gateway may not check the credential first. */
function asksToWait({ outcome }: Exchange): boolean {
  return outcome.kind === 'answered' && postponement(outcome.answer, 0) !== undefined;
}

/** Requests that are otherwise valid; auth.precedence judges those with further errors. */
function isOtherwiseRight({ request: { intent } }: Exchange, knowledge: RunState): boolean {
  switch (intent.operation) {
    case 'listPets':
      return intent.limit !== 'open' && intent.status !== 'open';
    case 'createPet':
      return intent.body === 'plain';
    case 'getPet':
      return intent.petId !== undefined && knowledge.seen.has(String(intent.petId));
    default:
      return intent.operation satisfies never;
  }
}

/** The invariant for a family of credentials: any otherwise valid request with one of them returns 401. */
export function judgeRefusal(
  family: Family,
  { toTheLetter = false }: Letter = {},
): (exchange: Exchange, knowledge: RunState) => InvariantJudgement {
  return (read, knowledge) => {
    const exchange = toTheLetter ? asReceived(read) : read;
    const { intent } = exchange.request;
    if (intent.credential !== 'refused' || familyOf(intent.credentialNote) !== family || !isOtherwiseRight(exchange, knowledge))
      return 'not-applicable';
    const status = statusOf(exchange);
    if (status === undefined || asksToWait(exchange)) return 'not-applicable';
    if (status === 401) return 'holds';
    return {
      summary: `${situation(exchange)} returned ${status}; expected 401`,
      expected: ['401 with an Error body'],
      received: describeAnswer(exchange),
    };
  };
}
