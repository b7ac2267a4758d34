import type { ClauseId } from '../../src/clause/clause.ts';
import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Finding } from '../../src/clause/outcome.ts';
import { describeAnswer, describeRequest, statusOf, wrongRefusal } from '../../src/expect/expect.ts';
import type { CallOptions, Credential } from '../../src/session/client/api.ts';
import type { Session } from '../../src/session/session.ts';
import { asReceived, type Exchange } from '../../src/wire/exchange.ts';
import { NO_HEADER } from '../cases/missing-credentials.ts';
import { oncePerSession } from '../judging/once-per-session.ts';

/** How a rejection is judged. */
export type Letter = {
  /** A status that replaces 401 everywhere is not read as 401. */
  readonly toTheLetter?: boolean;
  /** A finding needs a contrast: the same request without any credential is rejected. */
  readonly contrasted?: boolean;
};

/** `GET /pets?limit=5 with no Authorization header`. */
export function situation(exchange: Exchange): string {
  return `${describeRequest(exchange)} with ${exchange.request.intent.credentialNote}`;
}

/** A finding unless the credential is rejected with 401; to the letter for a missing one, which only auth.missing-credential judges. */
export function notUnauthorized(exchange: Exchange, { toTheLetter = false }: Letter = {}): Finding | undefined {
  return wrongRefusal(toTheLetter ? asReceived(exchange) : exchange, 401, situation(exchange));
}

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

/** Asks once more where 401 is not returned: two of a kind confirm what stands for it, and earlier responses are read the same way. */
const askWithoutKey = oncePerSession(async (s): Promise<void> => {
  for (const list of [{}, {}]) await s.api.list(list, { credential: NO_HEADER });
});

/** Halts as blocked by the owner when the service accepts the credential on an otherwise valid request. */
export async function requireRejected(s: Session, exchange: Exchange, owner: ClauseId): Promise<void> {
  if (statusOf(exchange) === 401) return;
  await askWithoutKey(s);
  if (statusOf(exchange) === 401) return;
  haltInconclusive(`${situation(exchange)} is not rejected in the first place: ${describeAnswer(exchange)}`, owner);
}
