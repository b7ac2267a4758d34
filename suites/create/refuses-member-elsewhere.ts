import type { ClauseId } from '../../src/clause/clause.ts';
import type { Outcome } from '../../src/clause/outcome.ts';
import type { Session } from '../../src/session/session.ts';
import { notRefused } from '../judging/creations/not-refused.ts';
import { requireStillCreates } from '../judging/creations/require-still-creates.ts';
import { judgeRows } from '../judging/judge-rows.ts';
import { membersElsewhere } from './members-elsewhere.ts';

/** A body without that property is invalid, whatever the query string, headers, and cookies contain. */
export async function refusesMemberElsewhere(
  s: Session,
  { clause, member }: { readonly clause: ClauseId; readonly member: 'name' | 'categoryId' },
): Promise<Outcome> {
  return judgeRows(s, {
    rows: [member],
    judge: async () => {
      const { [member]: elsewhere, ...body } = await s.fixtures.plain();
      const options = membersElsewhere({ [member]: String(elsewhere) });
      const exchange = await s.api.create({ value: body }, { ...options, domain: 'invalid', clause });
      const wrong = notRefused(
        exchange,
        `POST /pets with a body without ${member}, but with a ${member} in the query string, headers, and cookies`,
      );
      if (wrong !== undefined) await requireStillCreates(s, exchange);
      return wrong;
    },
    evidence: `a body without ${member} was rejected with 400 although the query string, headers, and cookies have one`,
  });
}
