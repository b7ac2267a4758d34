import { Halt, haltInconclusive, haltNotApplicable } from '../../../src/clause/halt.ts';
import { mayBeRemoved, REMOVED_STATUSES } from '../../../src/clause/removal.ts';
import { answerOf, describeRequest, petOf, petsOf, statusOf } from '../../../src/expect/expect.ts';
import { judgeable } from '../../../src/expect/judgeable.ts';
import type { PetView } from '../../../src/schema/pet.ts';
import type { Session } from '../../../src/session/session.ts';
import { type Exchange, PET_STATUSES } from '../../../src/wire/exchange.ts';

export type ReadBack = {
  readonly exchange: Exchange /** Undefined: not found within the consistency window. */;
  readonly pet: PetView | undefined;
};

/** Halts when the service assigned the id to two animals: which of them a response shows, nobody can tell. */
export function requireOwnId(s: Session, id: bigint): void {
  if (s.knowledge.sharedIds.has(String(id))) haltInconclusive(`id ${id} was assigned to two animals`, 'create.id-assigned');
}

/** Whether lists do not show either what can't be read elsewhere. */
const listsUnknown = (): { gapped: boolean } => ({ gapped: false });

/** The animal as a list shows it if getPet shows a field in a form that can't be read: record.pet judges that. */
async function withoutGaps(s: Session, read: ReadBack): Promise<ReadBack> {
  const { pet } = read;
  const lists = s.knowledge.remember(listsUnknown);
  if (pet === undefined || pet.gaps.length === 0 || lists.gapped) return read;
  const listed = await readFromLists(s, pet.id).catch((error: unknown) => {
    if (error instanceof Halt) return undefined;
    throw error;
  });
  if (listed?.pet?.gaps.length === 0) return listed;
  if (listed !== undefined) lists.gapped = true;
  return read;
}

/** The animal as a list shows it, for when getPet is broken, which its own clauses report. */
async function readFromLists(s: Session, id: bigint): Promise<ReadBack | undefined> {
  for (const query of [{ limit: 100 }, ...PET_STATUSES.map((status) => ({ limit: 100, status }))]) {
    const exchange = await s.api.list(query);
    const pet = statusOf(exchange) === 200 ? petsOf(exchange).find((one) => one.id === id) : undefined;
    if (pet !== undefined) return { exchange, pet };
  }
  return undefined;
}

/**
 * Reads a created animal until it is there or the consistency window ends. If getPet returns neither 200 nor 404, which waiting
 * can't cure, reads it from the lists; halts when they do not show it, and when the id was assigned to two animals.
 */
export async function readBack(s: Session, id: bigint): Promise<ReadBack> {
  const gone = mayBeRemoved(s.options.now);
  // Once getPet may be gone, there is nothing to wait for.
  const exchange = await s.poll(
    () => s.api.get(id),
    (answer) => gone || statusOf(answer) !== 404,
  );
  requireOwnId(s, id);
  const { status } = answerOf(exchange);
  if (status === 200) return withoutGaps(s, { exchange, pet: petOf(exchange) });
  if (gone && REMOVED_STATUSES.includes(status)) {
    haltNotApplicable("getPet has been removed as announced, so animals can't be read by id");
  }
  const listed = status === 404 ? undefined : await readFromLists(s, id);
  if (listed !== undefined) return listed;
  if (status !== 404) haltInconclusive(`${describeRequest(judgeable(exchange))} returned ${status}`, 'get.success');
  return { exchange, pet: undefined };
}
