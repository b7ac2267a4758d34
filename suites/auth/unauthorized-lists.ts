import type { Outcome } from '../../src/clause/outcome.ts';
import type { Credential, ListParameters } from '../../src/session/client/api.ts';
import type { Session } from '../../src/session/session.ts';
import { LISTS } from '../cases/lists.ts';
import { judgeRows } from '../judging/judge-rows.ts';
import { judgeAttempt } from './judge-attempt.ts';
import type { Letter } from './unauthorized.ts';

/** Lists with credentials that must be rejected. For checks that declare `pets`: a service that returns 401 for everything shows none. */
export async function refusedLists(
  s: Session,
  rows: readonly { credential: Credential; list: ListParameters }[],
  letter: Letter = {},
): Promise<Outcome> {
  return judgeRows(s, {
    rows,
    judge: ({ credential, list }) => judgeAttempt(s, { ask: (options) => s.api.list(list, options), credential }, letter),
    evidence: `${rows.length} lists with ${new Set(rows.map(({ credential }) => credential.note)).size} credentials, each of which returned 401`,
  });
}

/** One list per credential, cycling through the lists. */
export function inTurn(credentials: readonly Credential[]): { credential: Credential; list: ListParameters }[] {
  return credentials.map((credential, index) => ({ credential, list: LISTS[index % LISTS.length] ?? {} }));
}
