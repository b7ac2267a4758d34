import { defineClause } from '../define.ts';
import { crowd } from '../judging/creations/large-store.ts';
import { conclude, settle } from '../judging/judge-rows.ts';
import { noneMissed } from '../judging/lists/list-omission-invariant.ts';
import { judgeFirstLeftOut, judgeLeftOut } from './filter-omissions.ts';

export const filterComplete = defineClause({
  id: 'list.filter-complete',
  chapter: 'list-pets',
  section: 'Endpoints: 1. List animals',
  level: 'implied',
  derivation:
    'status says "keep only animals with this status" and limit "maximum number of animals returned": the filter chooses among all animals, and the limit cuts what it chose. A page that is shorter than the default size, or empty, therefore leaves out no animal that matches. A longer page may be cut anywhere, as paging is not shown.',
  requirement: 'The filter comes first: an animal that matches is not left out of a page that has room for it.',
  likelyCause:
    'The page is cut before it is filtered, the filter looks at the first page of a scan only, or animals that got the default status are not indexed under it.',
  checks: [
    {
      id: 'existing',
      title: 'Animals that the list shows are found under their status',
      step: 'read',
      fault: 'filter-drops-last-match',
      run: (s) => judgeLeftOut(s),
    },
    {
      id: 'created',
      title: 'Created animals that the list shows are found under their status, also those created without one',
      step: 'write',
      exhaustive: true,
      effect: 'write',
      fault: 'filter-misses-default-status',
      run: async (s) => {
        const first = await settle(() => judgeFirstLeftOut(s));
        return first.findings.length > 0 ? conclude([first], '') : judgeLeftOut(s);
      },
    },
    {
      id: 'crowd',
      title: 'Among many animals too no match is left out of a page that has room',
      step: 'large-store',
      exhaustive: true,
      fault: 'filter-after-page',
      run: async (s) => {
        await crowd(s);
        return judgeLeftOut(s);
      },
    },
  ],
  invariants: [
    {
      id: 'none-missed',
      title: 'No filtered list that has room leaves out several matching animals that were created long before',
      fault: 'every-second-list-from-stale-replica',
      judge: noneMissed('filtered'),
    },
  ],
});
