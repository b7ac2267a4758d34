import { describeResponse } from '../../src/session/read-exchange.ts';
import { defineRules } from '../../suites/define.ts';

export const statusRule = defineRules({
  id: 'list.limit-accepted',
  chapter: 'list-pets',
  section: 'Limits',
  quote: ['| limit parameter minimum | listPets | 1 |'],
  level: 'required',
  requirement: 'A limit of 1 is accepted: listPets returns 200.',
  likelyCause: 'A validator with an exclusive minimum rejects the smallest limit.',
  rules: [
    {
      layer: 'status',
      judge({ exchange, intent, status }) {
        if (intent.credential !== 'valid' || intent.limit !== 1 || status === undefined) return 'not-applicable';
        if (status === 200) return 'holds';
        return {
          summary: `GET /pets?limit=1 returned ${status}; expected 200`,
          expected: ['200 with Pets'],
          received: describeResponse(exchange),
        };
      },
      // Where lists without a limit fail the same way, the limit is not the reason.
      simpler: { clauses: ['list.success'] },
    },
  ],
  sent: [
    {
      id: 'smallest',
      title: 'Accepts the smallest limit',
      step: 'read',
      send: (s) => s.api.list({ limit: 1 }),
    },
  ],
});
