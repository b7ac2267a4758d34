import { observed } from '../../src/clause/halt.ts';
import { defineClause } from '../define.ts';
import { observeLists, statusChoice } from '../judging/lists/list-choices.ts';

const STATUSES = ['unknown', '', 'SOLD', ' sold', 'available,sold', 'null'];

export const statusUnknown = defineClause({
  id: 'list.status-unknown',
  chapter: 'list-pets',
  section: 'Endpoints: 1. List animals',
  level: 'open',
  requirement:
    'Recorded: how a status filter is answered that is none of the three values. The document lists no 400 for listPets: refused, ignored or an empty list are all possible. An error must still be an Error, a 200 still Pets, and neither a crash.',
  likelyCause: 'Nothing has to be done; an ignored filter shows clients animals that they did not ask for.',
  checks: [
    {
      id: 'answers',
      title: 'Status filters outside the enum are answered in a way that is recorded',
      step: 'final',
      run: async (s) => {
        await s.fixtures.admitted();
        const lists = STATUSES.map((status) => ({ question: `status=${status}`, parameters: { status } }));
        return observed(...(await observeLists(s, lists, statusChoice)));
      },
    },
  ],
});
