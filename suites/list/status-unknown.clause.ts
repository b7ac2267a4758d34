import { defineRules } from '../define.ts';
import { type OpenList, observeLists, sendLists, statusChoice } from './open-lists.ts';

// The last one has quotation marks and a backslash, which an Error that repeats it must escape.
const STATUSES = ['unknown', '', 'SOLD', ' sold', 'available,sold', 'null', String.raw`"sold\"`];
const LISTS: readonly OpenList[] = STATUSES.map((status) => ({ question: `status=${status}`, parameters: { status } }));

export const statusUnknown = defineRules({
  id: 'list.status-unknown',
  chapter: 'list-pets',
  section: 'Endpoints: 1. List animals',
  quote: [
    '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    'A string with exactly these allowed values: `available`, `pending`, `sold`.',
  ],
  level: 'open',
  requirement:
    'Records the response to a status filter that is not one of the three values. The document lists no 400 for listPets, so the service may reject the filter, ignore it, or return an empty list. An error is still an Error, a 200 is still Pets, and neither is a crash.',
  likelyCause: 'No action needed; ignoring a filter shows clients animals that they did not ask for.',
  sent: [
    {
      id: 'unknown-statuses',
      title: 'Records the response to status filters outside the enum',
      step: 'final',
      needs: ['petList'],
      send: async (s) => sendLists(s, LISTS),
      observe: (events) => observeLists(events, LISTS, statusChoice),
    },
  ],
});
