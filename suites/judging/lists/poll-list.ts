import { petsOf } from '../../../src/expect/expect.ts';
import { judgeable } from '../../../src/expect/judgeable.ts';
import type { PetView } from '../../../src/schema/pet.ts';
import type { ListParameters } from '../../../src/session/client/api.ts';
import type { Session } from '../../../src/session/session.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';
import { hasRoom } from './has-room.ts';
import { largePage } from './largest-page.ts';
import { missingFrom } from './missing-from.ts';

/**
 * Polls a list until it shows the animals, has no room for them, or the consistency window ends; with limit=100, the largest page that the
 * service gives. Halts when the response is not a list of valid animals.
 */
export async function pollList(s: Session, parameters: ListParameters, animals: readonly Pick<PetView, 'id'>[]): Promise<Exchange> {
  const exchange = await poll(s, parameters, animals);
  petsOf(judgeable(exchange));
  return exchange;
}

async function poll(s: Session, parameters: ListParameters, animals: readonly Pick<PetView, 'id'>[]): Promise<Exchange> {
  const asked = await largePage(s, parameters);
  return s.poll(
    () => s.api.list(asked),
    (answer) => missingFrom(answer, animals).length === 0 || !hasRoom(answer),
  );
}
