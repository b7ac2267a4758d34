import { LARGEST_LIMIT } from '../../src/clause/limits.ts';
import { timelineCases } from '../../src/oracle/timelines.ts';
import type { Case, World } from '../../src/oracle/world.ts';
import type { PetView } from '../../src/schema/pet.ts';
import type { Session } from '../../src/session/session.ts';
import { PET_STATUSES } from '../../src/wire/exchange.ts';
import { defineRules } from '../define.ts';
import { onConnection } from '../stimuli/sending.ts';

const TIMES = 3;
const ANIMALS = 3;
const PAIR = 2;
const CREATED = 2;
const CODINGS = { headers: [['accept-encoding', 'gzip, deflate, br']] } as const;

function pairs(pets: readonly PetView[]): readonly PetView[] {
  return [undefined, ...PET_STATUSES].flatMap((status) => pets.filter((pet) => pet.status === status).slice(0, PAIR));
}

async function readInTurn(s: Session, animals: readonly { readonly id: bigint }[]): Promise<void> {
  await s.all(animals, async ({ id }) => {
    for (let time = 0; time < TIMES; time += 1) await s.api.get(id);
  });
}

async function readBetweenLists(s: Session): Promise<void> {
  const listed = [...s.knowledge.seen.values()];
  const middle = Math.floor(listed.length / 2);
  for (const { id } of listed.slice(middle, middle + PAIR)) {
    await s.api.list({ limit: LARGEST_LIMIT });
    await s.api.get(id);
    await s.api.list({ limit: LARGEST_LIMIT });
  }
}

async function readOnNewConnection(s: Session, { id }: PetView): Promise<void> {
  await onConnection(s, async (connection) => {
    for (const client of [{}, {}, CODINGS, {}]) await s.api.get(id, { connection, ...client });
  });
}

/**
 * Reads of an id that two animals share. A single store shows one of them, or the other one from some moment on, which create.id-assigned
 * judges; two stores, each with its own data, alternate.
 */
function shownInTurn({ events, known }: World): readonly Case[] {
  const reads = events.filter(({ pet, intent: { operation, petId } }) => operation === 'getPet' && pet !== undefined && pet.id === petId);
  const shared = reads.filter(({ pet, intent }) => intent.credential === 'valid' && known.sharedIds.has(String(pet?.id)));
  return [...Map.groupBy(shared, ({ pet }) => pet?.id ?? 0n)].flatMap(([animal, all]) => {
    const inOrder = all.toSorted((a, b) => a.number - b.number);
    const changes = inOrder.filter((event, index) => index > 0 && event.pet?.name !== inOrder[index - 1]?.pet?.name);
    const event = changes.at(-1);
    const before = event === undefined ? undefined : inOrder[inOrder.indexOf(event) - 1];
    const names = new Set(inOrder.map(({ pet }) => pet?.name));
    if (event === undefined || before === undefined || changes.length < names.size) return [];
    const [first, second] = [before, event].map(({ pet }) => JSON.stringify(pet?.name));
    const breach = {
      summary: `GET /pets/${animal} shows ${first} and ${second} in turn`,
      expected: ['one animal with that id'],
      received: `name ${second}`,
      failureKinds: [{ place: 'animal', expected: 'one animal', received: 'several in turn' }],
      exchanges: [before.exchange, event.exchange],
    };
    return [{ event, animal, others: [before], breach }];
  });
}

export const getRepeatable = defineRules({
  id: 'get.repeatable',
  chapter: 'get-pet',
  section: 'Endpoints: 3. Get an animal (deprecated)',
  quote: ['Success: `200`, body is a Pet.', 'Transitions: not shown.'],
  level: 'implied',
  derivation:
    'getPet is a GET that returns the record with an id. GET is safe (RFC 9110, section 9.2.1), and the document shows no transition caused by reading. So two reads with nothing in between show the same record.',
  requirement: 'Repeated reads of an animal show the same name, category, and status, and change nothing.',
  likelyCause: 'Reading has a side effect, or replicas and caches hold different versions of the animal.',
  rules: [
    {
      layer: 'history',
      judgeAll: (world) => timelineCases(world, 'get.repeatable'),
      after: ['get.identity'],
    },
    { layer: 'history', judgeAll: shownInTurn },
  ],
  sent: [
    {
      id: 'sequentially',
      title: 'Three reads of a listed animal return the same record',
      step: 'more-reads',
      needs: ['pets'],
      exhaustive: true,
      send: async (s, { pets }) => {
        const turns = [...pairs(pets).map((pet) => () => readInTurn(s, [pet])), () => readBetweenLists(s)];
        await s.all(s.portion(turns), (turn) => turn());
      },
      cases: () => true,
    },
    {
      id: 'concurrently',
      title: 'Concurrent reads of a listed animal return the same record',
      step: 'more-reads',
      needs: ['pets'],
      exhaustive: true,
      send: async (s, { pets }) => {
        const reads = pairs(pets)
          .slice(0, ANIMALS)
          .flatMap((pet) => Array.from({ length: TIMES }, () => pet));
        await s.all(reads, ({ id }) => s.api.get(id));
      },
    },
    {
      id: 'created',
      title: 'Three reads of a created animal return the same record',
      step: 'first-page',
      needs: ['creation'],
      effect: 'write',
      send: async (s) => readInTurn(s, [...s.knowledge.created.values()].slice(0, CREATED)),
    },
    {
      id: 'new-connection',
      title: 'Reads of a created animal on a new connection return the same record, whatever codings are accepted',
      step: 'first-page',
      needs: ['creation'],
      effect: 'write',
      // Other clients may change an animal once.
      send: async (s) =>
        s.all(pairs([...s.knowledge.created.values()].map(({ answered }) => answered)), (pet) => readOnNewConnection(s, pet)),
    },
  ],
});
