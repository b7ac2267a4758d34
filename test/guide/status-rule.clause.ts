import { hasKey } from '../../src/oracle/exchange.ts';
import { expects } from '../../src/oracle/mechanisms.ts';
import type { Clause } from '../../src/oracle/rule.ts';
import { limitIn } from '../../src/oracle/timeline-view.ts';

export const statusRule: Clause = {
  id: 'list.limit-accepted',
  chapter: 'list-pets',
  section: 'Limits',
  quote: ['| limit parameter minimum | listPets | 1 |'],
  level: 'required',
  requirement: 'A limit of 1 is accepted: listPets returns 200.',
  likelyCause: 'A validator with an exclusive minimum rejects the smallest limit.',
  rules: [
    expects({
      of: (exchange) => hasKey(exchange) && limitIn(exchange) === 1,
      statuses: [200],
      expected: ['200 with Pets'],
      // Where lists without a limit fail the same way, the limit is not the reason.
      blame: { simpler: { clauses: ['list.success'] } },
    }),
  ],
  must: [{ title: 'limit 1', accepts: 'listPets', meets: () => true }],
};
