import { defineRules } from '../define.ts';
import { countChoice, type OpenList, observeLists, sendLists, statusChoice } from './open-lists.ts';

const asked = (query: string): OpenList => ({ question: query, options: { rawQuery: query } });

// Brackets are encoded: RFC 3986, section 3.4, does not allow them in a query, and servers may reject the request line.
const LIMITS = ['limit=1&limit=2', 'limit=2&limit=2', 'limit%5B%5D=2', 'limit=1,2'].map(asked);
const STATUSES = ['status=available&status=sold', 'status=sold&status=sold', 'status%5B%5D=sold'].map(asked);

export const repeatedParameters = defineRules({
  id: 'list.repeated-parameters',
  chapter: 'list-pets',
  section: 'Endpoints: 1. List animals',
  quote: ['Query parameters (all optional):'],
  level: 'open',
  requirement:
    'Records the response to limit and status sent twice, or in the spellings that some frameworks use for arrays. The document shows single values only. An error is still an Error, a 200 is still Pets, and neither is a crash.',
  likelyCause: 'No action needed; make sure that a framework that turns repeated parameters into arrays does not crash.',
  sent: [
    {
      id: 'repeated-parameters',
      title: 'Records the response to repeated parameters',
      step: 'final',
      needs: ['petList'],
      send: async (s) => {
        await sendLists(s, LIMITS);
        await sendLists(s, STATUSES);
      },
      observe: (events) => [...observeLists(events, LIMITS, countChoice), ...observeLists(events, STATUSES, statusChoice)],
    },
  ],
});
