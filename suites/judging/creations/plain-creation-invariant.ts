import type { InvariantJudgement } from '../../../src/clause/clause.ts';
import { describeAnswer } from '../../../src/expect/expect.ts';
import type { Knowledge } from '../../../src/session/state/run-state.ts';
import { asReceived, type Exchange } from '../../../src/wire/exchange.ts';
import { isOwnedElsewhere } from '../ownership.ts';
import { sentIn } from './read-back.ts';

export type RefusalOwner = 'create.success' | 'create.status-values' | 'create.status-optional' | 'undecided';

/**
 * Which clause owns a plain NewPet that was not created: where others with its status (or others without one) were created, the service
 * fails now and then; where only others were, the status makes the difference. Where none was yet, checks decide.
 */
export function refusalOwner(exchange: Exchange, knowledge: Knowledge): RefusalOwner {
  const sent = sentIn(exchange);
  const plain = [...knowledge.created.values()].filter((animal) => animal.plain);
  if (sent === undefined || plain.length === 0) return 'undecided';
  const alike = plain.some((animal) => animal.sent.status === sent.status);
  // Refused without status now and then: create.status-optional has a check for what comes before.
  if (sent.status === undefined) return alike ? 'undecided' : 'create.status-optional';
  return alike ? 'create.success' : 'create.status-values';
}

/** The law behind the clauses that own refusals: every plain NewPet with the right key is answered 201. */
export function judgePlainCreation(
  owner: Exclude<RefusalOwner, 'undecided'>,
  summarize: (status: number) => string,
): (exchange: Exchange, knowledge: Knowledge) => InvariantJudgement {
  return (read, knowledge) => {
    const exchange = asReceived(read);
    const { request, outcome } = exchange;
    const { operation, body, credential } = request.intent;
    if (operation !== 'createPet' || body !== 'plain' || credential !== 'valid' || outcome.kind === 'failed') return 'not-applicable';
    const { answer } = outcome;
    if (answer.status === 201) return 'holds';
    if (isOwnedElsewhere(answer) || refusalOwner(exchange, knowledge) !== owner) return 'not-applicable';
    return { summary: summarize(answer.status), expected: ['201 with the created Pet'], received: describeAnswer(exchange) };
  };
}
