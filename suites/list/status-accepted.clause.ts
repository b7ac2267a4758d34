import { PET_STATUSES } from '../../src/wire/exchange.ts';
import { defineClause } from '../define.ts';
import { judgeRows } from '../judging/judge-rows.ts';
import { acceptedKinds, kindOf } from '../judging/lists/accepted-parameters.ts';
import { notAccepted, plainList, requirePlainList } from '../judging/lists/list-queries.ts';
import { otherStatus } from '../judging/ownership.ts';

export const statusAccepted = defineClause({
  id: 'list.status-accepted',
  chapter: 'list-pets',
  section: 'Endpoints: 1. List animals',
  level: 'required',
  requirement: 'Each of available, pending and sold is accepted as status: the answer is 200.',
  likelyCause: 'The enum of the query is written by hand and lacks a value, or is spelled in another letter case.',
  checks: [
    {
      id: 'each-status',
      title: 'A list with each status is answered 200',
      step: 'read',
      fault: 'status-pending-refused',
      run: async (s) => {
        await s.fixtures.admitted();
        await requirePlainList(s);
        return judgeRows(s, {
          rows: PET_STATUSES,
          judge: async (status) => otherStatus(await s.api.list({ status }), [200], `status=${status}`),
          evidence: `${PET_STATUSES.join(', ')} are answered 200`,
        });
      },
    },
  ],
  invariants: [
    {
      id: 'accepted',
      title: 'Every list with an allowed status is answered 200',
      fault: 'status-needs-upper-case',
      // With a limit as well the answer belongs to list.filter-with-limit.
      judge: (exchange, knowledge) => {
        const list = plainList(exchange);
        if (list === undefined) return 'not-applicable';
        const kinds = acceptedKinds(list, knowledge);
        if (kindOf(list) !== 'status') return 'not-applicable';
        const wrong = notAccepted(list, exchange);
        return wrong === undefined ? 'holds' : kinds.has('neither') ? wrong : 'not-applicable';
      },
    },
  ],
});
