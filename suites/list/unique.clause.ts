import type { Event, World } from '../../src/oracle/world.ts';
import { isJsonObject } from '../../src/wire/json.ts';
import { defineRules } from '../define.ts';
import { itemsOf, plainList, situationOf } from './lists.ts';

/** A single animal proves nothing. */
function judgeIds({ exchange }: Event, { known }: World) {
  const list = plainList(exchange);
  if (list === undefined) return 'not-applicable';
  const places = new Map<string, number>();
  for (const [index, item] of (itemsOf(list.response) ?? []).entries()) {
    if (!isJsonObject(item) || (typeof item['id'] !== 'number' && typeof item['id'] !== 'bigint')) continue;
    const id = String(item['id']);
    const before = places.get(id);
    // create.id-assigned judges an id that two creations got: these are two animals.
    if (before !== undefined && !known.sharedIds.has(id)) {
      return {
        summary: `${situationOf(list)} returned animal ${id} twice`,
        expected: ['each animal at most once'],
        received: `items ${before} and ${index} have id ${id}`,
        pointer: `/${index}/id`,
        failureKinds: [{ place: '[].id', expected: 'each animal once', received: 'an animal twice' }],
      };
    }
    places.set(id, index);
  }
  return places.size > 1 ? 'holds' : 'not-applicable';
}

export const listUnique = defineRules({
  id: 'list.unique',
  chapter: 'list-pets',
  section: 'Pet (response record)',
  quote: ['| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |'],
  level: 'implied',
  derivation:
    'id is the "Unique identifier" of an animal, and a list shows animals: two items with the same id are one animal, listed twice.',
  requirement: 'No list shows an animal twice.',
  likelyCause: 'A join without DISTINCT, or a page assembled from two overlapping ones.',
  rules: [{ layer: 'values', judge: judgeIds }],
  met: [
    {
      id: 'every-list',
      title: 'The ids of every list are distinct',
    },
  ],
});
