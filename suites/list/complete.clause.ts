import { haltInconclusive, inconclusive } from '../../src/clause/halt.ts';
import type { Finding } from '../../src/clause/outcome.ts';
import { describeAnswer, finding, petsOf, statusOf } from '../../src/expect/expect.ts';
import type { Session } from '../../src/session/session.ts';
import type { KnownAnimal } from '../../src/session/state/run-state.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { defineClause } from '../define.ts';
import { afterFirstLists, type FirstLists, firstLists, type Made, made, quietly, send } from '../judging/creations/creations.ts';
import { crowd } from '../judging/creations/large-store.ts';
import { readBack, showName } from '../judging/creations/read-back.ts';
import { conclude, judgeRows, type Settled, settle } from '../judging/judge-rows.ts';
import { eachLimit } from '../judging/lists/each-limit.ts';
import { beginning, proveDefault } from '../judging/lists/initial-lists.ts';
import { largeLists } from '../judging/lists/large-lists.ts';
import { hasRoom, idsIn, leftOutOf, missingFrom, pollList } from '../judging/lists/list-contents.ts';
import { noneMissed } from '../judging/lists/list-omission-invariant.ts';
import { askList, situationOf } from '../judging/lists/list-queries.ts';
import { judgeable } from '../judging/ownership.ts';
import { judgeParametersElsewhere } from './parameters-elsewhere.ts';
import { judgeRoomOfFirst } from './room-of-first-list.ts';
import { judgeSameNames } from './same-names.ts';
import { judgeHiddenStatus, judgeOfTheBeginning } from './stale-lists.ts';
import { judgeAgainstFiltered, judgeNeighbours } from './unfiltered-omissions.ts';

type Created = Pick<Made, 'sent' | 'exchange'> & { readonly id: bigint };

function unlistedFinding(animal: Created, seen: Exchange): Finding {
  const { limit, status } = seen.request.intent;
  if (limit === 'open' || status === 'open') return notThereFinding(animal, seen);
  return finding([animal.exchange, seen], {
    summary: `animal ${animal.id} (${showName(animal.sent.name)}) was created, but ${situationOf({ limit, status })} omits it despite having room`,
    expected: [`animal ${animal.id} within the consistency window`],
    received: `${idsIn(seen).size} other animals`,
  });
}

function notThereFinding(animal: Created, seen: Exchange): Finding {
  return finding([animal.exchange, seen], {
    summary: `animal ${animal.id} (${showName(animal.sent.name)}) was created with 201, but is neither listed nor found by its id`,
    expected: ['the animal in the list, within the consistency window'],
    received: describeAnswer(seen),
  });
}

type Elsewhere = Pick<FirstLists, 'lists' | 'filtered'>;

/** Looks for an animal that no unfiltered list shows: under its status, then by its id. Halts when neither decides. */
async function lookFurther(s: Session, animal: Made & Created, filtered: readonly Exchange[]): Promise<Finding | undefined> {
  const { status } = animal.pet;
  if (status !== undefined) {
    const asked = filtered.find(({ request }) => request.intent.status === status);
    const list = asked ?? (await pollList(s, { status, limit: 100 }, [animal]));
    if (missingFrom(list, [animal]).length === 0) return undefined;
    if (hasRoom(list)) return unlistedFinding(animal, list);
  }
  const { exchange, pet } = await readBack(s, animal.id);
  return pet === undefined
    ? notThereFinding(animal, exchange)
    : haltInconclusive("the pages are full, and an animal on a later page can't be seen", 'circumstance');
}

/** Judges the first animals in one unfiltered list; animals that it has no room for may be in other lists. */
export async function judgeFirst(
  s: Session,
  list: Exchange,
  animals: readonly Made[],
  { lists, filtered }: Elsewhere = { lists: [], filtered: [] },
): Promise<readonly (Finding | undefined)[]> {
  const missing = leftOutOf(
    list,
    animals.map((animal) => ({ ...animal, id: animal.pet.id })),
  );
  if (missing.length > 0 && hasRoom(list)) await proveDefault(s, list);
  if (hasRoom(list)) return missing.map((animal) => unlistedFinding(animal, list));
  const nowhere = missing.filter((animal) => lists.every((other) => missingFrom(other, [animal]).length > 0));
  return Promise.all(nowhere.map((animal) => lookFurther(s, animal, filtered)));
}

const ROUNDS = 3;

/** Creates an animal and requests lists that were requested before: they show it within the consistency window. */
async function judgeStale(s: Session): Promise<readonly (Finding | undefined)[]> {
  const creation = made(await send(s, await s.fixtures.plain('sold')));
  const animal = { ...creation, id: creation.pet.id };
  const [whole, large, filtered] = await s.all([{}, { limit: 100 }, { status: 'sold' as const }], (parameters) =>
    pollList(s, parameters, [animal]),
  );
  if (whole === undefined || large === undefined || filtered === undefined) return [];
  if (missingFrom(whole, [animal]).length > 0 && hasRoom(whole)) {
    await proveDefault(s, whole);
    return [unlistedFinding(animal, whole)];
  }
  // list.filter-complete judges an animal that is shown without the filter but not with it.
  if ([whole, large, filtered].some((list) => missingFrom(list, [animal]).length === 0)) return [];
  if (!hasRoom(filtered)) haltInconclusive("the pages are full, and an animal on a later page can't be seen", 'circumstance');
  const sold = petsOf(large).filter(({ status }) => status === 'sold');
  if (missingFrom(filtered, sold).length > 0) haltInconclusive('status=sold omits other animals too', 'list.filter-complete');
  return [unlistedFinding(animal, filtered)];
}

const MOST_UNSEEN = 80;

/** Judges created animals that no large page shows, by their ids. */
async function judgeUnseen(s: Session, animals: readonly KnownAnimal[]): Promise<readonly Settled[]> {
  const pages = await largeLists(s);
  const seen = new Set(pages.flatMap((page) => [...idsIn(page)]));
  const unseen = animals.filter(({ id }) => !seen.has(String(id))).slice(0, MOST_UNSEEN);
  return s.all(unseen, (animal) =>
    settle(async () => {
      const { exchange, pet } = await readBack(s, animal.id);
      return pet === undefined ? notThereFinding(animal, exchange) : undefined;
    }),
  );
}

export const listComplete = defineClause({
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
  checks: [
    {
      id: 'created',
      title: 'Lists show the first animals created, with each status and without one',
      step: 'write',
      given: ['animal', 'read', 'list.limit-default'],
      effect: 'write',
      fault: 'list-misses-default-status',
      run: async (s) => {
        const first = await firstLists(s);
        const settled = await s.all(first.lists, (list) => settle(() => judgeFirst(s, list, first.known, first)));
        return conclude(settled, `${first.known.length} created animals found in ${first.lists.length} lists`);
      },
    },
    {
      id: 'as-filtered',
      title: 'The unfiltered list shows the animals that filtered lists show',
      step: 'read',
      given: ['petList', 'read'],
      exhaustive: true,
      fault: 'list-misses-pending',
      run: async (s) => {
        await quietly(() => beginning(s));
        return judgeRows(s, {
          rows: [s],
          judge: judgeAgainstFiltered,
          evidence: 'the unfiltered list shows every animal in the filtered lists',
        });
      },
    },
    {
      id: 'adjacent-ids',
      title: 'Existing animals whose ids are adjacent to listed ones are listed too',
      step: 'read',
      given: ['petList', 'read', 'get.not-found'],
      fault: 'list-misses-first',
      run: async (s) => {
        return judgeRows(s, {
          rows: [s],
          judge: judgeNeighbours,
          evidence: 'no unlisted animal has an id adjacent to a listed one',
        });
      },
    },
    {
      id: 'beside-headers',
      title: 'A limit and a status in headers and cookies have no effect on the list',
      step: 'read',
      given: ['petList'],
      fault: 'limit-from-cookie',
      run: judgeParametersElsewhere,
    },
    {
      id: 'requested-before',
      title: 'A list that was requested before shows an animal created since',
      step: 'write',
      given: ['animal', 'read', 'list.filter-complete', 'list.limit-default', 'list.status-filter'],
      exhaustive: true,
      effect: 'write',
      fault: 'list-misses-newest',
      run: async (s) => {
        await afterFirstLists(s);
        await s.all([{}, { status: 'sold' as const }], (parameters) => askList(s, parameters));
        const settled: Settled[] = [];
        for (let round = 0; round < ROUNDS; round += 1) settled.push(await settle(() => judgeStale(s)));
        settled.push(await settle(() => judgeHiddenStatus(s)));
        return conclude(settled, `${ROUNDS} animals, each created after the list had been requested, are listed`);
      },
    },
    {
      id: 'same-names',
      title: 'Animals that share a name, where the service allows that, are all listed',
      step: 'write',
      given: ['readBack', 'create.id-assigned', 'create.independent', 'list.filter-complete'],
      effect: 'write',
      fault: 'list-one-of-a-name',
      run: judgeSameNames,
    },
    {
      id: 'stale-lists',
      title: 'No list still shows the initial animals of the run while an equivalent list shows newer ones',
      step: 'final',
      given: ['petList'],
      effect: 'write',
      fault: 'list-without-parameters-kept-for-ever',
      run: judgeOfTheBeginning,
    },
    {
      id: 'room-for-first-animals',
      title: 'The largest list shows the first created animals regardless of their status',
      step: 'final',
      given: ['readBack', 'create.id-assigned', 'list.complete'],
      effect: 'write',
      fault: 'long-list-misses-default-status',
      run: judgeRoomOfFirst,
    },
    {
      id: 'none-lost',
      title: 'Each of many created animals is listed, or at least can be read',
      step: 'large-store',
      given: ['animal', 'read'],
      exhaustive: true,
      effect: 'write',
      fault: 'stored-nine-of-ten',
      run: async (s) => {
        await crowd(s);
        const animals = [...s.knowledge.created.values()];
        if (animals.length === 0) return inconclusive('no animal was created', 'create.success');
        return conclude(
          [{ findings: [], halted: undefined }, ...(await judgeUnseen(s, animals))],
          `${animals.length} created animals are listed or can be read`,
        );
      },
    },
    {
      id: 'never-empty',
      title: 'No limit from 1 to 100 returns an empty list from a store with animals',
      step: 'large-store',
      given: ['petList', 'list.limit-accepted', 'list.read-only'],
      exhaustive: true,
      fault: 'limit-exclusive',
      run: async (s) => {
        const lists = await eachLimit(s);
        return judgeRows(s, {
          rows: lists,
          judge: async ({ limit, exchange }) => {
            if (statusOf(judgeable(exchange)) !== 200) haltInconclusive(`limit=${limit} is rejected`, 'list.limit-accepted');
            if (petsOf(exchange).length > 0) return undefined;
            const again = [await askList(s, { limit }), await askList(s, { limit }), await askList(s, { limit })];
            if (again.some((list) => petsOf(list).length > 0))
              haltInconclusive(`limit=${limit} returned an empty list once`, 'list.read-only');
            return finding([exchange, ...again], {
              summary: `GET /pets?limit=${limit} returned an empty list although the store has animals`,
              expected: ['at least one animal'],
              received: 'an empty list',
            });
          },
          evidence: `${lists.length} lists with a limit, none of them empty`,
        });
      },
    },
  ],
  invariants: [
    {
      id: 'every-unfiltered-list',
      title: 'No unfiltered list with room omits several animals that were created well before',
      fault: 'every-third-list-from-stale-replica',
      judge: noneMissed('whole'),
    },
  ],
});
