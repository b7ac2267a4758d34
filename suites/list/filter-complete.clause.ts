import { timelineCases } from '../../src/oracle/timelines.ts';
import { PET_STATUSES } from '../../src/wire/exchange.ts';
import { defineRules } from '../define.ts';
import { largeStore } from '../stimuli/creations.ts';
import { askWhole, FIRST_LISTS } from './lists.ts';

const NOTHING_TO_FIND = 'the filtered lists show no animal, and have no room for one that is known to have their status';

/** For each status, a list of the default size and one of a single animal: with limit=1, an empty list omits every match. */
const LISTS = PET_STATUSES.flatMap((status) => [{ status }, { status, limit: 1 }]);

export const filterComplete = defineRules({
  id: 'list.filter-complete',
  chapter: 'list-pets',
  section: 'Endpoints: 1. List animals',
  quote: [
    '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
  ],
  level: 'implied',
  derivation:
    'The document says of status "Keep only animals with this status" and of limit "Maximum number of animals returned": the filter selects from all animals, and the limit cuts the result. So a page that is empty or shorter than the default size omits no matching animal. A longer page may be cut anywhere, because paging is not shown.',
  requirement: 'The filter applies before the limit: a filtered list that has room for more animals omits none with that status.',
  likelyCause:
    'The page is cut before it is filtered, the filter sees only the first page of a scan, or animals with the default status are missing from its index.',
  rules: [
    {
      layer: 'history',
      judgeAll: (world) => timelineCases(world, 'list.filter-complete'),
      after: [
        'get.durable',
        'get.repeatable',
        'list.complete',
        'list.status-filter',
        'create.id-assigned',
        'list.read-only',
        'create.independent',
        'create.answer',
        'list.unique',
        'list.filter-with-limit',
        'list.limit-default',
      ],
    },
  ],
  sent: [
    {
      id: 'existing',
      title: 'Filtered lists show the animals with that status that the unfiltered list shows',
      step: 'read',
      needs: ['petList'],
      send: async (s) => s.all([{ limit: 100 }, ...LISTS], (parameters) => s.api.list(parameters)),
      unmet: NOTHING_TO_FIND,
    },
    {
      id: 'created',
      title: 'Filtered lists show created animals with that status, even if it is the default',
      step: 'first-page',
      needs: ['creation'],
      effect: 'write',
      send: async (s) => s.all([...FIRST_LISTS, ...LISTS], (parameters) => s.api.list(parameters)),
      unmet: NOTHING_TO_FIND,
    },
    {
      id: 'large-store',
      title: 'In a large store, a filtered list omits no animal with that status that it has room for',
      step: 'large-store',
      exhaustive: true,
      send: async (s) => {
        await largeStore(s);
        await askWhole(s);
        await s.all(LISTS, (parameters) => s.api.list(parameters));
      },
      unmet: NOTHING_TO_FIND,
    },
  ],
  met: [
    {
      id: 'every-filtered-list',
      title: 'No filtered list of the run omits an animal with that status that it has room for',
    },
  ],
});
