import { observed } from '../../src/clause/halt.ts';
import { statusOf } from '../../src/expect/expect.ts';
import type { Credential } from '../../src/session/client/api.ts';
import { defineClause } from '../define.ts';

function spelled(word: string, key: string): Credential {
  return { note: `the right key behind the word ${word}`, standing: 'open', headers: [['authorization', `${word} ${key}`]] };
}

function answerFor(status: number | undefined): string {
  if (status === undefined) return 'no complete answer';
  return status === 200 ? 'let in' : `refused with ${status}`;
}

export const schemeCase = defineClause({
  id: 'auth.scheme-case',
  chapter: 'authentication',
  section: 'Authentication',
  level: 'open',
  requirement:
    'Recorded: whether the scheme word is taken in other letter case. The document writes Bearer; RFC 9110, section 11.1, makes scheme names free of letter case.',
  likelyCause: 'Nothing has to be done; clients should write Bearer.',
  checks: [
    {
      id: 'spellings',
      title: 'The right key behind bearer and BEARER is answered in a way that is recorded',
      step: 'read',
      run: async (s) => {
        await s.fixtures.recognized();
        const answers = await s.all(['bearer', 'BEARER'], async (word) => ({
          question: `scheme word written ${word}`,
          answer: answerFor(statusOf(await s.api.list({}, { credential: spelled(word, s.options.apiKey) }))),
        }));
        return observed(...answers);
      },
    },
  ],
});
