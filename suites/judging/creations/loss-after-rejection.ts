import type { ClauseId } from '../../../src/clause/clause.ts';
import { isRejected } from '../../../src/expect/expect.ts';
import type { NewPetInput } from '../../../src/schema/pet.ts';
import type { Session } from '../../../src/session/session.ts';
import type { KnownAnimal } from '../../../src/session/state/run-state.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';
import { idsIn } from '../lists/ids-in.ts';
import { oncePerSession } from '../once-per-session.ts';
import { made } from './made.ts';
import { readBack } from './read-back.ts';
import { send } from './send.ts';

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
 * Creates an animal, reads it twice, sends creations that are rejected, and reads it again: the clause that answers for it where it is gone. Several
 * times, because a service that removes the newest animal may have received another one in between. For animals that already look lost.
 */
export const loseByRejection = oncePerSession(async (s: Session): Promise<ClauseId | undefined> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const { pet } = made(await send(s, await s.fixtures.plain()));
    // Read twice: what is lost by reading it, or by itself, is not lost by a rejection.
    for (let time = 0; time < 2; time += 1) if ((await readBack(s, pet.id)).pet === undefined) return 'get.durable';
    const rejections = await s.all(REFUSED, async ([clause, invalid]) =>
      s.api.create({ value: invalid(await s.fixtures.plain()) }, { domain: 'invalid', clause }),
    );
    if ((await readBack(s, pet.id)).pet === undefined && rejections.some((exchange) => isRejected(exchange)))
      return 'create.refused-stores-nothing';
  }
  return undefined;
});
