import { GONE } from '../../src/arbitraries/store-model.ts';
import { haltInconclusive, inconclusive } from '../../src/clause/halt.ts';
import type { Finding, Outcome } from '../../src/clause/outcome.ts';
import { describeAnswer, finding, petsOf, statusOf } from '../../src/expect/expect.ts';
import { agreeOn, type PetView } from '../../src/schema/pet.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { defineClause } from '../define.ts';
import { failsListed } from '../get/existing.ts';
import { isListed } from '../get/reading.ts';
import { readBack, showName } from '../judging/creations/read-back.ts';
import { judgeModel } from '../judging/judge-model.ts';
import { conclude, settle } from '../judging/judge-rows.ts';
import { unlessInTurmoil } from '../judging/lists/concurrent-changes.ts';
import { hasRoom, missingFrom, pollList } from '../judging/lists/list-contents.ts';
import { askLargest, askList } from '../judging/lists/list-queries.ts';
import { judgeAfterFilter } from './after-filter.ts';

const REPEATS = 3;
const AT_ONCE = 6;
const ROUNDS = 6;
const LEAST_ROUNDS = 2;
const OFTEN = 3;
const FEW_GONE = 3;
const MODEL_ANIMALS = 12;
const WATCHED = 6;

type Sighting = { readonly pet: PetView; readonly list: Exchange };

/** An animal with a different name or category in a later list: neither can change. Its status can, through store orders. */
function renamed(lists: readonly Exchange[]): Finding | undefined {
  const first = new Map<bigint, Sighting>();
  for (const list of lists) {
    for (const pet of petsOf(list)) {
      const before = first.get(pet.id);
      if (before !== undefined && !(agreeOn('name', before.pet, pet) && agreeOn('categoryId', before.pet, pet))) {
        return finding([before.list, list], {
          summary: `animal ${pet.id} is ${showName(before.pet.name)} in category ${before.pet.categoryId} in one list, but ${showName(pet.name)} in category ${pet.categoryId} in the next`,
          expected: ['the same name and category in both'],
          received: `${showName(pet.name)} in category ${pet.categoryId}`,
        });
      }
      first.set(pet.id, { pet, list });
    }
  }
  return undefined;
}

/**
 * An animal that a list shows and a later list with room omits, although it still exists: getPet finds it, and a list shows it
 * again. Sequential lists come first; concurrent ones are later only than these.
 */
async function flickering(s: Session, lists: readonly Exchange[]): Promise<Finding | undefined> {
  for (const [index, list] of lists.entries()) {
    const earlier = lists.slice(0, Math.min(index, REPEATS));
    const before = earlier.find((other) => hasRoom(list) && missingFrom(list, petsOf(other)).length > 0);
    const [suspect] = before === undefined ? [] : missingFrom(list, petsOf(before));
    if (before === undefined || suspect === undefined) continue;
    const { pet, exchange } = await readBack(s, suspect.id);
    const again = await pollList(s, { limit: 100 }, [suspect]);
    if (pet === undefined || missingFrom(again, [suspect]).length > 0) continue;
    return finding([before, list, exchange, again], {
      summary: `animal ${suspect.id} is in one list, missing from a later one with room, and then listed again`,
      expected: [`animal ${suspect.id} in each list`],
      received: `${petsOf(list).length} animals in between, ${petsOf(before).length} before`,
    });
  }
  return undefined;
}

/**
 * Animals that the run has listed and that are no longer listed or found. The document shows no way to remove one, but other
 * areas of the service may have one: a single animal that disappears is not a finding, several are.
 */
async function vanished(s: Session, known: readonly PetView[]): Promise<Finding | undefined> {
  const list = await askLargest(s);
  if (!hasRoom(list)) return undefined;
  const missing = missingFrom(list, known).slice(0, FEW_GONE + 2);
  if (missing.length < FEW_GONE) return undefined;
  const reads = await s.all(missing, ({ id }) => readBack(s, id));
  const gone = reads.filter(({ pet }) => pet === undefined);
  const [first, ...rest] = gone.map(({ exchange }) => exchange);
  if (first === undefined || gone.length < FEW_GONE) return undefined;
  return finding([first, ...rest, list], {
    summary: `${gone.length} previously listed animals are no longer listed or found`,
    expected: ['listing leaves the animals in the store'],
    received: describeAnswer(list),
  });
}

/** A few of the animals that lists have shown. */
async function severalOf(s: Session): Promise<readonly bigint[]> {
  const sample = await s.fixtures.sample(Number.MAX_SAFE_INTEGER);
  return sample.slice(0, WATCHED).map(({ id }) => id);
}

/** Whether statuses change as often while nobody lists, over the same time: then other clients change them. */
async function othersChange(s: Session, { ids, listed }: { ids: readonly bigint[]; listed: number }): Promise<boolean> {
  const statuses = async () => {
    let reads = await s.all(ids, (id) => readBack(s, id));
    const [first] = reads;
    const begin = first?.exchange.timings.startedAt ?? 0;
    while (reads.some(({ exchange: { timings } }) => timings.startedAt + timings.duration - begin < listed))
      reads = await s.all(ids, (id) => readBack(s, id));
    return reads.map(({ pet }) => pet?.status);
  };
  let changes = 0;
  let before = await statuses();
  for (let round = 0; round < ROUNDS; round += 1) {
    const after = await statuses();
    if (after.some((status, index) => status !== before[index])) changes += 1;
    before = after;
  }
  return changes >= OFTEN;
}

/** A finding when the status of an animal keeps changing across lists. One change may be a store order; one per list is not. */
async function restless(s: Session, id: bigint): Promise<Finding | undefined> {
  const exchanges: Exchange[] = [];
  let changes = 0;
  let before = await readBack(s, id);
  for (let round = 0; round < ROUNDS && (round < LEAST_ROUNDS || changes > 0); round += 1) {
    const list = await askList(s);
    const after = await readBack(s, id);
    if (before.pet === undefined || after.pet === undefined) return undefined;
    if (!agreeOn('status', before.pet, after.pet)) {
      changes += 1;
      exchanges.push(before.exchange, list, after.exchange);
    }
    before = after;
  }
  const [first, ...rest] = exchanges;
  if (changes < OFTEN || first === undefined) return undefined;
  const listed = Math.max(...exchanges.map(({ timings }) => timings.duration));
  if (await othersChange(s, { ids: await severalOf(s), listed })) return undefined;
  return finding([first, ...rest], {
    summary: `the status of animal ${id} changed during ${changes} of ${ROUNDS} list requests`,
    expected: ['the same status before and after'],
    received: `${changes} changes`,
  });
}

/** The outcome, unless it is a failure about a single animal of another client that is gone for good: one may be removed at any time. */
async function unlessTakenAway(s: Session, outcome: Outcome): Promise<Outcome> {
  if (outcome.kind !== 'fail' || !outcome.findings.every(({ summary }) => summary.includes(GONE))) return outcome;
  const ids = outcome.findings.flatMap(({ exchanges }) =>
    exchanges.flatMap((exchange) => (statusOf(exchange) === 404 ? [exchange.request.intent.petId] : [])),
  );
  const id = ids.filter((petId) => petId !== undefined).at(-1);
  if (id === undefined) return outcome;
  const { pet } = await readBack(s, id);
  if (pet !== undefined) return outcome;
  if (await isListed(s, id))
    return (await failsListed(s)) ? inconclusive(`animal ${id} is listed, but getPet does not find it`, 'get.success') : outcome;
  return s.knowledge.created.has(String(id)) ? outcome : inconclusive(`animal ${id} was removed in the meantime`, 'circumstance');
}

export const listReadOnly = defineClause({
  id: 'list.read-only',
  chapter: 'list-pets',
  section: 'Endpoints: 1. List animals',
  quote: ['Clients list animals, add an animal, and read one animal by identifier.', 'Transitions: not shown.'],
  level: 'implied',
  derivation:
    'GET is safe (RFC 9110, section 9.2.1), and listPets only lists animals. So listing changes nothing, and two lists with nothing in between agree on the animals that a page has room for, and on their names and categories. Statuses may change (transitions are not shown), and so may the order.',
  requirement: 'Listing changes nothing, and repeated lists agree.',
  likelyCause:
    'Some lists come from a replica or a partition that lags, a timeout is treated as "no rows", or listing marks or removes what it shows.',
  checks: [
    {
      id: 'repeated',
      title: 'Repeated requests for the same list show the same animals',
      step: 'read',
      given: ['petList', 'read'],
      exhaustive: true,
      fault: 'list-drops-one-now-and-then',
      run: async (s) => {
        const lists: Exchange[] = [];
        const rows = await settle(async () => {
          // Sequentially and concurrently: either way reveals responses that alternate.
          for (let turn = 0; turn < REPEATS; turn += 1) lists.push(await askLargest(s));
          lists.push(...(await s.all(Array.from({ length: AT_ONCE }), () => askLargest(s))));
          if (lists.some((list) => statusOf(list) !== 200)) haltInconclusive('not every list returned 200', 'list.success');
          return [renamed(lists), await flickering(s, lists)];
        });
        return conclude([rows], `${lists.length} lists agree`);
      },
    },
    {
      id: 'after-filter',
      title: 'An unfiltered list is not filtered by the status of the list before it',
      step: 'read',
      given: ['petList'],
      exhaustive: true,
      fault: 'filter-stays-for-next-list',
      run: judgeAfterFilter,
    },
    {
      id: 'animals-stay',
      title: 'Listing leaves animals unchanged and in the store',
      step: 'read',
      given: ['pets', 'read'],
      exhaustive: true,
      fault: 'list-changes-status',
      run: async (s) => {
        const sample = await s.fixtures.sample(Number.MAX_SAFE_INTEGER);
        const [first] = sample;
        if (first === undefined) return inconclusive('the lists show no animal', 'circumstance');
        const known = [...s.knowledge.seen.values()];
        const watched = sample.length === 1 ? [first] : [first, sample.at(-1) ?? first];
        const rows = await s.all(watched, ({ id }) => settle(() => restless(s, id)));
        rows.push(await settle(() => vanished(s, known)));
        const outcome = conclude(rows, `${known.length} animals still exist, ${watched.length} of them unchanged across lists`);
        return unlessInTurmoil(s, outcome, ['newcomers']);
      },
    },
    {
      id: 'any-order',
      title: 'Lists, reads, and rejected credentials, in any order and concurrently, leave the animals unchanged',
      step: 'property',
      given: ['petList', 'read'],
      exhaustive: true,
      fault: 'list-rows-shifted-now-and-then',
      run: async (s) => {
        // As lists and reads showed them, not as they were created. Statuses of other clients' animals may change.
        const shown = [...s.knowledge.seen.values()].slice(-MODEL_ANIMALS);
        const known = shown.flatMap(({ id, name, categoryId }) =>
          name === undefined || categoryId === undefined ? [] : [{ id, name, categoryId, status: undefined }],
        );
        const outcome = await judgeModel(s, { name: 'reads in any order', planned: 20, known, writes: false });
        return unlessTakenAway(s, await unlessInTurmoil(s, outcome, ['newcomers']));
      },
    },
  ],
});
