import { observed } from '../../src/clause/halt.ts';
import { defineClause } from '../define.ts';
import { countChoice, observeLists } from '../judging/lists/list-choices.ts';

const LIMITS = ['0', '-1', '101', '1000', '2147483648', '9223372036854775808'];

export const limitOutOfRange = defineClause({
  id: 'list.limit-out-of-range',
  chapter: 'list-pets',
  section: 'Limits',
  level: 'open',
  requirement:
    'Recorded: how a limit outside 1 to 100 is answered. It "violates the declared bounds; the resulting response is not stated": refused, cut to the nearest bound, replaced by the default or taken as it is. An error must still be an Error, a 200 still Pets, and neither a crash.',
  likelyCause: 'Nothing has to be done; most clients are served best by a 400.',
  checks: [
    {
      id: 'answers',
      title: 'Limits below 1 and above 100 are answered in a way that is recorded',
      step: 'final',
      run: async (s) => {
        await s.fixtures.admitted();
        const lists = LIMITS.map((limit) => ({ question: `limit=${limit}`, parameters: { limit } }));
        return observed(...(await observeLists(s, lists, countChoice)));
      },
    },
  ],
});
