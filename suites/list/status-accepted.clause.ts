import { PET_STATUSES } from '../../src/wire/exchange.ts';
import { defineClause } from '../define.ts';
import { judgeRows } from '../judging/judge-rows.ts';
import { acceptedKinds, kindOf } from '../judging/lists/accepted-parameters.ts';
import { notAccepted } from '../judging/lists/not-accepted.ts';
import { plainList } from '../judging/lists/plain-list.ts';
import { requirePlainList } from '../judging/lists/require-plain-list.ts';
import { otherStatus } from '../judging/other-status.ts';

export const statusAccepted = defineClause({
  id: 'list.status-accepted',
  chapter: 'list-pets',
  section: 'Endpoints: 1. List animals',
  quote: [
    '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    'A string with exactly these allowed values: `available`, `pending`, `sold`.',
  ],
  level: 'required',
  requirement: 'Each of available, pending, and sold is accepted as status: listPets returns 200.',
  likelyCause: 'The enum of the query parameter is maintained by hand and lacks a value, or expects another letter case.',
  checks: [
    {
      id: 'each-status',
      title: 'Accepts each status as a filter',
      step: 'read',
      given: ['petList'],
      fault: 'status-pending-refused',
      run: async (s) => {
        await requirePlainList(s);
        return judgeRows(s, {
          rows: PET_STATUSES,
          judge: async (status) => otherStatus(await s.api.list({ status }), [200], `GET /pets?status=${status}`),
          evidence: `${PET_STATUSES.join(', ')} returned 200`,
        });
      },
    },
  ],
  invariants: [
    {
      id: 'every-list-with-status',
      title: 'Every list with a valid status returns 200',
      fault: 'status-needs-upper-case',
      // list.filter-with-limit judges lists that have a limit too.
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
