import type { ClauseId } from '../../../src/clause/clause.ts';
import type { NewPetInput } from '../../../src/schema/pet.ts';
import type { CreateBody } from '../../../src/session/client/api.ts';
import type { Session } from '../../../src/session/session.ts';
import { ignoringHalts } from '../ignoring-halts.ts';
import { oncePerSession } from '../once-per-session.ts';

/** An invalid body of each kind, derived from a valid one, by the clause that forbids it. */
const ONE_OF_EACH_KIND: readonly (readonly [ClauseId, (valid: NewPetInput) => CreateBody])[] = [
  ['create.body-json', () => ({ raw: '{' })],
  ['create.body-object', () => ({ value: [] })],
  ['create.name-required', ({ categoryId }) => ({ value: { categoryId } })],
  ['create.name-type', ({ categoryId }) => ({ value: { name: 1, categoryId } })],
  ['create.category-required', ({ name }) => ({ value: { name } })],
  ['create.category-type', ({ name, categoryId }) => ({ value: { name, categoryId: String(categoryId) } })],
  ['create.category-range', ({ name }) => ({ value: { name, categoryId: 2n ** 63n } })],
  ['create.status-invalid', ({ name, categoryId }) => ({ value: { name, categoryId, status: 'unknown' } })],
];

const firstRejections = oncePerSession(async (s): Promise<void> => {
  await s.fixtures.firstCreations();
  // Each has its own name: if one of them is stored, its name is not mistaken for another's.
  await s.all(ONE_OF_EACH_KIND, async ([clause, bodyOf]) => s.api.create(bodyOf(await s.fixtures.plain()), { domain: 'invalid', clause }));
});

/**
 * Waits until a few animals have been created and an invalid body of each kind has been sent, whatever the result: a quota that runs out
 * later then hides neither. For checks that send many other POSTs.
 */
export async function afterFirstRejections(s: Session): Promise<void> {
  await ignoringHalts(() => firstRejections(s));
}
