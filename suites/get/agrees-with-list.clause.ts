import { timelineCases } from '../../src/oracle/timelines.ts';
import { petViews } from '../../src/schema/pet.ts';
import type { ListParameters } from '../../src/session/client/api.ts';
import type { Session } from '../../src/session/session.ts';
import { PET_STATUSES } from '../../src/wire/exchange.ts';
import { defineRules } from '../define.ts';

const SAMPLE = 12;
const CROWD = 30;
const NONE = 'no animal was both listed and read';

/** Reads animals from the start to the end of lists with several limits and statuses, alternating: the first of each list, then the next. */
async function readListed(s: Session, most: number): Promise<void> {
  const queries: ListParameters[] = [
    {},
    { limit: 1 },
    { limit: 7 },
    { limit: 100 },
    ...PET_STATUSES.flatMap((status) => [{ status }, { status, limit: 100 }]),
  ];
  const lists = await s.all(s.portion(queries), (parameters) => s.api.list(parameters));
  const each = Math.max(2, Math.ceil(most / queries.length));
  const chosen = lists.map(({ outcome }): readonly bigint[] => {
    if (outcome.kind === 'failed' || !outcome.answer.json.ok || !Array.isArray(outcome.answer.json.value)) return [];
    const pets = petViews(outcome.answer.json.value);
    const step = Math.max(1, (pets.length - 1) / (each - 1));
    const places = new Set(Array.from({ length: Math.min(each, pets.length) }, (_unused, index) => Math.round(index * step)));
    return [...places].flatMap((place) => pets[place]?.id ?? []);
  });
  const ids = Array.from({ length: each }, (_unused, turn) => chosen.flatMap((list) => list[turn] ?? [])).flat();
  await s.all([...new Set(ids)].slice(0, most), (id) => s.api.get(id));
}

export const getAgreesWithList = defineRules({
  id: 'get.agrees-with-list',
  chapter: 'get-pet',
  section: 'Endpoints: 1. List animals; 3. Get an animal (deprecated)',
  quote: [
    'Success: `200`, body is a Pets array (array of Pet).',
    'Success: `200`, body is a Pet.',
    '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
  ],
  level: 'implied',
  derivation:
    'listPets returns Pet records, getPet returns the Pet record with a given id, and ids are unique. So both show the same record for the same id, and getPet finds every id that a list shows.',
  requirement: 'getPet shows an animal with the same name, category, and status as every list that shows it.',
  likelyCause:
    'The list and the single read use different queries, serializers, or caches. Compare what each of them selects and converts.',
  rules: [
    {
      layer: 'history',
      judgeAll: (world) => timelineCases(world, 'get.agrees-with-list'),
      after: ['list.read-only', 'get.repeatable', 'list.status-filter', 'get.identity', 'get.durable', 'create.id-assigned'],
    },
  ],
  sent: [
    {
      id: 'first-page',
      title: 'getPet shows the first and the last listed animal as the list does',
      step: 'read',
      needs: ['petList'],
      send: async (s, { petList: { pets } }) => {
        const ends = new Set([pets[0]?.id, pets.at(-1)?.id].filter((id) => id !== undefined));
        await s.all([...ends], (id) => s.api.get(id));
      },
      cases: () => true,
      unmet: NONE,
    },
    {
      id: 'sample',
      title: 'getPet shows animals as lists with various limits and statuses do',
      step: 'read',
      needs: ['pets'],
      exhaustive: true,
      send: async (s) => readListed(s, SAMPLE),
      unmet: NONE,
    },
    {
      id: 'large-store',
      title: 'getPet shows animals of a large store as the lists do',
      step: 'final',
      needs: ['pets'],
      exhaustive: true,
      send: async (s) => readListed(s, CROWD),
      unmet: NONE,
    },
  ],
});
