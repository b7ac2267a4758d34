import type { InvariantJudgement } from '../../../src/clause/clause.ts';
import { describeAnswer } from '../../../src/expect/expect.ts';
import type { RunState } from '../../../src/session/state/run-state.ts';
import { asReceived, type Exchange } from '../../../src/wire/exchange.ts';
import { isOwnedElsewhere } from '../owned-elsewhere.ts';
import { sentIn } from './sent-in.ts';

export type RefusalOwner = 'create.success' | 'create.status-values' | 'create.status-optional' | 'undecided';

/**
 * The clause that owns a plain NewPet that was not created. If others with its status (or without one) were created, the service
 * fails intermittently; if only others were, the status makes the difference. If none was created yet, checks decide.
 */
export function refusalOwner(exchange: Exchange, knowledge: RunState): RefusalOwner {
  const sent = sentIn(exchange);
  const plain = [...knowledge.created.values()].filter((animal) => animal.plain);
  if (sent === undefined || plain.length === 0) return 'undecided';
  const alike = plain.some((animal) => animal.sent.status === sent.status);
  // Rejected intermittently without a status: create.status-optional has a check for what precedes it.
  if (sent.status === undefined) return alike ? 'undecided' : 'create.status-optional';
  return alike ? 'create.success' : 'create.status-values';
}

/** The invariant of the clauses that own such rejections: every plain NewPet sent with the API key returns 201. */
export function judgePlainCreation(
  owner: Exclude<RefusalOwner, 'undecided'>,
  summarize: (status: number) => string,
): (exchange: Exchange, knowledge: RunState) => InvariantJudgement {
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
