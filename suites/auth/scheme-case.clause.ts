import { observed } from '../../src/clause/halt.ts';
import { statusOf } from '../../src/expect/expect.ts';
import type { Credential } from '../../src/session/client/api.ts';
import { defineClause } from '../define.ts';

function spelled(word: string, key: string): Credential {
  return { note: `the API key under the scheme "${word}"`, standing: 'open', headers: [['authorization', `${word} ${key}`]] };
}

function answerFor(status: number | undefined): string {
  if (status === undefined) return 'no complete response';
  return status === 200 ? 'accepted' : `rejected with ${status}`;
}

export const schemeCase = defineClause({
  id: 'auth.scheme-case',
  chapter: 'authentication',
  section: 'Authentication',
  quote: ['The API key is sent as the bearer credential in the `Authorization` header, in the form `Authorization: Bearer <API_KEY>`.'],
  level: 'open',
  requirement:
    'Records whether the service accepts the scheme name in other letter case. The document writes Bearer; scheme names are case-insensitive (RFC 9110, section 11.1).',
  likelyCause: 'No action needed; clients should send Bearer.',
  checks: [
    {
      id: 'spellings',
      title: 'Records how "bearer" and "BEARER" are handled',
      step: 'read',
      given: ['pets'],
      run: async (s) => {
        const answers = await s.all(['bearer', 'BEARER'], async (word) => ({
          question: `scheme spelled ${word}`,
          answer: answerFor(statusOf(await s.api.list({}, { credential: spelled(word, s.options.apiKey) }))),
        }));
        return observed(...answers);
      },
    },
  ],
});
