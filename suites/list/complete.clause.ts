import { defineClause } from '../define.ts';
import { noneMissed } from '../judging/lists/list-omission-invariant.ts';
import { judgeEmptyLists } from './empty-lists.ts';
import { judgeFirstAnimals } from './first-animals.ts';
import { judgeLostAnimals } from './lost-animals.ts';
import { judgeParametersElsewhere } from './parameters-elsewhere.ts';
import { judgeRequestedBefore } from './requested-before.ts';
import { judgeRoomOfFirst } from './room-of-first-list.ts';
import { judgeSameNames } from './same-names.ts';
import { judgeStaleLists } from './stale-lists.ts';
import { judgeAgainstFiltered, judgeNeighbours } from './unfiltered-omissions.ts';

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
      step: 'first-page',
      given: ['animal', 'read', 'list.limit-default'],
      effect: 'write',
      fault: 'list-misses-default-status',
      run: judgeFirstAnimals,
    },
    {
      id: 'as-filtered',
      title: 'The unfiltered list shows the animals that filtered lists show',
      step: 'read',
      given: ['petList', 'read'],
      exhaustive: true,
      fault: 'list-misses-pending',
      run: judgeAgainstFiltered,
    },
    {
      id: 'adjacent-ids',
      title: 'Existing animals whose ids are adjacent to listed ones are listed too',
      step: 'read',
      given: ['petList', 'read', 'get.not-found'],
      fault: 'list-misses-first',
      run: judgeNeighbours,
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
      run: judgeRequestedBefore,
    },
    {
      id: 'same-names',
      title: 'Animals that share a name, where the service allows that, are all listed',
      step: 'write',
      given: ['creation', 'readBack', 'create.independent', 'list.filter-complete'],
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
      run: judgeStaleLists,
    },
    {
      id: 'room-for-first-animals',
      title: 'The largest list shows the first created animals regardless of their status',
      step: 'final',
      given: ['readBack', 'list.complete'],
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
      run: judgeLostAnimals,
    },
    {
      id: 'never-empty',
      title: 'No limit from 1 to 100 returns an empty list from a store with animals',
      step: 'large-store',
      given: ['petList', 'list.limit-accepted', 'list.read-only'],
      exhaustive: true,
      fault: 'limit-exclusive',
      run: judgeEmptyLists,
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
