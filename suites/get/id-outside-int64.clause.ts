import { INT64_MAX, INT64_MIN } from '../../src/schema/validators.ts';
import { defineRules } from '../define.ts';
import { oddIds } from './odd-ids.ts';

export const getIdOutsideInt64 = defineRules({
  id: 'get.id-outside-int64',
  chapter: 'get-pet',
  section: 'Endpoints: 3. Get an animal (deprecated)',
  quote: ['Path parameter: `petId`, required, integer, format int64: identifier of the animal.'],
  level: 'open',
  requirement:
    'Records the response to an integer petId outside int64. It violates the declared format, for which the document states no failure; 404 is equally acceptable.',
  likelyCause: 'No action needed, unless the number wraps around and the service returns an animal that the client did not ask for.',
  sent: [
    {
      id: 'numbers',
      title: 'Records the response to integers outside int64 as petId',
      step: 'read',
      needs: ['readable'],
      ...oddIds((known) => [
        ['petId is one more than the largest int64', String(INT64_MAX + 1n)],
        ['petId is one less than the smallest int64', String(INT64_MIN - 1n)],
        ['petId is a known id plus 2^64', String(known + 2n ** 64n)],
        ['petId has 30 digits', '1'.repeat(30)],
        ['petId has 300 digits', '1'.repeat(300)],
      ]),
    },
  ],
});
