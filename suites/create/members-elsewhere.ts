import type { ClauseId } from '../../src/clause/clause.ts';
import type { Outcome } from '../../src/clause/outcome.ts';
import type { CallOptions } from '../../src/session/client/api.ts';
import type { Session } from '../../src/session/session.ts';
import { post } from '../judging/creations/post.ts';
import { requireCreation, requireStillCreates } from '../judging/creations/require-creation.ts';
import { judgeRows } from '../judging/judge-rows.ts';
import { notRefused } from '../judging/ownership.ts';

/** The places besides the body where frameworks look for parameters. */
export function membersElsewhere(members: Readonly<Record<string, string>>): Required<Pick<CallOptions, 'rawQuery' | 'headers'>> {
  const pairs = Object.entries(members).map(([name, value]) => [name, encodeURIComponent(value)] as const);
  const cookies = pairs.map(([name, value]) => `${name}=${value}`).join('; ');
  return {
    rawQuery: pairs.map(([name, value]) => `${name}=${value}`).join('&'),
    headers: [
      ...pairs.map(([name, value]) => [name.toLowerCase(), value] as const),
      ...pairs.map(([name, value]) => [`x-${name.toLowerCase()}`, value] as const),
      ['cookie', cookies],
    ],
  };
}

/** A body without that property is invalid, whatever the query string, headers, and cookies contain. */
export async function refusesMemberElsewhere(
  s: Session,
  { clause, member }: { readonly clause: ClauseId; readonly member: 'name' | 'categoryId' },
): Promise<Outcome> {
  await requireCreation(s);
  return judgeRows(s, {
    rows: [member],
    judge: async () => {
      const { [member]: elsewhere, ...body } = await s.fixtures.plain();
      const options = membersElsewhere({ [member]: String(elsewhere) });
      const exchange = await post(s, { value: body }, { ...options, domain: 'invalid', clause });
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
