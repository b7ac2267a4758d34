import type { ClauseId } from '../../../src/clause/clause.ts';
import type { Finding } from '../../../src/clause/outcome.ts';
import { finding, isRejected } from '../../../src/expect/expect.ts';
import type { NewPetInput } from '../../../src/schema/pet.ts';
import type { Session } from '../../../src/session/session.ts';
import type { KnownAnimal } from '../../../src/session/state/run-state.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';
import { idsIn } from '../lists/ids-in.ts';
import { oncePerSession } from '../once-per-session.ts';
import { made } from './made.ts';
import { readBack } from './read-back.ts';
import { send } from './send.ts';
import { sendInvalid } from './send-invalid.ts';
import { showName } from './show-name.ts';

const ATTEMPTS = 5;
const MOST_READ = 3;

/** Bodies that are invalid under these clauses, made from a valid one. */
const REFUSED: readonly (readonly [ClauseId, (valid: NewPetInput) => unknown])[] = [
  ['create.status-invalid', (valid) => ({ ...valid, status: 'unknown' })],
  ['create.category-required', ({ categoryId: _categoryId, ...others }) => others],
  ['create.name-required', ({ name: _name, ...others }) => others],
];

/** Whether one of the newest animals that the lists omit can't be read either. */
export async function anyLost(s: Session, known: readonly KnownAnimal[], lists: readonly Exchange[]): Promise<boolean> {
  const shown = new Set(lists.flatMap((list) => [...idsIn(list)]));
  const suspects = known.filter(({ id }) => !shown.has(String(id))).slice(-MOST_READ);
  const reads = await s.all(suspects, ({ id }) => readBack(s, id));
  return reads.some(({ pet }) => pet === undefined);
}

/**
 * Creates an animal, reads it, sends creations that are rejected, and reads it again: a finding when it is gone. Several times, because
 * a service that removes the newest animal may have received another one in between. For animals that already look lost.
 */
export const lostByRefusal = oncePerSession(async (s: Session): Promise<Finding | undefined> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const { sent, exchange: created, pet } = made(await send(s, await s.fixtures.plain()));
    const { exchange: found, pet: before } = await readBack(s, pet.id);
    if (before === undefined) return undefined;
    const refusals = await s.all(REFUSED, async ([clause, invalid]) =>
      sendInvalid(s, { clause, body: { value: invalid(await s.fixtures.plain()) } }),
    );
    const { exchange: later, pet: after } = await readBack(s, pet.id);
    const refused = refusals.filter((exchange) => isRejected(exchange));
    if (after !== undefined || refused.length === 0) continue;
    return finding([created, found, ...refused, later], {
      summary: `animal ${pet.id} (${showName(sent.name)}) was created and read, then disappeared right after other creations were rejected`,
      expected: [`200 with animal ${pet.id}`],
    });
  }
  return undefined;
});
