import { observed } from '../../src/clause/halt.ts';
import { PET_STATUSES } from '../../src/wire/exchange.ts';
import { defineClause } from '../define.ts';
import { countChoice, type OpenList, observeLists, statusChoice } from '../judging/lists/list-choices.ts';

const QUERIES = ['unknown=1', 'Limit=2', 'page=2', 'offset=1', 'cursor=none', 'sort=name', '&&&'];

const BESIDE = { options: { rawQuery: 'unknown=1' } };
const WITH_LIMIT: OpenList = { question: 'limit=2&unknown=1', parameters: { limit: 2 }, ...BESIDE };
const WITH_STATUS: readonly OpenList[] = PET_STATUSES.map((status) => ({
  question: `status=${status}&unknown=1`,
  parameters: { status },
  ...BESIDE,
}));

export const unknownParameters = defineClause({
  id: 'list.unknown-parameters',
  chapter: 'list-pets',
  section: 'Endpoints: 1. List animals',
  level: 'open',
  requirement:
    'Recorded: how a list is answered when the query has parameters that the document does not show, among them those that often select a page or an order. Where such a parameter is accepted beside limit or status, these hold all the same (list.limit-maximum, list.status-filter). An error must still be an Error, a 200 still Pets, and neither a crash.',
  likelyCause: 'Nothing has to be done; a parameter that has an effect here is worth documenting.',
  checks: [
    {
      id: 'answers',
      title: 'Unknown query parameters are answered in a way that is recorded',
      step: 'final',
      run: async (s) => {
        await s.fixtures.admitted();
        const lists = QUERIES.map((query) => ({ question: query, options: { rawQuery: query } }));
        const counts = await observeLists(s, [...lists, WITH_LIMIT], countChoice);
        return observed(...counts, ...(await observeLists(s, WITH_STATUS, statusChoice)));
      },
    },
  ],
});
