import type { Event, World } from '../../src/oracle/world.ts';
import { defineRules } from '../define.ts';
import { largeStore } from '../stimuli/creations.ts';
import { eachLimit } from '../stimuli/lists.ts';
import { holdsBack, listBesideOthers, tooLong } from './lists.ts';

const SMALL_LIMITS = [1, 2, 3];
/** Large and small pages alternate: a cache that ignores the query mixes them up. */
const ALTERNATING = [50, 1, 100, 2, 99, 19, 21, 20];
const NOTHING_HELD_BACK = 'so few animals are known that no limit holds anything back';

/** list.filter-with-limit judges those that have a status too. A limit proves something only if more animals are known than it allows. */
function judgeLimit({ exchange }: Event, world: World) {
  const list = listBesideOthers(exchange);
  if (list === undefined || list.limit === 'absent' || list.status !== 'absent' || list.response.status !== 200) return 'not-applicable';
  return tooLong(list, list.limit) ?? (holdsBack({ limit: list.limit }, world) ? 'holds' : 'not-applicable');
}

export const limitMaximum = defineRules({
  id: 'list.limit-maximum',
  chapter: 'list-pets',
  section: 'Endpoints: 1. List animals',
  quote: ['| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |'],
  level: 'required',
  requirement: 'A list never shows more animals than its limit.',
  likelyCause:
    'The limit does not reach the query, the extra row fetched to detect a next page is not cut off, or a cache ignores the query string.',
  rules: [{ layer: 'values', judge: judgeLimit }],
  sent: [
    {
      id: 'small',
      title: 'Lists do not exceed the limits 1, 2, and 3',
      step: 'read',
      needs: ['petList'],
      send: async (s) => s.all(SMALL_LIMITS, (limit) => s.api.list({ limit })),
      unmet: NOTHING_HELD_BACK,
    },
    {
      id: 'each-limit',
      title: 'Lists do not exceed any limit from 1 to 100',
      step: 'large-store',
      exhaustive: true,
      send: eachLimit,
      cases: () => true,
      unmet: NOTHING_HELD_BACK,
    },
    {
      id: 'alternating',
      title: 'Alternating large and small limits are not mixed up',
      step: 'large-store',
      send: async (s) => {
        await largeStore(s);
        for (const limit of ALTERNATING) await s.api.list({ limit });
      },
      unmet: NOTHING_HELD_BACK,
    },
  ],
  met: [
    {
      id: 'every-list-with-limit',
      title: 'No list exceeds its limit',
    },
  ],
});
