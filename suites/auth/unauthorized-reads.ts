import { Halt } from '../../src/clause/halt.ts';
import type { Outcome } from '../../src/clause/outcome.ts';
import type { Credential } from '../../src/session/client/api.ts';
import type { Session } from '../../src/session/session.ts';
import { PET_STATUSES } from '../../src/wire/exchange.ts';
import { judgeRows } from '../judging/judge-rows.ts';
import { judgeAttempt } from './judge-attempt.ts';
import { type ReadTarget, readTarget } from './read-target.ts';
import type { Letter } from './unauthorized.ts';

/** An existing animal, and one of each status that exists. */
async function animalsOfAllStatuses(s: Session, { id }: ReadTarget): Promise<readonly bigint[]> {
  const others = await s.all(PET_STATUSES, (status) =>
    s.fixtures.withStatus(status).catch((error: unknown) => {
      if (error instanceof Halt) return undefined;
      throw error;
    }),
  );
  return [...new Set([id, ...others.flatMap((pet) => (pet === undefined ? [] : [pet.id]))])];
}

async function judgeReads(
  s: Session,
  rows: readonly { readonly id: bigint; readonly credential: Credential }[],
  { judged = (exchange) => exchange, ...letter }: Letter & Partial<Pick<ReadTarget, 'judged'>>,
): Promise<Outcome> {
  return judgeRows(s, {
    rows,
    judge: ({ id, credential }) => judgeAttempt(s, { ask: async (options) => judged(await s.api.get(id, options)), credential }, letter),
    evidence: `${rows.length} reads of ${new Set(rows.map(({ id }) => id)).size} animals without the API key, each of which returned 401`,
  });
}

/** Reads an existing animal with a credential that must be rejected. */
export async function refusedRead(s: Session, credential: Credential, letter: Letter = {}): Promise<Outcome> {
  const { id, judged } = await readTarget(s);
  return judgeReads(s, [{ id, credential }], { ...letter, judged });
}

/** Reads animals of all statuses with credentials that must be rejected; each animal and each credential at least once. */
export async function refusedReads(s: Session, credentials: readonly Credential[], letter: Letter = {}): Promise<Outcome> {
  const target = await readTarget(s);
  const ids = await animalsOfAllStatuses(s, target);
  const rows = Array.from({ length: Math.max(ids.length, credentials.length) }).flatMap((_unused, index) => {
    const [id, credential] = [ids[index % ids.length], credentials[index % credentials.length]];
    return id === undefined || credential === undefined ? [] : [{ id, credential }];
  });
  return judgeReads(s, rows, { ...letter, judged: target.judged });
}

/** Reads a newly created animal with credentials that must be rejected. */
export async function refusedReadsOfCreated(s: Session, credentials: readonly Credential[], letter: Letter = {}): Promise<Outcome> {
  const { id } = await s.fixtures.create();
  return judgeReads(
    s,
    credentials.map((credential) => ({ id, credential })),
    letter,
  );
}
