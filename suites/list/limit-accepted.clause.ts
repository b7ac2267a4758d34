import { LARGEST_LIMIT } from '../../src/clause/limits.ts';
import { eventOf } from '../../src/oracle/world.ts';
import type { Session } from '../../src/session/session.ts';
import { PET_STATUSES } from '../../src/wire/exchange.ts';
import { defineRules } from '../define.ts';
import { eachLimit } from '../stimuli/lists.ts';
import { accepts } from './lists.ts';

async function aroundStored(s: Session): Promise<void> {
  await s.all([undefined, ...PET_STATUSES], async (status) => {
    const parameters = status === undefined ? {} : { status };
    const { pets = [] } = eventOf(await s.api.list({ ...parameters, limit: LARGEST_LIMIT }));
    if (pets.length === 0 || pets.length >= LARGEST_LIMIT) return;
    const limits = [pets.length - 1, pets.length, pets.length + 1].filter((limit) => limit > 0);
    await s.all(limits, (limit) => s.api.list({ ...parameters, limit }));
  });
}

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
    },
    {
      id: 'as-many-as-stored',
      title: 'Accepts a limit of as many animals as there are, of one more, and of one less',
      step: 'read',
      needs: ['petList'],
      send: aroundStored,
    },
    {
      id: 'each-limit',
      title: 'Accepts every limit from 1 to 100',
      step: 'large-store',
      exhaustive: true,
      send: eachLimit,
      cases: () => true,
    },
  ],
  met: [
    {
      id: 'every-list-with-limit',
      title: 'Every list with a valid limit returns 200',
    },
  ],
});
