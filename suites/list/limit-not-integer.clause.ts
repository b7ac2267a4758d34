import { defineRules } from '../define.ts';
import { countChoice, type OpenList, observeLists, sendLists } from './open-lists.ts';

// The leading digit distinguishes a lenient parser (5) from a fallback to the default.
const LIMITS = ['abc', '', '1.5', '5.0', '+5', '05', '5abc', '5e0', '５'];
const LISTS: readonly OpenList[] = LIMITS.map((limit) => ({ question: `limit=${limit}`, parameters: { limit } }));

export const limitNotInteger = defineRules({
  id: 'list.limit-not-integer',
  chapter: 'list-pets',
  section: 'Endpoints: 1. List animals',
  quote: ['| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |'],
  level: 'open',
  requirement:
    'Records the response to a limit that is not an integer, or is spelled unusually. The document types limit as an integer and does not state the response to anything else. An error is still an Error, a 200 is still Pets, and neither is a crash.',
  likelyCause: 'No action needed; silently ignoring a limit hides mistakes in clients.',
  sent: [
    {
      id: 'non-integer-limits',
      title: 'Records the response to limits that are not plain integers',
      step: 'final',
      needs: ['petList'],
      send: async (s) => sendLists(s, LISTS),
      observe: (events) => observeLists(events, LISTS, countChoice),
    },
  ],
});
