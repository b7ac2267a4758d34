import type { Finding } from '../../../src/clause/outcome.ts';
import { describeAnswer, finding } from '../../../src/expect/expect.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';
import { situationOf } from '../../list/lists.ts';
import type { Made } from '../creations/made.ts';
import { showName } from '../creations/show-name.ts';
import { idsIn } from './ids-in.ts';

/** A created animal that a list omits: what was sent, and the exchange that created it. */
export type CreatedAnimal = Pick<Made, 'sent' | 'exchange'> & { readonly id: bigint };

/** The list omits the animal although it has room for it. */
export function unlistedFinding(animal: CreatedAnimal, seen: Exchange): Finding {
  const { limit, status } = seen.request.intent;
  if (limit === 'open' || status === 'open') return notThereFinding(animal, seen);
  return finding([animal.exchange, seen], {
    summary: `animal ${animal.id} (${showName(animal.sent.name)}) was created, but ${situationOf({ limit, status })} omits it despite having room`,
    expected: [`animal ${animal.id} within the consistency window`],
    received: `${idsIn(seen).size} other animals`,
  });
}

/** Nothing shows the animal: neither a list nor getPet. */
export function notThereFinding(animal: CreatedAnimal, seen: Exchange): Finding {
  return finding([animal.exchange, seen], {
    summary: `animal ${animal.id} (${showName(animal.sent.name)}) was created with 201, but is neither listed nor found by its id`,
    expected: ['the animal in the list, within the consistency window'],
    received: describeAnswer(seen),
  });
}
