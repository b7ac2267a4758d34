import { haltInconclusive } from '../../../src/clause/halt.ts';
import type { Session } from '../../../src/session/session.ts';
import { failsListed } from '../reads/fails-listed.ts';
import { plainAnimals } from './plain-animals.ts';

/** Halts when even plain animals, created one after the other, can't be found afterwards: by getPet alone, or at all. */
export async function requirePlainFound(s: Session): Promise<void> {
  const lost = (await plainAnimals(s)).find(({ read }) => read.pet === undefined);
  if (lost === undefined) return;
  const owner = (await failsListed(s)) ? 'get.success' : 'list.complete';
  haltInconclusive(`animal ${lost.animal.pet.id} was created but can't be found`, owner);
}
