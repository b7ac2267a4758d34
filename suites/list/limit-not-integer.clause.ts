import { observed } from '../../src/clause/halt.ts';
import { defineClause } from '../define.ts';
import { countChoice, observeLists } from '../judging/lists/list-choices.ts';

// The leading digit distinguishes a lenient parser (5) from a fallback to the default.
const LIMITS = ['abc', '', '1.5', '5.0', '+5', '05', '5abc', '5e0', '５'];

export const limitNotInteger = defineClause({
  id: 'list.limit-not-integer',
  chapter: 'list-pets',
  section: 'Endpoints: 1. List animals',
  quote: ['| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |'],
  level: 'open',
  requirement:
    'Records the response to a limit that is not an integer, or is spelled unusually. The document types limit as an integer and does not state the response to anything else. An error is still an Error, a 200 is still Pets, and neither is a crash.',
  likelyCause: 'No action needed; silently ignoring a limit hides mistakes in clients.',
  checks: [
    {
      id: 'non-integer-limits',
      title: 'Records the response to limits that are not plain integers',
      step: 'final',
      given: ['petList'],
      run: async (s) => {
        const lists = LIMITS.map((limit) => ({ question: `limit=${limit}`, parameters: { limit } }));
        return observed(...(await observeLists(s, lists, countChoice)));
      },
    },
  ],
});
