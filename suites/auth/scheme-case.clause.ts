import type { Credential } from '../../src/session/client/api.ts';
import { defineRules } from '../define.ts';

const SPELLINGS = ['bearer', 'BEARER'];

function spelled(word: string, key: string): Credential {
  return { note: `the API key under the scheme "${word}"`, standing: 'open', headers: [['authorization', `${word} ${key}`]] };
}

function choiceFor(status: number | undefined): string {
  if (status === undefined) return 'no complete response';
  return status === 200 ? 'accepted' : `rejected with ${status}`;
}

export const schemeCase = defineRules({
  id: 'auth.scheme-case',
  chapter: 'authentication',
  section: 'Authentication',
  quote: ['The API key is sent as the bearer credential in the `Authorization` header, in the form `Authorization: Bearer <API_KEY>`.'],
  level: 'open',
  requirement:
    'Records whether the service accepts the scheme name in other letter case. The document writes Bearer; scheme names are case-insensitive (RFC 9110, section 11.1).',
  likelyCause: 'No action needed; clients should send Bearer.',
  sent: [
    {
      id: 'spellings',
      title: 'Records how "bearer" and "BEARER" are handled',
      step: 'read',
      needs: ['pets'],
      send: (s) => s.all(SPELLINGS, (word) => s.api.list({}, { credential: spelled(word, s.options.apiKey) })),
      observe: (events) =>
        SPELLINGS.map((word) => {
          const { note } = spelled(word, '');
          const status = events.find(({ intent }) => intent.credentialNote === note)?.status;
          return { question: `scheme spelled ${word}`, answer: choiceFor(status) };
        }),
    },
  ],
});
