import { defineClause } from '../define.ts';
import { observeIds } from './odd-ids.ts';

export const getIdSpelling = defineClause({
  id: 'get.id-spelling',
  chapter: 'get-pet',
  section: 'Endpoints: 3. Get an animal (deprecated)',
  level: 'open',
  requirement:
    'Recorded: whether other spellings of a known id (signed, padded, with a fraction of zero) find its animal. The document does not say how an integer is spelled in a path.',
  likelyCause: 'Nothing has to be done; one spelling for one animal keeps caches and logs simple.',
  checks: [
    {
      id: 'spellings',
      title: 'Other spellings of a known id are answered in a way that is recorded',
      step: 'read',
      run: (s) =>
        observeIds(s, (known) => [
          ['petId has a plus sign', `+${known}`],
          ['petId is padded with a zero', `${known < 0n ? '-0' : '0'}${known < 0n ? -known : known}`],
          ['petId has a fraction of zero', `${known}.0`],
          ['petId has an exponent of zero', `${known}e0`],
          ['petId has a space before it', ` ${known}`],
        ]),
    },
  ],
});
