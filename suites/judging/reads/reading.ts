import { haltInconclusive, haltNotApplicable } from '../../../src/clause/halt.ts';
import type { Finding } from '../../../src/clause/outcome.ts';
import { mayBeRemoved, REMOVED_STATUSES } from '../../../src/clause/removal.ts';
import { answerOf, describeRequest, finding, petOf, statusOf, wrongStatus } from '../../../src/expect/expect.ts';
import { isInt64 } from '../../../src/schema/int64.ts';
import type { PetView } from '../../../src/schema/pet.ts';
import type { Session } from '../../../src/session/session.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';
import { isListed } from '../lists/is-listed.ts';
import { oncePerSession } from '../once-per-session.ts';
import { REMOVED, unlessRemoved } from './unless-removed.ts';

/** The result of reading an existing animal: the animal (and the first response, if that was 404), what is wrong, or that it was removed. */
export type Reading =
  | { readonly kind: 'animal'; readonly exchange: Exchange; readonly pet: PetView; readonly missed?: Exchange }
  | { readonly kind: 'wrong'; readonly finding: Finding }
  | { readonly kind: 'gone'; readonly exchange: Exchange };

/** Whether the operation is gone as announced, tried once on a listed animal. Before the date, it never is. */
const hasBeenRemoved = oncePerSession(async (s: Session): Promise<boolean> => {
  if (!mayBeRemoved(s.options.now)) return false;
  const pets = await s.fixtures.recognized();
  const exchange = await s.fixtures.firstRead(pets[0]?.id ?? 0n);
  return REMOVED_STATUSES.includes(answerOf(exchange).status);
});

/** Halts where getPet can't be asked for the id: because it can't be a petId, which record.pets and record.pet judge, or is gone as announced. */
export async function requireAskable(s: Session, id: bigint): Promise<void> {
  if (!isInt64(id)) haltInconclusive(`id ${id} is outside int64, so getPet can't be asked for it`, 'record.pets');
  if (await hasBeenRemoved(s)) haltNotApplicable(REMOVED);
}

/**
 * Reads an existing animal. Repeats a read that returns 404 within the consistency window; an animal of another client that no list shows
 * any longer may have been removed by an operation that the document does not show.
 */
export async function readExisting(s: Session, id: bigint): Promise<Reading> {
  await requireAskable(s, id);
  const answers: Exchange[] = [];
  const exchange = await s.poll(
    async () => {
      const answer = await s.api.get(id);
      answers.push(answer);
      return answer;
    },
    (answer) => statusOf(answer) !== 404,
  );
  const reading = await readingOf(s, id, exchange);
  const [first] = answers;
  return reading.kind === 'animal' && first !== undefined && first !== exchange ? { ...reading, missed: first } : reading;
}

/** What the response to a read of an existing animal says of it. */
export async function readingOf(s: Session, id: bigint, exchange: Exchange): Promise<Reading> {
  const { status } = answerOf(unlessRemoved(s, exchange));
  if (status === 200) return { kind: 'animal', exchange, pet: petOf(exchange) };
  if (status !== 404) {
    const wrong = wrongStatus(exchange, [200], `${describeRequest(exchange)} for an existing animal`);
    return wrong === undefined ? { kind: 'gone', exchange } : { kind: 'wrong', finding: wrong };
  }
  const isOurs = s.knowledge.created.has(String(id));
  if (!isOurs && !(await isListed(s, id))) return { kind: 'gone', exchange };
  const summary = `${describeRequest(exchange)} returned 404 for a ${isOurs ? 'created' : 'listed'} animal; expected 200`;
  return { kind: 'wrong', finding: finding([exchange], { summary, expected: ['200 with the animal'] }) };
}
