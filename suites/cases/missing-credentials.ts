import type { Credential } from '../../src/session/client/api.ts';
import { rejectedCredential } from './authorization-header.ts';
import { NO_HEADER } from './no-header.ts';

/** Requests without a credential; the address that a request claims to come from is not a credential. */
export const MISSING: readonly Credential[] = [
  NO_HEADER,
  rejectedCredential('an empty Authorization header', ''),
  {
    note: 'no Authorization header and X-Forwarded-For: 127.0.0.1',
    standing: 'refused',
    headers: [
      ['x-forwarded-for', '127.0.0.1'],
      ['x-real-ip', '127.0.0.1'],
    ],
  },
];
