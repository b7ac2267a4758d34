import { isJsonObject } from '../../src/wire/json.ts';
import { defineClause } from '../define.ts';
import { idsIn } from '../judging/lists/ids-in.ts';
import { itemsOf } from '../judging/lists/items-of.ts';
import { type PlainList, plainList, situationOf } from '../judging/lists/plain-list.ts';
import type { Wrong } from '../judging/lists/wrong-list.ts';

/** The first id that one list shows twice. */
function twiceIn(list: PlainList): Wrong | undefined {
  const seen = new Map<string, number>();
  for (const [index, item] of (itemsOf(list.answer) ?? []).entries()) {
    if (!isJsonObject(item) || (typeof item['id'] !== 'number' && typeof item['id'] !== 'bigint')) continue;
    const id = String(item['id']);
    const before = seen.get(id);
    if (before !== undefined) {
      return {
        summary: `${situationOf(list)} returned animal ${id} twice`,
        expected: ['each animal at most once'],
        received: `items ${before} and ${index} have id ${id}`,
        pointer: `/${index}/id`,
      };
    }
    seen.set(id, index);
  }
  return undefined;
}

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
      id: 'every-list',
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
