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
import { hasRoom, idsIn, missingFrom, pollList } from '../judging/lists/list-contents.ts';
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
    summary: `animal ${animal.id} (${showName(animal.sent.name)}) was created and is left out of ${situationOf({ limit, status })}, which has room for it`,
    expected: [`animal ${animal.id} within the consistency window`],
    received: `${idsIn(seen).size} other animals`,
  });
}

function notThereFinding(animal: Created, seen: Exchange): Finding {
  return finding([animal.exchange, seen], {
    summary: `animal ${animal.id} (${showName(animal.sent.name)}) was answered 201 and is neither listed nor found by its id`,
    expected: ['the animal in the list, within the consistency window'],
    received: describeAnswer(seen),
  });
}

type Elsewhere = Pick<FirstLists, 'lists' | 'filtered'>;

/** Looks for an animal that no list without filter shows: under its status, then by its id. Halts when nothing decides. */
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
    : haltInconclusive('the pages are full: whether the animal is on a later one cannot be seen', 'circumstance');
}

/** Judges the first animals in one list without filter; what it has no room for may be in other lists. */
export async function judgeFirst(
  s: Session,
  list: Exchange,
  animals: readonly Made[],
  { lists, filtered }: Elsewhere = { lists: [], filtered: [] },
): Promise<readonly (Finding | undefined)[]> {
  const missing = missingFrom(
    list,
    animals.map((animal) => ({ ...animal, id: animal.pet.id })),
  );
  if (missing.length > 0 && hasRoom(list)) await proveDefault(s, list);
  if (hasRoom(list)) return missing.map((animal) => unlistedFinding(animal, list));
  const nowhere = missing.filter((animal) => lists.every((other) => missingFrom(other, [animal]).length > 0));
  return Promise.all(nowhere.map((animal) => lookFurther(s, animal, filtered)));
}

const ROUNDS = 3;

/** Creates an animal and asks again for lists that were asked for before: they show it within the consistency window. */
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
  // Shown without the filter but not with it: list.filter-complete has that.
  if ([whole, large, filtered].some((list) => missingFrom(list, [animal]).length === 0)) return [];
  if (!hasRoom(filtered)) haltInconclusive('the pages are full: whether the animal is on a later one cannot be seen', 'circumstance');
  const sold = petsOf(large).filter(({ status }) => status === 'sold');
  if (missingFrom(filtered, sold).length > 0) haltInconclusive('status=sold leaves out other animals too', 'list.filter-complete');
  return [unlistedFinding(animal, filtered)];
}

const MOST_UNSEEN = 80;

/** Created animals that no large page shows, looked for by their ids. */
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
  level: 'implied',
  derivation:
    'createPet adds an animal and listPets lists animals, without a status all of them ("none (no filtering)"). So a created animal is listed, within the consistency window that a distributed store is granted. Paging is not shown: only a page with room to spare, shorter than the default of 20 or empty, can leave an animal out; and an animal that is not there at all is on no page. A longer page may be cut anywhere, but hardly between the animals of one status and all others that were created with them.',
  requirement: 'An animal that exists is listed, and a store with animals gives no empty list.',
  likelyCause:
    'The list comes from a cache, an index or a replica that is not told of the creation, a join drops rows, or the last row of a page is cut off.',
  checks: [
    {
      id: 'created',
      title: 'The first animals created, one of each status and one without among them, are in the list',
      step: 'write',
      effect: 'write',
      fault: 'list-misses-default-status',
      run: async (s) => {
        const first = await firstLists(s);
        const settled = await s.all(first.lists, (list) => settle(() => judgeFirst(s, list, first.known, first)));
        return conclude(settled, `${first.known.length} created animals in ${first.lists.length} lists, beside those of the beginning`);
      },
    },
    {
      id: 'as-filtered',
      title: 'The list without filter shows the animals that filtered lists show',
      step: 'read',
      exhaustive: true,
      fault: 'list-misses-pending',
      run: async (s) => {
        await s.fixtures.admitted();
        await quietly(() => beginning(s));
        return judgeRows(s, {
          rows: [s],
          judge: judgeAgainstFiltered,
          evidence: 'what filtered lists show, the list without filter shows as well',
        });
      },
    },
    {
      id: 'neighbours',
      title: 'Animals whose ids lie next to those of listed ones are listed too, where they exist',
      step: 'read',
      exhaustive: true,
      fault: 'list-misses-first',
      run: async (s) => {
        await s.fixtures.admitted();
        return judgeRows(s, {
          rows: [s],
          judge: judgeNeighbours,
          evidence: 'no animal exists beside the listed ones',
        });
      },
    },
    {
      id: 'beside-headers',
      title: 'A limit and a status in headers and cookies are no parameters: the list leaves out no animal for them',
      step: 'read',
      fault: 'limit-from-cookie',
      run: judgeParametersElsewhere,
    },
    {
      id: 'asked-before',
      title: 'A list that was asked for before shows an animal that was created since',
      step: 'write',
      exhaustive: true,
      effect: 'write',
      fault: 'list-misses-newest',
      run: async (s) => {
        await afterFirstLists(s);
        await s.all([{}, { status: 'sold' as const }], (parameters) => askList(s, parameters));
        const settled: Settled[] = [];
        for (let round = 0; round < ROUNDS; round += 1) settled.push(await settle(() => judgeStale(s)));
        settled.push(await settle(() => judgeHiddenStatus(s)));
        return conclude(settled, `${ROUNDS} animals, each created after the list had been asked for, are listed`);
      },
    },
    {
      id: 'same-names',
      title: 'Animals of one name, where a name may be taken twice, are all listed',
      step: 'write',
      exhaustive: true,
      effect: 'write',
      fault: 'list-one-of-a-name',
      run: judgeSameNames,
    },
    {
      id: 'not-of-the-beginning',
      title: 'Lists that began alike still do at the end of the run: none is that of the beginning while the others show later animals',
      step: 'final',
      exhaustive: true,
      effect: 'write',
      fault: 'list-without-parameters-kept-for-ever',
      run: judgeOfTheBeginning,
    },
    {
      id: 'as-later',
      title:
        'The first animals created are in the largest list, or it is not their status that decides, as far as it held more animals later',
      step: 'final',
      effect: 'write',
      fault: 'long-list-misses-default-status',
      run: judgeRoomOfFirst,
    },
    {
      id: 'none-lost',
      title: 'Of many created animals each is listed or at least found',
      step: 'large-store',
      exhaustive: true,
      effect: 'write',
      fault: 'stored-nine-of-ten',
      run: async (s) => {
        await crowd(s);
        const animals = [...s.knowledge.created.values()];
        if (animals.length === 0) return inconclusive('no animal was created', 'create.success');
        return conclude(
          [{ findings: [], halted: undefined }, ...(await judgeUnseen(s, animals))],
          `${animals.length} created animals are listed or found`,
        );
      },
    },
    {
      id: 'never-empty',
      title: 'No limit from 1 to 100 gives an empty list of a store with animals',
      step: 'large-store',
      exhaustive: true,
      fault: 'limit-exclusive',
      run: async (s) => {
        const lists = await eachLimit(s);
        return judgeRows(s, {
          rows: lists,
          judge: async ({ limit, exchange }) => {
            if (statusOf(judgeable(exchange)) !== 200) haltInconclusive(`limit=${limit} is not accepted`, 'list.limit-accepted');
            if (petsOf(exchange).length > 0) return undefined;
            const again = [await askList(s, { limit }), await askList(s, { limit }), await askList(s, { limit })];
            if (again.some((list) => petsOf(list).length > 0)) haltInconclusive(`limit=${limit} gave an empty list once`, 'list.read-only');
            return finding([exchange, ...again], {
              summary: `limit=${limit} gives an empty list, though animals are there`,
              expected: ['at least one animal'],
              received: 'no animal',
            });
          },
          evidence: `${lists.length} lists with a limit, none empty`,
        });
      },
    },
  ],
  invariants: [
    {
      id: 'none-missed',
      title: 'No list without status that has room leaves out several animals that were created long before',
      fault: 'every-third-list-from-stale-replica',
      judge: noneMissed('whole'),
    },
  ],
});
