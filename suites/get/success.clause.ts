import { defineClause } from '../define.ts';
import { allMade } from '../judging/creations/made.ts';
import { readAll, readListed, readSample } from './existing.ts';
import { readExisting } from './reading.ts';

export const getSuccess = defineClause({
  id: 'get.success',
  chapter: 'get-pet',
  section: 'Endpoints: 3. Get an animal (deprecated)',
  quote: ['Success: `200`, body is a Pet.'],
  level: 'required',
  requirement: 'GET /pets/{petId} returns 200 with a Pet for every existing animal.',
  likelyCause:
    'The read path uses a different table, partition, or cache than the list or the creation, or does not handle some status or id range.',
  checks: [
    {
      id: 'listed',
      title: 'Returns 200 for the first listed animal of each status and the last of all',
      step: 'read',
      given: ['pets', 'read'],
      smoke: true,
      fault: 'get-redirects',
      run: readListed,
    },
    {
      id: 'sample',
      title: 'Returns 200 for listed animals of every status and kind of id',
      step: 'read',
      given: ['pets', 'read'],
      fault: 'get-misses-sold',
      run: readSample,
    },
    {
      id: 'created',
      title: 'Returns 200 for created animals, with each status and without one',
      step: 'first-page',
      given: ['animal', 'read'],
      effect: 'write',
      fault: 'get-misses-default-status',
      run: async (s) =>
        readAll(
          s,
          allMade(await s.fixtures.firstCreations()).map(({ pet }) => pet),
          { whose: 'were created', read: readExisting },
        ),
    },
    {
      id: 'newest',
      title: 'Returns 200 for the most recently created animal',
      step: 'final',
      given: ['animal', 'read'],
      effect: 'write',
      fault: 'get-misses-default-status',
      run: async (s) => readAll(s, [await s.fixtures.create()], { whose: 'was created last', read: readExisting }),
    },
  ],
});
