import type { InvariantJudgement } from '../../../src/clause/clause.ts';
import type { Outcome } from '../../../src/clause/outcome.ts';
import { findingOf } from '../../../src/expect/expect.ts';
import type { Session } from '../../../src/session/session.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';
import { judgeRows } from '../judge-rows.ts';
import { asDocumented } from './as-documented.ts';
import type { Documented } from './documented.ts';
import { thoseDocumented } from './those-documented.ts';

type Judging = {
  readonly documented: readonly Documented[];
  readonly judge: (exchange: Exchange) => InvariantJudgement;
  /** Completes "N responses (200, 401, 404) …". */
  readonly evidence: string;
};

/** Judges documented responses with an invariant, so that the clause has evidence of each of them. */
export function judgeDocumented(s: Session, { documented: all, judge, evidence }: Judging): Promise<Outcome> {
  const documented = thoseDocumented(all);
  const statuses = [...new Set(documented.map(({ status }) => status))].join(', ');
  return judgeRows(s, {
    rows: documented,
    judge: async (row) => {
      const exchange = asDocumented(row);
      return findingOf(exchange, judge(exchange));
    },
    evidence: `${documented.length} responses (${statuses}) ${evidence}`,
  });
}
