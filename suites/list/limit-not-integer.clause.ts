import { observed } from '../../src/clause/halt.ts';
import { defineClause } from '../define.ts';
import { countChoice, observeLists } from '../judging/lists/list-choices.ts';

// The number in front tells a reader that takes what it can (5) from one that falls back on the default.
const LIMITS = ['abc', '', '1.5', '5.0', '+5', '05', '5abc', '5e0', '５'];

export const limitNotInteger = defineClause({
  id: 'list.limit-not-integer',
  chapter: 'list-pets',
  section: 'Endpoints: 1. List animals',
  level: 'open',
  requirement:
    'Recorded: how a limit is answered that is no integer, or one in another spelling. The document types it as an integer and does not state the answer to anything else. An error must still be an Error, a 200 still Pets, and neither a crash.',
  likelyCause: 'Nothing has to be done; a limit that is silently ignored hides mistakes of clients.',
  checks: [
    {
      id: 'answers',
      title: 'Limits that are no plain integers are answered in a way that is recorded',
      step: 'final',
      run: async (s) => {
        await s.fixtures.admitted();
        const lists = LIMITS.map((limit) => ({ question: `limit=${limit}`, parameters: { limit } }));
        return observed(...(await observeLists(s, lists, countChoice)));
      },
    },
  ],
});
