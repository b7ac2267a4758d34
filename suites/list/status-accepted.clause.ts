import { PET_STATUSES } from '../../src/wire/exchange.ts';
import { defineRules } from '../define.ts';
import { accepts } from './lists.ts';

/** In Turkish, the uppercase of i has a dot, so a comparison in uppercase no longer recognizes the statuses. */
const TURKISH = [['accept-language', 'tr-TR']] as const;
const DOTTED = PET_STATUSES.filter((status) => status.includes('i'));

export const statusAccepted = defineRules({
  id: 'list.status-accepted',
  chapter: 'list-pets',
  section: 'Endpoints: 1. List animals',
  quote: [
    '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    'A string with exactly these allowed values: `available`, `pending`, `sold`.',
  ],
  level: 'required',
  requirement: 'Each of available, pending, and sold is accepted as status: listPets returns 200.',
  likelyCause: 'The enum of the query parameter is maintained by hand and lacks a value, or expects another letter case.',
  // list.filter-with-limit judges lists that have a limit too.
  rules: [{ layer: 'status', judge: accepts('status'), simpler: { clauses: ['list.success'] } }],
  sent: [
    {
      id: 'each-status',
      title: 'Accepts each status as a filter',
      step: 'read',
      needs: ['petList'],
      send: async (s) => {
        await s.all(PET_STATUSES, (status) => s.api.list({ status }));
        await s.all(DOTTED, (status) => s.api.list({ status }, { headers: TURKISH }));
      },
    },
  ],
  met: [
    {
      id: 'every-list-with-status',
      title: 'Every list with a valid status returns 200',
    },
  ],
});
