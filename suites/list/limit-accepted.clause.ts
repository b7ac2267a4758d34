import { defineRules } from '../define.ts';
import { eachLimit } from './each-limit.ts';
import { accepts } from './lists.ts';

export const limitAccepted = defineRules({
  id: 'list.limit-accepted',
  chapter: 'list-pets',
  section: 'Limits',
  quote: ['| limit parameter minimum | listPets | 1 |', '| limit parameter maximum | listPets | 100 |'],
  level: 'required',
  requirement: 'Every limit from 1 to 100 is accepted: listPets returns 200.',
  likelyCause:
    'The bounds are checked with < and > instead of <= and >=, the parameter is compared as a string, or only certain page sizes are allowed.',
  // list.filter-with-limit judges lists that have a status too.
  rules: [{ layer: 'status', judge: accepts('limit'), simpler: { clauses: ['list.success'] } }],
  sent: [
    {
      id: 'boundaries',
      title: 'Accepts the smallest, the default, and the largest limit',
      step: 'read',
      needs: ['petList'],
      send: async (s) => s.all([1, 20, 100], (limit) => s.api.list({ limit })),
      fault: 'limit-100-refused',
    },
    {
      id: 'each-limit',
      title: 'Accepts every limit from 1 to 100',
      step: 'large-store',
      exhaustive: true,
      send: eachLimit,
      cases: () => true,
      fault: 'limit-13-refused',
    },
  ],
  met: [
    {
      id: 'every-list-with-limit',
      title: 'Every list with a valid limit returns 200',
      fault: 'limit-over-50-refused',
    },
  ],
});
