import { GONE } from '../../src/arbitraries/store-model.ts';
import { inconclusive } from '../../src/clause/halt.ts';
import type { Outcome } from '../../src/clause/outcome.ts';
import { statusOf } from '../../src/expect/expect.ts';
import type { Session } from '../../src/session/session.ts';
import { failsListed } from '../get/fails-listed.ts';
import { readBack } from '../judging/creations/read-back.ts';
import { judgeModel } from '../judging/judge-model.ts';
import { unlessStoreIsVolatile } from '../judging/lists/concurrent-changes.ts';
import { isListed } from '../judging/lists/is-listed.ts';

const MODEL_ANIMALS = 12;

/** The outcome, unless it is a failure about a single animal of another client that is gone for good: one may be removed at any time. */
async function unlessTakenAway(s: Session, outcome: Outcome): Promise<Outcome> {
  if (outcome.kind !== 'fail' || !outcome.findings.every(({ summary }) => summary.includes(GONE))) return outcome;
  const ids = outcome.findings.flatMap(({ exchanges }) =>
    exchanges.flatMap((exchange) => (statusOf(exchange) === 404 ? [exchange.request.intent.petId] : [])),
  );
  const id = ids.filter((petId) => petId !== undefined).at(-1);
  if (id === undefined) return outcome;
  const { pet } = await readBack(s, id);
  if (pet !== undefined) return outcome;
  if (await isListed(s, id))
    return (await failsListed(s)) ? inconclusive(`animal ${id} is listed, but getPet does not find it`, 'get.success') : outcome;
  return s.knowledge.created.has(String(id)) ? outcome : inconclusive(`animal ${id} was removed in the meantime`, 'circumstance');
}

/** Judges lists, reads, and rejected credentials in any order: the animals stay as lists and reads showed them. */
export async function judgeReadsInAnyOrder(s: Session): Promise<Outcome> {
  // As lists and reads showed them, not as they were created. Statuses of other clients' animals may change.
  const shown = [...s.knowledge.seen.values()].slice(-MODEL_ANIMALS);
  const known = shown.flatMap(({ id, name, categoryId }) =>
    name === undefined || categoryId === undefined ? [] : [{ id, name, categoryId, status: undefined }],
  );
  const outcome = await judgeModel(s, { name: 'reads in any order', planned: 20, known, writes: false });
  return unlessTakenAway(s, await unlessStoreIsVolatile(s, outcome, ['newcomers']));
}
