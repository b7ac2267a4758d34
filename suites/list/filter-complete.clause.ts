import { defineClause } from '../define.ts';
import { largeStore } from '../judging/creations/large-store.ts';
import { combineRows, judgeRow } from '../judging/judge-rows.ts';
import { noneMissed } from '../judging/lists/list-omission-invariant.ts';
import { judgeFirstLeftOut, judgeLeftOut } from './filter-omissions.ts';

export const filterComplete = defineClause({
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
  requirement: 'The filter applies before the limit: a page with room omits no matching animal.',
  likelyCause:
    'The page is cut before it is filtered, the filter sees only the first page of a scan, or animals with the default status are missing from its index.',
  checks: [
    {
      id: 'existing',
      title: 'Filtered lists show the listed animals with that status',
      step: 'read',
      given: ['petList', 'read', 'list.limit-default', 'list.read-only', 'list.status-filter'],
      fault: 'filter-drops-last-match',
      run: (s) => judgeLeftOut(s),
    },
    {
      id: 'created',
      title: 'Filtered lists show created animals with that status, even if it is the default',
      step: 'first-page',
      given: ['animal', 'read', 'list.limit-default', 'list.read-only', 'list.status-accepted', 'list.status-filter'],
      effect: 'write',
      fault: 'filter-misses-default-status',
      run: async (s) => {
        const first = await judgeRow(() => judgeFirstLeftOut(s));
        return first.findings.length > 0 ? combineRows([first], '') : judgeLeftOut(s);
      },
    },
    {
      id: 'large-store',
      title: 'In a large store, filtered lists with room omit no matching animal',
      step: 'large-store',
      given: ['animal', 'read', 'list.limit-default', 'list.read-only', 'list.status-filter'],
      exhaustive: true,
      fault: 'filter-after-page',
      run: async (s) => {
        await largeStore(s);
        return judgeLeftOut(s);
      },
    },
  ],
  invariants: [
    {
      id: 'every-filtered-list',
      title: 'No filtered list with room omits several matching animals that were created well before',
      fault: 'every-second-list-from-stale-replica',
      judge: noneMissed('filtered'),
    },
  ],
});
