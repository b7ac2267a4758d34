import { defineClause } from '../define.ts';
import { observeIds } from './odd-ids.ts';

export const getIdNotInteger = defineClause({
  id: 'get.id-not-integer',
  chapter: 'get-pet',
  section: 'Endpoints: 3. Get an animal (deprecated)',
  level: 'open',
  requirement:
    'Recorded: the answer to a petId that is no integer. It violates the declared type, and no failure is stated for that: 400 and 404 are both usual.',
  likelyCause: 'Nothing has to be done; 404 is the only failure besides 401 that the document knows for getPet.',
  checks: [
    {
      id: 'words',
      title: 'Words, fractions and other texts as petId are answered in a way that is recorded',
      step: 'read',
      run: (s) =>
        observeIds(s, (known) => [
          ['petId is a word', 'many'],
          ['petId is a fraction', `${known}.5`],
          ['petId is in hexadecimal', '0x1'],
          ['petId is null', 'null'],
          ['petId is a UUID', '4f9d7f0e-6d3b-4a53-9f6c-1d9a2b7c8e10'],
          ['petId is an integer and a letter', `${known}a`],
          ['petId is an integer and a quote', `${known}'`],
          ['petId is two integers', `${known},${known}`],
        ]),
    },
  ],
});
