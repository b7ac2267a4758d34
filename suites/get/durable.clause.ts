import { defineClause } from '../define.ts';
import { judgeInterrupted } from './interrupted.ts';
import { judgeSameName } from './same-name.ts';
import { judgeAtTheEnd } from './unchanged-at-the-end.ts';

export const getDurable = defineClause({
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
  checks: [
    {
      id: 'same-name',
      title: 'Creating another animal with the same name leaves an animal unchanged',
      step: 'write',
      given: ['animal', 'read', 'get.identity', 'create.round-trip'],
      effect: 'write',
      fault: 'duplicate-name-updates',
      run: judgeSameName,
    },
    {
      id: 'at-the-end',
      title: 'Created animals still exist, unchanged, at the end of the run',
      step: 'final',
      given: ['animal', 'read', 'get.identity', 'create.round-trip'],
      exhaustive: true,
      effect: 'write',
      fault: 'store-keeps-50-created',
      run: judgeAtTheEnd,
    },
  ],
  invariants: [
    {
      id: 'every-read',
      title: 'No animal that getPet has returned is missing and found again later',
      fault: 'every-thirtieth-read-misses',
      judge: judgeInterrupted,
    },
  ],
});
