import { defineClause } from '../define.ts';
import { judgeConcurrentReads, judgeReadsOfCreated, judgeSequentialReads } from './repeated-reads.ts';

export const getRepeatable = defineClause({
  id: 'get.repeatable',
  chapter: 'get-pet',
  section: 'Endpoints: 3. Get an animal (deprecated)',
  quote: ['Success: `200`, body is a Pet.', 'Transitions: not shown.'],
  level: 'implied',
  derivation:
    'getPet is a GET that returns the record with an id. GET is safe (RFC 9110, section 9.2.1), and the document shows no transition caused by reading. So two reads with nothing in between show the same record.',
  requirement: 'Repeated reads of an animal show the same name, category, and status, and change nothing.',
  likelyCause: 'Reading has a side effect, or replicas and caches hold different versions of the animal.',
  checks: [
    {
      id: 'sequentially',
      title: 'Three reads of a listed animal return the same record',
      step: 'read',
      given: ['pets', 'read'],
      exhaustive: true,
      fault: 'read-alternates',
      run: judgeSequentialReads,
    },
    {
      id: 'concurrently',
      title: 'Concurrent reads of a listed animal return the same record',
      step: 'read',
      given: ['pets', 'read'],
      exhaustive: true,
      fault: 'read-counts-views',
      run: judgeConcurrentReads,
    },
    {
      id: 'created',
      title: 'Three reads of a created animal return the same record',
      step: 'first-page',
      given: ['animal', 'read'],
      effect: 'write',
      fault: 'read-once-only',
      run: judgeReadsOfCreated,
    },
  ],
});
