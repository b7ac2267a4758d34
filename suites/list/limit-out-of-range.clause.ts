import { observed } from '../../src/clause/halt.ts';
import { defineClause } from '../define.ts';
import { countChoice, observeLists } from '../judging/lists/list-choices.ts';

const LIMITS = ['0', '-1', '101', '1000', '2147483648', '9223372036854775808'];

export const limitOutOfRange = defineClause({
  id: 'list.limit-out-of-range',
  chapter: 'list-pets',
  section: 'Limits',
  quote: ['A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.'],
  level: 'open',
  requirement:
    'Records the response to a limit outside 1 to 100, which "violates the declared bounds; the resulting response is not stated". It may be rejected, clamped to the nearest bound, replaced by the default, or used as it is. An error is still an Error, a 200 is still Pets, and neither is a crash.',
  likelyCause: 'No action needed; 400 serves most clients best.',
  checks: [
    {
      id: 'limits-out-of-range',
      title: 'Records the response to limits below 1 and above 100',
      step: 'final',
      given: ['petList'],
      run: async (s) => {
        const lists = LIMITS.map((limit) => ({ question: `limit=${limit}`, parameters: { limit } }));
        return observed(...(await observeLists(s, lists, countChoice)));
      },
    },
  ],
});
