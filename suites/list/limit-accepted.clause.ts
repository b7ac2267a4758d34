import { defineClause } from '../define.ts';
import { judgeRows } from '../judging/judge-rows.ts';
import { acceptedKinds, kindOf } from '../judging/lists/accepted-parameters.ts';
import { eachLimit } from '../judging/lists/each-limit.ts';
import { notAccepted } from '../judging/lists/not-accepted.ts';
import { plainList } from '../judging/lists/plain-list.ts';
import { requirePlainList } from '../judging/lists/require-plain-list.ts';
import { otherStatus } from '../judging/other-status.ts';

export const limitAccepted = defineClause({
  id: 'list.limit-accepted',
  chapter: 'list-pets',
  section: 'Limits',
  quote: ['| limit parameter minimum | listPets | 1 |', '| limit parameter maximum | listPets | 100 |'],
  level: 'required',
  requirement: 'Every limit from 1 to 100 is accepted: listPets returns 200.',
  likelyCause:
    'The bounds are checked with < and > instead of <= and >=, the parameter is compared as a string, or only certain page sizes are allowed.',
  checks: [
    {
      id: 'boundaries',
      title: 'Accepts the smallest, the default, and the largest limit',
      step: 'read',
      given: ['petList'],
      fault: 'limit-100-refused',
      run: async (s) => {
        await requirePlainList(s);
        return judgeRows(s, {
          rows: [1, 20, 100],
          judge: async (limit) => otherStatus(await s.api.list({ limit }), [200], `GET /pets?limit=${limit}`),
          evidence: 'limits 1, 20, and 100 returned 200',
        });
      },
    },
    {
      id: 'each-limit',
      title: 'Accepts every limit from 1 to 100',
      step: 'large-store',
      given: ['animal'],
      exhaustive: true,
      fault: 'limit-13-refused',
      run: async (s) => {
        await requirePlainList(s);
        return judgeRows(s, {
          rows: await eachLimit(s),
          judge: async ({ limit, ask }) => otherStatus(await ask(), [200], `GET /pets?limit=${limit}`),
          evidence: '100 lists, one for each limit from 1 to 100, all of which returned 200',
        });
      },
    },
  ],
  invariants: [
    {
      id: 'every-list-with-limit',
      title: 'Every list with a valid limit returns 200',
      fault: 'limit-over-50-refused',
      // list.filter-with-limit judges lists that have a status too.
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
