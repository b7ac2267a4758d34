import { defineClause } from '../define.ts';
import { judgeRows } from '../judging/judge-rows.ts';
import { acceptedKinds, kindOf } from '../judging/lists/accepted-parameters.ts';
import { eachLimit } from '../judging/lists/each-limit.ts';
import { notAccepted, plainList, requirePlainList } from '../judging/lists/list-queries.ts';
import { otherStatus } from '../judging/ownership.ts';

export const limitAccepted = defineClause({
  id: 'list.limit-accepted',
  chapter: 'list-pets',
  section: 'Limits',
  level: 'required',
  requirement: 'Each limit from 1 to 100 is accepted: the answer is 200.',
  likelyCause:
    'The bounds are checked with < and > instead of <= and >=, the query text is compared as text, or only some page sizes are allowed.',
  checks: [
    {
      id: 'boundaries',
      title: 'The smallest and the largest limit are accepted',
      step: 'read',
      fault: 'limit-100-refused',
      run: async (s) => {
        await s.fixtures.admitted();
        await requirePlainList(s);
        return judgeRows(s, {
          rows: [1, 20, 100],
          judge: async (limit) => otherStatus(await s.api.list({ limit }), [200], `a limit of ${limit}`),
          evidence: 'limits 1, 20 and 100 are answered 200',
        });
      },
    },
    {
      id: 'each-limit',
      title: 'Every limit from 1 to 100 is accepted',
      step: 'large-store',
      exhaustive: true,
      fault: 'limit-13-refused',
      run: async (s) => {
        await requirePlainList(s);
        return judgeRows(s, {
          rows: await eachLimit(s),
          judge: async ({ limit, exchange }) => otherStatus(exchange, [200], `a limit of ${limit}`),
          evidence: '100 lists, one for each limit from 1 to 100, all answered 200',
        });
      },
    },
  ],
  invariants: [
    {
      id: 'accepted',
      title: 'Every list with an allowed limit is answered 200',
      fault: 'limit-over-50-refused',
      // With a status as well the answer belongs to list.filter-with-limit.
      judge: (exchange, knowledge) => {
        const list = plainList(exchange);
        if (list === undefined) return 'not-applicable';
        const kinds = acceptedKinds(list, knowledge);
        if (kindOf(list) !== 'limit') return 'not-applicable';
        const wrong = notAccepted(list, exchange);
        return wrong === undefined ? 'holds' : kinds.has('neither') ? wrong : 'not-applicable';
      },
    },
  ],
});
