import { haltInconclusive, observed } from '../../src/clause/halt.ts';
import { statusOf } from '../../src/expect/expect.ts';
import { defineClause } from '../define.ts';
import { describeOpen } from '../judging/creations/describe-open.ts';
import { made } from '../judging/creations/made.ts';

export const createDuplicateNames = defineClause({
  id: 'create.duplicate-names',
  chapter: 'create-pet',
  section: 'Gaps',
  quote: ['Length, character and uniqueness rules of name: not shown.'],
  level: 'open',
  requirement:
    'Records whether the service creates a second animal with a name that is taken. "Length, character and uniqueness rules of name: not shown." If it does, the response is 201 (create.success) with a new id (create.id-assigned); no response is a crash.',
  likelyCause: 'No action needed; a rejection should be an Error that states the reason.',
  checks: [
    {
      id: 'second-animal',
      title: 'Records the response to a second animal with the same name',
      step: 'final',
      given: ['created'],
      effect: 'write',
      run: async (s) => {
        const [first] = await s.fixtures.firstCreations();
        if (first === undefined) haltInconclusive('no plain animal was created', 'create.success');
        made(first);
        const exchange = await s.api.create({ value: first.sent }, { domain: 'open' });
        const answer = statusOf(exchange) === 201 ? 'accepted' : describeOpen(exchange);
        return observed({ question: 'a second animal with the same name', answer });
      },
    },
  ],
});
