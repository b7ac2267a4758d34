import { defineRules } from '../define.ts';
import { oddIds } from './odd-ids.ts';

export const getIdNotInteger = defineRules({
  id: 'get.id-not-integer',
  chapter: 'get-pet',
  section: 'Endpoints: 3. Get an animal (deprecated)',
  quote: ['Path parameter: `petId`, required, integer, format int64: identifier of the animal.'],
  level: 'open',
  requirement:
    'Records the response to a petId that is not an integer. It violates the declared type, for which the document states no failure; 400 and 404 are both common.',
  likelyCause: 'No action needed; besides 401, the document lists only 404 for getPet.',
  sent: [
    {
      id: 'words',
      title: 'Records the response to words, fractions, and other strings as petId',
      step: 'read',
      needs: ['readable'],
      ...oddIds((known) => [
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
