import { haltInconclusive } from '../../src/clause/halt.ts';
import { finding, petsOf } from '../../src/expect/expect.ts';
import { defineClause } from '../../suites/define.ts';
import { judgeRows } from '../../suites/judging/judge-rows.ts';
import { askList } from '../../suites/judging/lists/ask-list.ts';

export const listContents = defineClause({
  id: 'list.status-filter',
  chapter: 'list-pets',
  section: 'Endpoints: 1. List animals',
  quote: ['| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |'],
  level: 'required',
  requirement: 'A list with status=pending shows only pending animals.',
  likelyCause: 'The filter does not reach the query.',
  checks: [
    {
      id: 'pending',
      title: 'status=pending keeps only pending animals',
      step: 'read',
      given: ['pets', 'list.filter-complete'],
      fault: 'filter-pending-gives-sold',
      run: async (s) => {
        await s.fixtures.withStatus('pending');
        const list = await askList(s, { status: 'pending' });
        const pets = petsOf(list);
        if (pets.length === 0) haltInconclusive('status=pending shows no animal', 'list.filter-complete');
        return judgeRows(s, {
          rows: pets,
          judge: async ({ id, status }) =>
            status === 'pending'
              ? undefined
              : finding([list], {
                  summary: `GET /pets?status=pending returned animal ${id} with status ${status ?? 'none'}`,
                  expected: ['only animals with status "pending"'],
                }),
          evidence: `${pets.length} pending animals`,
        });
      },
    },
  ],
});
