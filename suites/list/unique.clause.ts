import { defineClause } from '../define.ts';
import { idsIn } from '../judging/lists/list-contents.ts';
import { plainList, twiceIn } from '../judging/lists/list-queries.ts';

export const listUnique = defineClause({
  id: 'list.unique',
  chapter: 'list-pets',
  section: 'Pet (response record)',
  quote: ['| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |'],
  level: 'implied',
  derivation:
    'id is the "Unique identifier" of an animal, and a list shows animals: two items with the same id are one animal, listed twice.',
  requirement: 'No list shows an animal twice.',
  likelyCause: 'A join without DISTINCT, or a page assembled from two overlapping ones.',
  invariants: [
    {
      id: 'distinct-ids',
      title: 'The ids of every list are distinct',
      fault: 'list-repeats-first',
      judge: (exchange) => {
        const list = plainList(exchange);
        // A single animal proves nothing.
        if (list === undefined || (idsIn(exchange).size < 2 && twiceIn(list) === undefined)) return 'not-applicable';
        return twiceIn(list) ?? 'holds';
      },
    },
  ],
});
