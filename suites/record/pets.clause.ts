import type { Event, Rule, World } from '../../src/oracle/world.ts';
import type { ListParameters } from '../../src/session/client/api.ts';
import { statusOf } from '../../src/session/read-exchange.ts';
import { PET_STATUSES } from '../../src/wire/exchange.ts';
import { defineRules } from '../define.ts';
import { ignoringHalts } from '../stimuli/sending.ts';
import { judgeRecord } from './records.ts';

function judgePets(event: Event, world: World): ReturnType<NonNullable<Rule['judge']>> {
  const isAsDocumented = event.intent.operation === 'listPets' && statusOf(event.exchange) === 200;
  return isAsDocumented ? judgeRecord(event, 'pets', world) : 'not-applicable';
}

const ID = 'record.pets';
const LISTS: readonly ListParameters[] = [{}, { limit: 1 }, { limit: 100 }, ...PET_STATUSES.map((status) => ({ status }))];

export const recordPets = defineRules({
  id: ID,
  chapter: 'records',
  section: 'Pets',
  quote: ['A JSON array of Pet records.'],
  level: 'required',
  requirement: 'listPets returns a JSON array whose items are all Pets.',
  likelyCause:
    'The list is wrapped in an envelope, an empty list is null, or lists use a different serializer than single animals; or a creation accepted an invalid value.',
  rules: [{ layer: 'schema', letter: true, judge: judgePets }],
  sent: [
    {
      id: 'lists',
      title: 'Lists with and without parameters are arrays of Pets',
      step: 'read',
      send: async (s) => {
        await ignoringHalts(() => s.fixtures.admitted());
        await s.all(LISTS, (parameters) => s.api.list(parameters));
      },
      // An empty list proves nothing; a list that is not JSON is not judged here.
      cases: ({ event: { asker, pets = [] }, breach }) => asker === `${ID}/lists` && (breach !== undefined || pets.length > 0),
      unmet: 'no list shows an animal, in a body that is JSON',
    },
  ],
  met: [{ id: 'every-list', title: 'Every list is an array of Pets' }],
});
