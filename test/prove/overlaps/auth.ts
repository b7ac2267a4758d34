import type { Overlaps } from './overlap.ts';

export const authOverlaps: Overlaps = {
  'auth.every-request': [
    {
      because: 'The credential is let in only now and then, so that the request before it may have been rejected',
      sometimes: ['authentication-fails-open', 'wrong-key-sometimes-accepted'],
    },
    {
      because: 'getPet lets in a wrong key, after a request with the API key as well',
      of: ['wrong-key-accepted-on-get'],
    },
  ],
  'auth.header-only': [
    {
      because:
        'The key elsewhere takes the place of the Authorization header, and requests without that get in, some of them or now and then',
      of: ['authentication-missing-with-query'],
      sometimes: ['list-cache-ignores-credential', 'animal-cache-ignores-credential', 'authentication-fails-open'],
    },
  ],
  'auth.missing-credential': [
    {
      because: 'What the service remembers of a request with the API key lets in the next one without any',
      of: ['connection-authenticated-by-creation'],
      sometimes: [
        'connection-stays-authenticated',
        'address-stays-authenticated',
        'url-stays-authenticated',
        'list-cache-ignores-credential',
        'animal-cache-ignores-credential',
      ],
    },
  ],
  'auth.precedence': [
    {
      because: 'The credential is let in only now and then, so that the control may have been rejected',
      sometimes: ['authentication-fails-open', 'wrong-key-sometimes-accepted'],
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
      because: 'What the service remembers of a request with the API key lets in the next one with another key',
      of: ['connection-authenticated-by-creation'],
      sometimes: [
        'connection-stays-authenticated',
        'address-stays-authenticated',
        'url-stays-authenticated',
        'list-cache-ignores-credential',
        'animal-cache-ignores-credential',
      ],
    },
    {
      because: 'The same comparison lets in tokens and headers that are not exactly the API key',
      of: ['anonymous-list-is-empty', 'any-scheme-accepted'],
    },
  ],
  'auth.wrong-scheme': [
    {
      because: 'What the service remembers of a request with the API key lets in the next one with another scheme',
      sometimes: [
        'connection-stays-authenticated',
        'address-stays-authenticated',
        'url-stays-authenticated',
        'list-cache-ignores-credential',
        'animal-cache-ignores-credential',
      ],
    },
    {
      because: 'The list rejects no credential at all',
      of: ['anonymous-list-is-empty'],
    },
  ],
};
