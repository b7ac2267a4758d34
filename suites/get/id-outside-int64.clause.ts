import { INT64_MAX, INT64_MIN } from '../../src/schema/int64.ts';
import { defineClause } from '../define.ts';
import { observeIds } from './odd-ids.ts';

export const getIdOutsideInt64 = defineClause({
  id: 'get.id-outside-int64',
  chapter: 'get-pet',
  section: 'Endpoints: 3. Get an animal (deprecated)',
  level: 'open',
  requirement:
    'Recorded: the answer to an integer petId that int64 does not hold. It violates the declared format, and no failure is stated for that; that such an animal does not exist is as good an answer.',
  likelyCause:
    'Nothing has to be done, unless the number wraps round and an animal is answered: then clients see what they did not ask for.',
  checks: [
    {
      id: 'numbers',
      title: 'Integers that int64 does not hold as petId are answered in a way that is recorded',
      step: 'read',
      run: (s) =>
        observeIds(s, (known) => [
          ['petId is one more than the largest int64', String(INT64_MAX + 1n)],
          ['petId is one less than the smallest int64', String(INT64_MIN - 1n)],
          ['petId is a known id plus two to the 64th power', String(known + 2n ** 64n)],
          ['petId has thirty digits', '1'.repeat(30)],
          ['petId has three hundred digits', '1'.repeat(300)],
        ]),
    },
  ],
});
