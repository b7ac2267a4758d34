import { defineRules } from '../define.ts';
import { countChoice, type OpenList, observeLists, sendLists } from './open-lists.ts';

const LIMITS = ['0', '-1', '101', '1000', '2147483648', '9223372036854775808'];
const LISTS: readonly OpenList[] = LIMITS.map((limit) => ({ question: `limit=${limit}`, parameters: { limit } }));

export const limitOutOfRange = defineRules({
  id: 'list.limit-out-of-range',
  chapter: 'list-pets',
  section: 'Limits',
  quote: ['A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.'],
  level: 'open',
  requirement:
    'Records the response to a limit outside 1 to 100, which "violates the declared bounds; the resulting response is not stated". It may be rejected, clamped to the nearest bound, replaced by the default, or used as it is. An error is still an Error, a 200 is still Pets, and neither is a crash.',
  likelyCause: 'No action needed; 400 serves most clients best.',
  sent: [
    {
      id: 'limits-out-of-range',
      title: 'Records the response to limits below 1 and above 100',
      step: 'final',
      needs: ['petList'],
      send: async (s) => sendLists(s, LISTS),
      observe: (events) => observeLists(events, LISTS, countChoice),
    },
  ],
});
