import { observed } from '../../src/clause/halt.ts';
import { defineClause } from '../define.ts';
import { countChoice, observeLists, statusChoice } from '../judging/lists/list-choices.ts';

// Brackets are encoded: RFC 3986, section 3.4, has none in a query, and servers may reject them as no HTTP request.
const LIMITS = ['limit=1&limit=2', 'limit=2&limit=2', 'limit%5B%5D=2', 'limit=1,2'];
const STATUSES = ['status=available&status=sold', 'status=sold&status=sold', 'status%5B%5D=sold'];

export const repeatedParameters = defineClause({
  id: 'list.repeated-parameters',
  chapter: 'list-pets',
  section: 'Endpoints: 1. List animals',
  level: 'open',
  requirement:
    'Recorded: how limit and status are answered when they are sent twice, or in the spellings that some frameworks use for lists. The document shows single values only. An error must still be an Error, a 200 still Pets, and neither a crash.',
  likelyCause: 'Nothing has to be done; a framework that makes an array of a repeated parameter must not crash on it.',
  checks: [
    {
      id: 'answers',
      title: 'Parameters sent twice are answered in a way that is recorded',
      step: 'final',
      run: async (s) => {
        await s.fixtures.admitted();
        const ask = (query: string) => ({ question: query, options: { rawQuery: query } });
        const limits = await observeLists(s, LIMITS.map(ask), countChoice);
        return observed(...limits, ...(await observeLists(s, STATUSES.map(ask), statusChoice)));
      },
    },
  ],
});
