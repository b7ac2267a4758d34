import { mayBeRemoved } from '../../src/clause/removal.ts';
import { eventOf } from '../../src/oracle/event.ts';
import type { NewPetInput } from '../../src/schema/pet.ts';
import type { CreateOptions } from '../../src/session/client/api.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';

const LARGEST = 100;

/** Creates an animal and, where the 201 shows it, reads it: by its id or, once getPet may be removed, from a list. */
export async function createAndRead(s: Session, value: NewPetInput, options: CreateOptions): Promise<readonly Exchange[]> {
  const creation = await s.api.create({ value }, options);
  const { pet } = eventOf(creation);
  if (pet === undefined) return [creation];
  const isGone = mayBeRemoved(s.options.now);
  const { status = pet.status } = value;
  return [creation, await (isGone ? s.api.list({ limit: LARGEST, ...(status === undefined ? {} : { status }) }) : s.api.get(pet.id))];
}
