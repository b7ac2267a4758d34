import type { Overlaps } from './overlap.ts';

export const authOverlaps: Overlaps = {
  'auth.every-request': [
    {
      because: 'The credential is let in only now and then, so that the request before it may have been rejected',
      sometimes: ['authentication-fails-open', 'wrong-key-sometimes-accepted'],
    },
  ],
  'auth.header-only': [
    {
      because: 'Requests without the Authorization header get in now and then, so that the same one without the key may have been rejected',
      sometimes: ['authentication-fails-open'],
    },
  ],
  'auth.precedence': [
    {
      because: 'The credential is let in only now and then, so that the right request may have been rejected',
      sometimes: ['authentication-fails-open', 'wrong-key-sometimes-accepted'],
    },
    {
      because: 'What is let in without a key is rejected for its parameters',
      sometimes: ['authentication-missing-with-status-filter'],
    },
  ],
  'auth.valid-key': [
    {
      because: '403 for the API key is a rejected key as well',
      of: ['list-forbidden', 'curl-forbidden'],
    },
  ],
  'auth.wrong-key': [
    {
      because: 'The same comparison lets in tokens and headers that are not exactly the API key',
      of: ['any-scheme-accepted'],
    },
  ],
};
