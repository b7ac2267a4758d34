import { defineRules } from '../define.ts';
import { oddIds } from './odd-ids.ts';

export const getIdSpelling = defineRules({
  id: 'get.id-spelling',
  chapter: 'get-pet',
  section: 'Endpoints: 3. Get an animal (deprecated)',
  quote: ['Path parameter: `petId`, required, integer, format int64: identifier of the animal.'],
  level: 'open',
  requirement:
    'Records whether other spellings of a known id (signed, zero-padded, with a fraction of zero) find its animal. The document does not say how to spell an integer in a path.',
  likelyCause: 'No action needed; a single spelling per animal keeps caches and logs simple.',
  sent: [
    {
      id: 'spellings',
      title: 'Records the response to other spellings of a known id',
      step: 'read',
      needs: ['readable'],
      ...oddIds((known) => [
        ['petId has a plus sign', `+${known}`],
        ['petId is padded with a zero', `${known < 0n ? '-0' : '0'}${known < 0n ? -known : known}`],
        ['petId has a fraction of zero', `${known}.0`],
        ['petId has an exponent of zero', `${known}e0`],
        ['petId has a leading space', ` ${known}`],
      ]),
    },
  ],
});
