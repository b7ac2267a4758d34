import { GONE_STATUSES, mayBeRemoved } from '../../src/clause/removal.ts';
import { timelineCases } from '../../src/oracle/timelines.ts';
import type { Case, Event, World } from '../../src/oracle/world.ts';
import { isReadOfKnown } from '../../src/oracle/world.ts';
import type { PetView } from '../../src/schema/pet.ts';
import { describeRequest, describeResponse } from '../../src/session/read-exchange.ts';
import { asReceived } from '../../src/wire/exchange.ts';
import { defineRules } from '../define.ts';
import { isOwnedElsewhere } from '../responses.ts';
import { fewOf } from '../stimuli/documented.ts';

const SAMPLE = 12;

/** A read of an animal that is known returns 200. Timelines judge a 404, deprecation.still-works a removed operation. */
function judgeStatus(event: Event, world: World) {
  const letter = asReceived(event.exchange);
  if (!isReadOfKnown(event, world) || letter.outcome.kind === 'failed' || mayBeRemoved(world.known.now)) return 'not-applicable';
  const { answer: response } = letter.outcome;
  if (response.status === 200) return 'holds';
  if (response.status === 404 || GONE_STATUSES.includes(response.status) || isOwnedElsewhere(response)) return 'not-applicable';
  return {
    summary: `${describeRequest(event.exchange)} returned ${response.status} for an animal that exists; expected 200`,
    expected: ['200'],
    received: describeResponse(letter),
  };
}

function isOfCreated({ event: { intent } }: Case, { known }: World): boolean {
  return intent.petId !== undefined && known.created.has(String(intent.petId));
}

/** Animals of each status, and of each sign and size of id, come first. */
function varied(pets: readonly PetView[]): readonly PetView[] {
  const kind = ({ id, status }: PetView): string => `${status} ${id < 0n} ${id > 2n ** 53n} ${id % 2n}`;
  const first = [...new Map(pets.toReversed().map((pet) => [kind(pet), pet])).values()];
  return [...first, ...pets.filter((pet) => !first.includes(pet))].slice(0, SAMPLE);
}

export const getSuccess = defineRules({
  id: 'get.success',
  chapter: 'get-pet',
  section: 'Endpoints: 3. Get an animal (deprecated)',
  quote: ['Success: `200`, body is a Pet.'],
  level: 'required',
  requirement: 'GET /pets/{petId} returns 200 with a Pet for every existing animal.',
  likelyCause:
    'The read path uses a different table, partition, or cache than the list or the creation, or does not handle some status or id range.',
  rules: [
    { layer: 'status', judge: judgeStatus },
    {
      layer: 'history',
      judgeAll: (world) => timelineCases(world, 'get.success'),
      after: ['deprecation.still-works', 'get.identity', 'create.independent', 'get.durable', 'get.repeatable', 'list.read-only'],
    },
  ],
  sent: [
    {
      id: 'listed',
      title: 'Returns 200 for the first listed animal of each status and the last of all',
      step: 'read',
      needs: ['pets'],
      smoke: true,
      send: async (s, { pets }) => s.all(fewOf(pets), ({ id }) => s.fixtures.firstRead(id)),
      cases: () => true,
    },
    {
      id: 'sample',
      title: 'Returns 200 for listed animals of every status and kind of id',
      step: 'read',
      needs: ['pets'],
      send: async (s) => s.all(varied(await s.fixtures.sample(1000)), ({ id }) => s.api.get(id)),
    },
    {
      id: 'created',
      title: 'Returns 200 for created animals, with each status and without one',
      step: 'first-page',
      needs: ['creation'],
      effect: 'write',
      send: async (s) => s.all([...s.knowledge.created.values()].slice(0, SAMPLE), ({ id }) => s.api.get(id)),
      cases: isOfCreated,
    },
    {
      id: 'newest',
      title: 'Returns 200 for the most recently created animal',
      step: 'final',
      effect: 'write',
      send: async (s) => s.api.get((await s.fixtures.create()).id),
      cases: isOfCreated,
    },
  ],
});
