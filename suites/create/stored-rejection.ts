import type { Finding } from '../../src/clause/outcome.ts';
import { finding, statusOf } from '../../src/expect/expect.ts';
import type { PetView } from '../../src/schema/pet.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { showName } from '../judging/creations/show-name.ts';

/** A rejected creation whose animal a response shows. */
export function storedFinding(refusal: Exchange, seen: Exchange, pet: PetView): Finding {
  return finding([refusal, seen], {
    summary: `a creation rejected with ${statusOf(refusal)} was stored as animal ${pet.id}, ${showName(pet.name)}`,
    expected: ['no animal from a rejected creation'],
    received: `animal ${pet.id}, ${showName(pet.name)}`,
  });
}
