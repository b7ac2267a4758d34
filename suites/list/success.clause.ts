import { pass } from '../../src/clause/halt.ts';
import { petsOf } from '../../src/expect/expect.ts';
import { asReceived } from '../../src/wire/exchange.ts';
import { defineClause } from '../define.ts';
import { combineRows, judgeRow } from '../judging/judge-rows.ts';
import { notAccepted } from '../judging/lists/not-accepted.ts';
import { plainList } from '../judging/lists/plain-list.ts';
import { judgementOf } from '../judging/lists/wrong-list.ts';
import { otherStatus } from '../judging/other-status.ts';

export const listSuccess = defineClause({
  id: 'list.success',
  chapter: 'list-pets',
  section: 'Endpoints: 1. List animals',
  quote: ['Query parameters (all optional):', 'Success: `200`, body is a Pets array (array of Pet).'],
  level: 'required',
  requirement: 'GET /pets with the API key returns 200 with an array of Pets, with or without parameters.',
  likelyCause: 'The route is missing, a parameter became mandatory, or an empty or partial page has a different status (204, 206, 404).',
  checks: [
    {
      id: 'without-parameters',
      title: 'A list without parameters returns 200 with animals',
      step: 'read',
      given: ['animal'],
      smoke: true,
      fault: 'list-needs-limit',
      run: async (s) => {
        const judged = await judgeRow(async () => {
          const exchange = await s.fixtures.firstList();
          const wrong = otherStatus(asReceived(exchange), [200], 'GET /pets');
          if (wrong === undefined) petsOf(exchange);
          return wrong;
        });
        if (judged.findings.length > 0 || judged.halted !== undefined) return combineRows([judged], '');
        const { pets } = await s.fixtures.admitted();
        return pass(`200 with ${pets.length} valid animals`);
      },
    },
  ],
  invariants: [
    {
      id: 'every-list-without-parameters',
      title: 'Every list without parameters returns 200',
      fault: 'list-partial-content',
      judge: (read) => {
        const exchange = asReceived(read);
        const list = plainList(exchange);
        if (list === undefined || list.limit !== 'absent' || list.status !== 'absent') return 'not-applicable';
        return judgementOf(notAccepted(list, exchange));
      },
    },
  ],
});
