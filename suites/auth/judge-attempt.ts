import type { Finding } from '../../src/clause/outcome.ts';
import type { CallOptions, Credential } from '../../src/session/client/api.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { NO_HEADER } from '../cases/no-header.ts';
import { requireRejected } from './require-rejected.ts';
import { type Letter, notUnauthorized } from './unauthorized.ts';

type Attempt = { readonly ask: (options: CallOptions) => Promise<Exchange>; readonly credential: Credential };

/** A finding unless the credential is rejected. Routers and caches match queries, so the contrast has one where the credential has one. */
export async function judgeAttempt(s: Session, { ask, credential }: Attempt, letter: Letter): Promise<Finding | undefined> {
  const wrong = notUnauthorized(await ask({ credential }), letter);
  if (wrong !== undefined && letter.contrasted === true) {
    const query = credential.query === undefined ? {} : { rawQuery: 'nothing=' };
    await requireRejected(s, await ask({ credential: NO_HEADER, ...query }), 'auth.missing-credential');
  }
  return wrong;
}
