import fc from 'fast-check';
import { nearCredentials } from '../../src/arbitraries/near-credentials.ts';
import type { Finding, Outcome } from '../../src/clause/outcome.ts';
import { describeRequest, wrongRefusal } from '../../src/expect/expect.ts';
import { judgeable } from '../../src/expect/judgeable.ts';
import type { Credential } from '../../src/session/client/api.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { judgeBatch } from '../judging/judge-batch.ts';
import { judgeProperty } from '../judging/judge-property.ts';
import { readTarget } from './read-target.ts';

const PLANNED = 10;
const AT_ONCE = 4;
// The suite does not guess keys: it sends few near misses of the configured one at any depth.
const MOST = 16;

/** A credential and the operation that it is sent to. */
type Attempt = { readonly credential: Credential; readonly operation: 'listPets' | 'getPet' | 'createPet' };

async function ask(s: Session, { credential, operation }: Attempt): Promise<Exchange> {
  if (operation === 'createPet' && !s.options.readOnly)
    return s.api.create({ value: await s.fixtures.plain() }, { domain: 'plain', credential });
  if (operation !== 'getPet') return s.api.list({ limit: 1 }, { credential });
  const { id, judged } = await readTarget(s);
  return judged(await s.api.get(id, { credential }));
}

async function judgeAttempt(s: Session, attempt: Attempt): Promise<Finding | undefined> {
  const exchange = judgeable(await ask(s, attempt));
  return wrongRefusal(exchange, 401, `${describeRequest(exchange)} with ${attempt.credential.note}`);
}

/** For auth.wrong-key: bearer tokens one edit away from the API key, on all operations. */
export async function judgeMutatedCredentials(s: Session): Promise<Outcome> {
  const attempts = fc.record({
    credential: nearCredentials(s.options.apiKey),
    operation: fc.constantFrom('listPets' as const, 'listPets' as const, 'getPet' as const, 'createPet' as const),
  });
  return judgeProperty(s, {
    name: 'credentials one step away from the key',
    cases: fc.array(attempts, { minLength: 1, maxLength: AT_ONCE }),
    planned: PLANNED,
    most: MOST,
    shrinking: 10,
    law: (batch) => judgeBatch(s, { rows: batch, judge: (attempt) => judgeAttempt(s, attempt) }),
    evidence: 'credentials one edit away from the API key, on all operations, each of which returned 401',
  });
}
