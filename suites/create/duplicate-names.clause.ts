import { haltInconclusive, observed } from '../../src/clause/halt.ts';
import { statusOf } from '../../src/expect/expect.ts';
import { defineClause } from '../define.ts';
import { describeOpen } from '../judging/creations/create-choices.ts';
import { made, oneOfEachStatus } from '../judging/creations/creations.ts';
import { post } from '../judging/creations/read-back.ts';

export const createDuplicateNames = defineClause({
  id: 'create.duplicate-names',
  chapter: 'create-pet',
  section: 'Gaps',
  level: 'open',
  requirement:
    'Recorded: whether a second animal with a name that is taken is created. "Length, character and uniqueness rules of name: not shown". When it is created the answer is 201 (create.success) with an id of its own (create.id-assigned), and no answer is a crash.',
  likelyCause: 'Nothing has to be done; a refusal should be an Error that tells the reason.',
  checks: [
    {
      id: 'second',
      title: 'The answer to a second animal of one name is recorded',
      step: 'final',
      effect: 'write',
      run: async (s) => {
        const [first] = await oneOfEachStatus(s);
        if (first === undefined) haltInconclusive('no plain animal was created', 'create.success');
        made(first);
        const exchange = await post(s, { value: first.sent }, { domain: 'open' });
        const answer = statusOf(exchange) === 201 ? 'accepted' : describeOpen(exchange);
        return observed({ question: 'a second animal of the same name', answer });
      },
    },
  ],
});
