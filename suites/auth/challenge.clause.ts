import type { InvariantJudgement } from '../../src/clause/clause.ts';
import { describeAnswer, findingOf } from '../../src/expect/expect.ts';
import { asReceived, type Exchange } from '../../src/wire/exchange.ts';
import { NO_HEADER } from '../cases/no-header.ts';
import { defineClause } from '../define.ts';
import { judgeRows } from '../judging/judge-rows.ts';
import { requireRejected } from './require-rejected.ts';
import { situation } from './situation.ts';

const BEARER = /(?:^|,)\s*bearer(?=\s|,|$)/i;

/** RFC 9110, section 15.5.2: a 401 carries at least one challenge. RFC 6750, section 3: its scheme is Bearer. */
function judgeChallenge(exchange: Exchange): InvariantJudgement {
  const { outcome } = asReceived(exchange);
  if (outcome.kind === 'failed' || outcome.answer.status !== 401) return 'not-applicable';
  const challenges = outcome.answer.headers.filter(([name]) => name === 'www-authenticate').map(([, value]) => value);
  if (challenges.some((value) => BEARER.test(value))) return 'holds';
  const received =
    challenges.length === 0 ? `${describeAnswer(exchange)}, no WWW-Authenticate` : `WWW-Authenticate: ${challenges.join(', ')}`;
  const lacks = challenges.length === 0 ? 'has no WWW-Authenticate header' : 'has no Bearer challenge';
  return {
    summary: `the 401 response to ${situation(exchange)} ${lacks}`,
    expected: ['a WWW-Authenticate header with a Bearer challenge'],
    received,
  };
}

export const challenge = defineClause({
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
  checks: [
    {
      id: 'list-and-get',
      title: 'The 401 responses of listPets and getPet have a Bearer challenge',
      step: 'read',
      given: ['pets', 'rejection'],
      fault: 'challenge-basic',
      run: async (s, { pets }) => {
        const id = pets[0]?.id ?? 0n;
        return judgeRows(s, {
          rows: [() => s.api.list({}, { credential: NO_HEADER }), () => s.api.get(id, { credential: NO_HEADER })],
          judge: async (ask) => {
            const exchange = await ask();
            await requireRejected(s, exchange, 'auth.missing-credential');
            return findingOf(exchange, judgeChallenge(exchange));
          },
          evidence: 'two 401 responses with a Bearer challenge',
        });
      },
    },
  ],
  invariants: [
    { id: 'every-401', title: 'Every 401 response has a Bearer challenge', fault: 'challenge-missing-on-create', judge: judgeChallenge },
  ],
});
