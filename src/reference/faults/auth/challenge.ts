import { withoutHeaders } from '../../core/headers.ts';
import type { Patch } from '../../core/parts.ts';
import { faultsOf, WRITES } from '../fault.ts';
import { type Condition, isReplyTo, isUnauthorized, rewriteIf } from '../helpers/replies.ts';

function dropChallenge(condition: Condition): Patch {
  return rewriteIf(condition, ({ headers }) => ({ headers: withoutHeaders(headers, ['www-authenticate']) }));
}

/** 401s that do not ask for a bearer credential. */
export const authChallenge = faultsOf('auth.challenge', {
  'challenge-missing': ['The 401 has no WWW-Authenticate header.', dropChallenge(isUnauthorized)],
  'challenge-missing-on-create': [
    'The 401 of createPet has no WWW-Authenticate header.',
    dropChallenge(isReplyTo('createPet', 401)),
    WRITES,
  ],
  'challenge-basic': [
    'The 401 challenges for Basic, which makes browsers ask for a password.',
    rewriteIf(isUnauthorized, ({ headers }) => ({ headers: { ...headers, 'www-authenticate': 'Basic realm="pet store"' } })),
  ],
});
