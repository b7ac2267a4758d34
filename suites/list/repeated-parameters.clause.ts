import { observed } from '../../src/clause/halt.ts';
import { defineClause } from '../define.ts';
import { countChoice, observeLists, statusChoice } from '../judging/lists/list-choices.ts';

// Brackets are encoded: RFC 3986, section 3.4, does not allow them in a query, and servers may reject the request line.
const LIMITS = ['limit=1&limit=2', 'limit=2&limit=2', 'limit%5B%5D=2', 'limit=1,2'];
const STATUSES = ['status=available&status=sold', 'status=sold&status=sold', 'status%5B%5D=sold'];

export const repeatedParameters = defineClause({
  id: 'list.repeated-parameters',
  chapter: 'list-pets',
  section: 'Endpoints: 1. List animals',
  quote: ['Query parameters (all optional):'],
  level: 'open',
  requirement:
    'Records the response to limit and status sent twice, or in the spellings that some frameworks use for arrays. The document shows single values only. An error is still an Error, a 200 is still Pets, and neither is a crash.',
  likelyCause: 'No action needed; make sure that a framework that turns repeated parameters into arrays does not crash.',
  checks: [
    {
      id: 'repeated-parameters',
      title: 'Records the response to repeated parameters',
      step: 'final',
      given: ['petList'],
      run: async (s) => {
        const ask = (query: string) => ({ question: query, options: { rawQuery: query } });
        const limits = await observeLists(s, LIMITS.map(ask), countChoice);
        return observed(...limits, ...(await observeLists(s, STATUSES.map(ask), statusChoice)));
      },
    },
  ],
});
