import { defineClause } from '../../suites/define.ts';
import { judgeRows } from '../../suites/judging/judge-rows.ts';
import { otherStatus } from '../../suites/judging/other-status.ts';

export const statusRule = defineClause({
  id: 'list.limit-accepted',
  chapter: 'list-pets',
  section: 'Limits',
  quote: ['| limit parameter minimum | listPets | 1 |'],
  level: 'required',
  requirement: 'A limit of 1 is accepted: listPets returns 200.',
  likelyCause: 'A validator with an exclusive minimum rejects the smallest limit.',
  checks: [
    {
      id: 'smallest',
      title: 'Accepts the smallest limit',
      step: 'read',
      given: ['pets'],
      fault: 'limit-1-refused',
      run: (s) =>
        judgeRows(s, {
          rows: [1],
          judge: async (limit) => otherStatus(await s.api.list({ limit }), [200], `GET /pets?limit=${limit}`),
          evidence: 'limit=1 returned 200',
        }),
    },
  ],
});
