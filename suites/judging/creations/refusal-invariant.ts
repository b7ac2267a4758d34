import type { ClauseId } from '../../../src/clause/clause.ts';
import { describeAnswer } from '../../../src/expect/expect.ts';
import type { FaultName } from '../../../src/reference/faults/index.ts';
import type { RunState } from '../../../src/session/state/run-state.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';
import type { JudgingInvariant } from '../../define.ts';
import { isOwnedElsewhere } from '../owned-elsewhere.ts';
import { describeBody } from './describe-body.ts';
import { isTooLarge } from './too-large.ts';

const noStatuses = (): Set<number> => new Set();

/** Statuses that plain NewPets were rejected with: create.success owns them, and an invalid body that gets one may share the cause. */
function refusalsOfPlain(exchange: Exchange, { remember }: RunState): ReadonlySet<number> {
  const statuses = remember(noStatuses);
  const { intent } = exchange.request;
  const status = exchange.outcome.kind === 'answered' ? exchange.outcome.answer.status : 0;
  if (intent.body === 'plain' && intent.credential === 'valid' && status >= 300) statuses.add(status);
  return statuses;
}

/** The invariant for a table of bodies: any body that is invalid under this clause returns 400. */
export function refusalInvariant(clause: ClauseId, fault: FaultName): JudgingInvariant {
  return {
    id: 'every-invalid-body',
    title: 'Rejects every body that is invalid under this clause with 400',
    fault,
    judge: (exchange, knowledge) => {
      const { intent } = exchange.request;
      const elsewhere = refusalsOfPlain(exchange, knowledge);
      if (intent.body !== 'invalid' || intent.bodyClause !== clause || intent.credential !== 'valid') return 'not-applicable';
      if (exchange.outcome.kind === 'failed' || isOwnedElsewhere(exchange.outcome.answer)) return 'not-applicable';
      const { status } = exchange.outcome.answer;
      if (status === 400) return 'holds';
      if (elsewhere.has(status) || isTooLarge(exchange)) return 'not-applicable';
      return {
        summary: `POST /pets ${status < 300 ? 'accepted' : 'rejected'} the invalid body ${describeBody(exchange)} (${status}); expected 400`,
        expected: ['400 with an Error body'],
        received: describeAnswer(exchange),
      };
    },
  };
}
