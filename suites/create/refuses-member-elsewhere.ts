import type { ClauseId } from '../../src/clause/clause.ts';
import type { Outcome } from '../../src/clause/outcome.ts';
import type { Session } from '../../src/session/session.ts';
import { judgeRefusal } from '../judging/creations/judge-refusal.ts';
import { judgeRows } from '../judging/judge-rows.ts';
import { membersElsewhere } from './members-elsewhere.ts';

/** A body without that property is invalid, whatever the query string, headers, and cookies contain. */
export function refusesMemberElsewhere(clause: ClauseId, member: 'name' | 'categoryId'): (s: Session) => Promise<Outcome> {
  const what = `without ${member}, but with a ${member} in the query string, headers, and cookies`;
  return (s) =>
    judgeRows(s, {
      rows: [member],
      judge: async () => {
        const { [member]: elsewhere, ...value } = await s.fixtures.plain();
        return judgeRefusal(s, { clause, what, body: { value }, options: membersElsewhere({ [member]: String(elsewhere) }) });
      },
      evidence: `a body without ${member} was rejected with 400 although the query string, headers, and cookies have one`,
    });
}
