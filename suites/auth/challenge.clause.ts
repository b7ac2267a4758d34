import type { Breach } from '../../src/clause/clause.ts';
import type { Event } from '../../src/oracle/world.ts';
import { NO_CREDENTIAL } from '../../src/session/client/sending.ts';
import { describeResponse } from '../../src/session/read-exchange.ts';
import { defineRules } from '../define.ts';
import { situation } from './rejections.ts';
import { readTarget } from './requests.ts';

const BEARER = /(?:^|,)\s*bearer(?=\s|,|$)/i;

/** RFC 9110, section 15.5.2: a 401 carries at least one challenge. RFC 6750, section 3: its scheme is Bearer. */
function judgeChallenge(event: Event): 'not-applicable' | 'holds' | Breach {
  const { response, exchange } = event;
  if (response?.status !== 401) return 'not-applicable';
  const challenges = response.headers.filter(([name]) => name === 'www-authenticate').map(([, value]) => value);
  if (challenges.some((value) => BEARER.test(value))) return 'holds';
  const received =
    challenges.length === 0 ? `${describeResponse(exchange)}, no WWW-Authenticate` : `WWW-Authenticate: ${challenges.join(', ')}`;
  const lacks = challenges.length === 0 ? 'has no WWW-Authenticate header' : 'has no Bearer challenge';
  return {
    summary: `the 401 response to ${situation(event)} ${lacks}`,
    expected: ['a WWW-Authenticate header with a Bearer challenge'],
    received,
    failureKinds: [
      {
        ...{ place: 'header WWW-Authenticate', expected: 'a Bearer challenge' },
        received: challenges.length === 0 ? 'missing' : 'another challenge',
      },
    ],
  };
}

export const challenge = defineRules({
  id: 'auth.challenge',
  chapter: 'authentication',
  section: 'RFC 9110, section 15.5.2; RFC 6750, section 3',
  quote: [
    'When the key is missing or invalid, the service answers `401` with an Error body.',
    'Response headers of any operation: not shown.',
  ],
  level: 'advised',
  requirement: 'A 401 response has a WWW-Authenticate header with a Bearer challenge.',
  likelyCause:
    'A handler writes the 401 instead of the authentication layer. Clients and browsers use the header to learn which credential to send.',
  rules: [{ layer: 'media type', judge: judgeChallenge }],
  sent: [
    {
      id: 'list-and-get',
      title: 'The 401 responses of listPets and getPet have a Bearer challenge',
      step: 'read',
      needs: ['pets'],
      accepts: 'listPets',
      send: async (s, { pets }) => {
        await s.api.list({}, { credential: NO_CREDENTIAL });
        await s.api.get(await readTarget(s, pets), { credential: NO_CREDENTIAL });
      },
      unmet: 'a request without the API key does not return 401',
    },
  ],
  met: [{ id: 'every-401', title: 'Every 401 response has a Bearer challenge' }],
});
