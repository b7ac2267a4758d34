import type { Breach } from '../../src/clause/clause.ts';
import type { Case, Event, World } from '../../src/oracle/world.ts';
import type { PetView } from '../../src/schema/pet.ts';
import { describeResponse } from '../../src/session/read-exchange.ts';
import { BAD_REQUEST, CREATED, LEAST_SERVER_ERROR, NOT_FOUND } from '../../src/wire/statuses.ts';
import { defineRules } from '../define.ts';
import { isOwnedElsewhere } from '../responses.ts';
import { type ClientId, clientIdIn, sendClientIds } from './client-ids.ts';
import { plainIn, shownIn } from './creations.ts';

/** Whether the service assigns the id to several animals, whatever clients send: create.id-assigned judges that. */
const isShared = ({ id }: ClientId, { known }: World): boolean => known.sharedIds.has(String(id));

const ADOPTED = { place: 'id', expected: 'an id of the service', received: 'the id sent' } as const;
const REMOVED = { place: 'animal', expected: 'as it was', received: 'missing' } as const;

function judgeResponse(event: Event, world: World): 'not-applicable' | 'holds' | Breach {
  const { exchange, intent, pet, response, status = 0 } = event;
  const client = clientIdIn(event);
  if (client === undefined || response === undefined || isOwnedElsewhere(response) || intent.limited !== undefined) return 'not-applicable';
  if (isShared(client, world)) return 'not-applicable';
  const expected: Breach['expected'] = ['400 with an Error body', '201 with an id assigned by the service'];
  const received = describeResponse(exchange);
  if (pet !== undefined && pet.id === client.id) {
    const as = client.member === 'id' ? '' : ` as ${client.member}`;
    return {
      summary: `the service adopted id ${client.id}, which the client sent${as}`,
      expected,
      received,
      pointer: '/id',
      failureKinds: [ADOPTED],
    };
  }
  if (status === CREATED) return pet === undefined ? 'not-applicable' : 'holds';
  // If no creation succeeded, the id is probably not the reason for the rejection.
  if (status === BAD_REQUEST) return world.known.created.size === 0 ? 'not-applicable' : 'holds';
  // The document leaves open how a service rejects other properties, and an id with another status than 400.
  if (client.member !== 'id' || intent.body !== 'unusual' || (status > BAD_REQUEST && status < LEAST_SERVER_ERROR)) return 'not-applicable';
  return { summary: `POST /pets with id ${client.id} in the body returned ${status}; expected 201 or 400`, expected, received };
}

type Claim = ClientId & { readonly event: Event };

type Sights = readonly { readonly event: Event; readonly pet: PetView }[];

function findUnderId({ event }: Claim, sights: Sights): Event | undefined {
  const name = event.intent.sent?.name;
  return sights.find(({ pet }) => pet.name !== undefined && pet.name === name)?.event;
}

/** The last read that returns 404 for an animal that had the id before the creation and that nothing has shown since. */
function findLost({ id, event }: Claim, sights: Sights, { events }: World): Event | undefined {
  if (event.status !== CREATED || sights.length === 0 || sights.some((sight) => sight.event.sent >= event.sent)) return undefined;
  return events.findLast(({ intent, sent, status }) => intent.petId === id && sent >= event.done && status === NOT_FOUND);
}

function judgeStored(world: World): readonly Case[] {
  const { events } = world;
  const claims = events.flatMap((event) => {
    const client = clientIdIn(event);
    return client === undefined || isShared(client, world) ? [] : [{ ...client, event }];
  });
  const claimed = new Set(claims.map(({ id }) => id));
  const shown = events.flatMap((event) => shownIn(event).flatMap((pet) => (claimed.has(pet.id) ? [{ event, pet }] : [])));
  return claims.flatMap((claim): readonly Case[] => {
    const { id, event } = claim;
    const sights = shown.filter(({ pet }) => pet.id === id);
    const [under, lost] = [findUnderId(claim, sights), findLost(claim, sights, world)];
    const exchanges = (last: Event) => ({ exchanges: [event.exchange, last.exchange] }) as const;
    if (under !== undefined) {
      const summary = `the new animal is stored under id ${id}, which the client sent`;
      const received = describeResponse(under.exchange);
      return [
        {
          event: under,
          breach: {
            summary,
            expected: ['404, or a different animal'],
            received,
            pointer: '/id',
            failureKinds: [ADOPTED],
            ...exchanges(under),
          },
        },
      ];
    }
    if (lost !== undefined) {
      const summary = `a creation with the id of animal ${id} removed that animal`;
      const breach = { summary, expected: [`animal ${id} as it was`], received: '404', failureKinds: [REMOVED], ...exchanges(lost) };
      return [{ event: lost, animal: id, breach }];
    }
    return events.flatMap((one) =>
      one.intent.petId === id && one.sent >= event.done && one.response !== undefined ? [{ event: one }] : [],
    );
  });
}

const isCreation = ({ event }: Case): boolean => event.intent.operation === 'createPet';

export const createIdNotAdopted = defineRules({
  id: 'create.id-not-adopted',
  chapter: 'create-pet',
  section: 'Pet (response record)',
  quote: ['| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |'],
  level: 'required',
  requirement:
    'The client never supplies the id: createPet rejects a NewPet with an id with 400 or ignores the id, and an animal that already has the id stays unchanged.',
  likelyCause:
    "The whole request is bound to the stored record, so save() inserts it under the client's id or overwrites the animal that has it.",
  rules: [
    {
      layer: 'values',
      judge: judgeResponse,
      simpler: { clauses: ['create.success'], isTwin: (simpler) => plainIn(simpler) !== undefined },
    },
    {
      layer: 'history',
      judgeAll: judgeStored,
      after: ['get.durable', 'get.repeatable', 'get.success', 'list.read-only', 'get.identity', 'create.refused-stores-nothing'],
    },
  ],
  sent: [
    {
      id: 'response',
      title: 'Rejects or ignores an id in the body, existing or unused',
      step: 'large-store',
      needs: ['creation'],
      effect: 'write',
      send: (s) => sendClientIds(s),
      cases: isCreation,
    },
    {
      id: 'stored',
      title: 'An id in the body does not determine where the animal is stored, and overwrites no animal',
      step: 'large-store',
      needs: ['creation'],
      effect: 'write',
      send: async (s) => s.all(await sendClientIds(s), ({ id }) => s.api.get(id)),
      cases: (one) => !isCreation(one),
    },
  ],
  met: [
    {
      id: 'every-201',
      title: 'No 201 shows the id that the client sent',
      cases: isCreation,
    },
  ],
});
