import type { ClauseId } from '../../../src/clause/clause.ts';
import type { Outcome } from '../../../src/clause/outcome.ts';
import type { Session } from '../../../src/session/session.ts';
import type { InvalidBody } from '../../cases/invalid-body.ts';
import { judgeRows } from '../judge-rows.ts';
import { judgeRefusal } from './judge-refusal.ts';

/** Judges a table of bodies that must be rejected, once creation is known to work. */
export function refusesAll(clause: ClauseId, rows: readonly InvalidBody[]): (s: Session) => Promise<Outcome> {
  return (s) =>
    judgeRows(s, {
      rows,
      judge: async ({ what, body }) => judgeRefusal(s, { clause, what, body: body(await s.fixtures.plain()) }),
      evidence: `${rows.length} bodies, each rejected with 400`,
    });
}
