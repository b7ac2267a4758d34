import { DEFAULT_LIMIT, LARGEST_LIMIT } from '../../src/clause/limits.ts';
import { stalePages } from '../../src/oracle/default-page.ts';
import { timelineCases } from '../../src/oracle/timelines.ts';
import { eventOf } from '../../src/oracle/world.ts';
import { isInt64 } from '../../src/schema/validators.ts';
import type { Session } from '../../src/session/session.ts';
import { PET_STATUSES } from '../../src/wire/exchange.ts';
import { defineRules } from '../define.ts';
import { largeStore } from '../stimuli/creations.ts';
import { eachLimit } from '../stimuli/lists.ts';
import { onConnection } from '../stimuli/sending.ts';
import { askWhole, FIRST_LISTS, TWINS } from './lists.ts';

const FULL = "the pages are full, and an animal on a later page can't be seen";
const STATUS = 'sold';
const NEXT = [-2n, -1n, 1n, 2n];
const MOST_NEIGHBORS = 8;
const ROUNDS = 3;
const MOST_UNSEEN = 80;
const SAME_NAMES = 'list.complete/same-names';
/** Combines with the letter before it. */
const ACCENT = '\u0301';

/** Parameters of the query string where the document does not show them. */
const HEADERS = [
  ['limit', '1'],
  ['status', STATUS],
  ['x-limit', '1'],
  ['x-status', STATUS],
  ['cookie', `limit=1; status=${STATUS}`],
] as const;

function neighbors(listed: readonly bigint[]): readonly bigint[] {
  const sorted = listed.toSorted((a, b) => (a < b ? -1 : 1));
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined) return [];
  const known = new Set(listed);
  const near = [...new Set(sorted.flatMap((id) => NEXT.map((step) => id + step)))].filter((id) => isInt64(id) && !known.has(id));
  const isInside = (id: bigint): boolean => id > first && id < last;
  return [...near.filter(isInside), ...near.filter((id) => !isInside(id))].slice(0, MOST_NEIGHBORS);
}

async function readNeighbors(s: Session): Promise<void> {
  const pets = await s.fixtures.recognized();
  await s.api.list({ limit: 100 });
  await s.all(neighbors(pets.map(({ id }) => id)), (id) => s.api.get(id));
  await s.api.list({ limit: 100 });
}

async function createAndList(s: Session): Promise<void> {
  const lists = [{}, { limit: 100 }, { status: STATUS }];
  await s.all(lists, (parameters) => s.api.list(parameters));
  for (let round = 0; round < ROUNDS; round += 1) {
    await s.api.create({ value: await s.fixtures.plain(STATUS) }, { domain: 'plain' });
    await s.all(lists, (parameters) => s.api.list(parameters));
  }
}

async function createNamesakes(s: Session): Promise<void> {
  const sent = await s.fixtures.plain(STATUS);
  await s.api.create({ value: sent }, { domain: 'plain' });
  const inCapitals = sent.name.slice(0, -3) + sent.name.slice(-3).toUpperCase();
  for (const name of [sent.name, inCapitals, `${sent.name}${ACCENT}`]) await s.api.create({ value: { ...sent, name } }, { domain: 'open' });
  await s.all([{ status: STATUS, limit: 100 }, { limit: 100 }], (parameters) => s.api.list(parameters));
}

const CODINGS = ['gzip', 'deflate', 'br'];

/** Pages in each content coding, twice on one connection: a compressor may be kept from one to the next. */
async function compressedInARow(s: Session): Promise<void> {
  await onConnection(s, async (connection) => {
    for (const coding of CODINGS)
      for (const limit of [LARGEST_LIMIT, LARGEST_LIMIT - 1])
        await s.api.list({ limit }, { connection, headers: [['accept-encoding', coding]] });
  });
}

async function lookForEach(s: Session): Promise<void> {
  await largeStore(s);
  // Not by a probe: its turns have no place for a row on one connection.
  if (!s.options.readOnly) await compressedInARow(s);
  const whole = (await askWhole(s)).map(eventOf);
  // Shorter pages prove nothing: nobody knows which animals come first.
  const exact = whole.filter(({ pets = [] }) => pets.length > DEFAULT_LIMIT && pets.length < LARGEST_LIMIT);
  await s.all(exact, ({ pets = [], intent }) =>
    s.api.list({ limit: pets.length, ...(intent.status === 'absent' || intent.status === 'open' ? {} : { status: intent.status }) }),
  );
  const unseen = [...s.knowledge.created.values()].filter(({ id }) => !s.knowledge.listed.has(String(id)));
  await s.all(unseen.slice(0, MOST_UNSEEN), ({ id }) => s.api.get(id));
}

export const listComplete = defineRules({
  id: 'list.complete',
  chapter: 'list-pets',
  section: 'Endpoints: 1. List animals',
  quote: [
    'Clients list animals, add an animal, and read one animal by identifier.',
    '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    'The operation is described as returning a paginated list. The parameters and fields that select a later page: not shown.',
  ],
  level: 'implied',
  derivation:
    'createPet adds an animal and listPets lists animals; without a status, it lists all of them ("none (no filtering)"). So a created animal is listed, within the consistency window granted to a distributed store. Paging is not shown, so only a page with room to spare (empty, or shorter than the default of 20) can prove that an animal is omitted, and an animal that cannot be read either is on no page. A longer page may be cut anywhere, but not exactly between the animals of one status and all others created with them.',
  requirement: 'Every existing animal is listed, and a store with animals never returns an empty list.',
  likelyCause:
    'The list comes from a cache, an index, or a replica that does not learn of the creation; a join drops rows; or the last row of a page is cut off.',
  rules: [
    {
      layer: 'history',
      judgeAll: (world) => [...timelineCases(world, 'list.complete'), ...stalePages(world)],
      after: [
        'get.durable',
        'create.id-assigned',
        'list.unique',
        'list.status-filter',
        'list.read-only',
        'get.repeatable',
        'create.independent',
        'list.filter-with-limit',
        'list.limit-default',
        'list.limit-maximum',
      ],
    },
  ],
  sent: [
    {
      id: 'created',
      title: 'Lists show the first animals created, with each status and without one',
      step: 'first-page',
      needs: ['creation'],
      effect: 'write',
      send: async (s) => s.all(FIRST_LISTS, (parameters) => s.api.list(parameters)),
      unmet: FULL,
    },
    {
      id: 'as-filtered',
      title: 'The unfiltered list shows the animals that filtered lists show',
      step: 'read',
      needs: ['petList'],
      exhaustive: true,
      send: async (s) => {
        await s.all(TWINS, (parameters) => s.api.list(parameters));
        await s.all(PET_STATUSES, (status) => s.api.list({ status }));
      },
      cases: ({ animal }, { known }) => animal !== undefined && !known.created.has(String(animal)),
      unmet: FULL,
    },
    {
      id: 'adjacent-ids',
      title: 'Existing animals whose ids are adjacent to listed ones are listed too',
      step: 'read',
      needs: ['petList'],
      send: readNeighbors,
      unmet: FULL,
    },
    {
      id: 'beside-headers',
      title: 'A limit and a status in headers and cookies have no effect on the list',
      step: 'read',
      needs: ['petList'],
      send: async (s) => s.api.list({}, { headers: HEADERS }),
      unmet: FULL,
    },
    {
      id: 'requested-before',
      title: 'A list that was requested before shows an animal created since',
      step: 'write',
      exhaustive: true,
      effect: 'write',
      send: createAndList,
      unmet: FULL,
    },
    {
      id: 'same-names',
      title: 'Animals that share a name, where the service allows that, are all listed',
      step: 'write',
      needs: ['creation'],
      effect: 'write',
      send: createNamesakes,
      cases: ({ animal }, { known }) => known.created.get(String(animal))?.exchange.request.asker === SAME_NAMES,
      unmet: FULL,
    },
    {
      id: 'stale-lists',
      title: 'No list still shows the initial animals of the run while an equivalent list shows newer ones',
      step: 'final',
      needs: ['petList'],
      effect: 'write',
      send: async (s) => {
        await largeStore(s);
        for (let round = 0; round < ROUNDS; round += 1) await s.all(TWINS, (parameters) => s.api.list(parameters));
      },
      unmet: FULL,
    },
    {
      id: 'room-for-first-animals',
      title: 'The largest lists show the animals created without a status up to the end of the run',
      step: 'final',
      effect: 'write',
      send: async (s) => s.api.list({ limit: 100 }),
      cases: ({ animal }, { known }) => known.created.get(String(animal))?.sent.status === undefined,
      unmet: FULL,
    },
    {
      id: 'none-lost',
      title: 'Each of many created animals is listed, or at least can be read',
      step: 'large-store',
      exhaustive: true,
      effect: 'write',
      send: lookForEach,
      unmet: FULL,
    },
    {
      id: 'never-empty',
      title: 'No limit from 1 to 100 returns an empty list from a store with animals',
      step: 'large-store',
      needs: ['petList'],
      exhaustive: true,
      send: eachLimit,
      cases: () => true,
      unmet: FULL,
    },
  ],
  met: [
    {
      id: 'every-unfiltered-list',
      title: 'No unfiltered list of the run omits an animal that it has room for',
    },
  ],
});
