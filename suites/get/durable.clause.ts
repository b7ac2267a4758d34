import { timelineCases } from '../../src/oracle/timelines.ts';
import { equivalentsOf } from '../../src/session/client/equivalent.ts';
import type { Session } from '../../src/session/session.ts';
import { defineRules } from '../define.ts';
import { newestBeforePause } from '../stimuli/company.ts';

const NONE_READ_TWICE = 'no animal was read twice';
const MOST = 48;
const STRANGERS = 8;

function spread<Item>(items: readonly Item[], most: number): readonly Item[] {
  if (items.length <= most) return items;
  const places = new Set(Array.from({ length: most }, (_unused, index) => Math.round((index * (items.length - 1)) / (most - 1))));
  return items.filter((_unused, index) => places.has(index));
}

/** Whether a service allows a second animal with the name is open. */
async function createTwin(s: Session): Promise<void> {
  const { id, sent } = await s.fixtures.create('sold');
  await s.api.get(id);
  await s.fixtures.create();
  await s.api.get(id);
  await s.api.create({ value: { ...sent, status: 'available' } }, { domain: 'open' });
  await s.api.get(id);
  await s.api.get(id);
}

/** With the three of the twin, ten in a row: a defect of every tenth creation shows. */
const IN_A_ROW = 7;

async function createInARow(s: Session): Promise<void> {
  const ids: bigint[] = [];
  for (let turn = 0; turn < IN_A_ROW; turn += 1) {
    // Neither list by status outgrows the largest page: most other animals are available.
    const { id } = await s.fixtures.create(turn % 2 === 0 ? 'pending' : 'sold');
    await s.api.get(id);
    ids.push(id);
  }
  await s.all(ids, (id) => s.api.get(id));
}

async function readAtTheEnd(s: Session): Promise<void> {
  const created = spread([...s.knowledge.created.keys()].map(BigInt), MOST);
  const listed = (await s.fixtures.recognized()).map(({ id }) => id).filter((id) => !s.knowledge.created.has(String(id)));
  const equivalent = equivalentsOf('read', s.options.seed);
  await s.all(created, (id, turn) => s.api.get(id, equivalent(turn)));
  const newest = (await newestBeforePause(s)).filter((id) => !created.includes(id));
  await s.all(newest, (id) => s.api.get(id));
  await s.all(spread(listed, STRANGERS), (id) => s.api.get(id));
}

export const getDurable = defineRules({
  id: 'get.durable',
  chapter: 'get-pet',
  section: 'Endpoints: 2. Add an animal; 3. Get an animal (deprecated)',
  quote: [
    'Success: `201`, body is the created Pet, including the assigned `id`.',
    '`404` with an Error body when the animal does not exist.',
    'Transitions: not shown.',
  ],
  level: 'implied',
  derivation:
    'A 201 says that the animal was created with an id, getPet returns 404 only when an animal does not exist, and the interface has no operation that removes or changes one. So every animal that the suite created still exists, unchanged, at the end of the run.',
  requirement:
    'At the end of the run, every created animal still exists with its name, category, and status, and creations have not evicted other animals.',
  likelyCause:
    'The store is a cache or the memory of one worker, a transaction was rolled back after its response, or a later creation overwrites an earlier record.',
  rules: [
    {
      layer: 'history',
      judgeAll: (world) => timelineCases(world, 'get.durable'),
      after: ['create.id-assigned', 'create.independent', 'list.read-only', 'get.repeatable', 'list.unique'],
    },
  ],
  sent: [
    {
      id: 'same-name',
      title: 'Creating another animal, and one with the same name, leaves an animal unchanged',
      step: 'write',
      effect: 'write',
      send: async (s) => {
        await s.all([createTwin, createInARow], (create) => create(s));
      },
      cases: () => true,
      unmet: NONE_READ_TWICE,
    },
    {
      id: 'at-the-end',
      title: 'Created animals still exist, unchanged, at the end of the run',
      step: 'final',
      exhaustive: true,
      effect: 'write',
      send: readAtTheEnd,
      unmet: NONE_READ_TWICE,
    },
  ],
  met: [
    {
      id: 'every-read',
      title: 'No animal that was found once is missing or changed later',
    },
  ],
});
