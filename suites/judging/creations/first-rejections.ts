import type { ClauseId } from '../../../src/clause/clause.ts';
import type { CreateBody } from '../../../src/session/client/api.ts';
import type { Session } from '../../../src/session/session.ts';
import { ignoringHalts } from '../ignoring-halts.ts';
import { oncePerSession } from '../once-per-session.ts';
import { oneOfEachStatus } from './creations.ts';
import { post } from './post.ts';

/** An invalid body of each kind, by the clause that it is invalid under. */
function oneOfEachKind({ name, categoryId }: { name: string; categoryId: bigint }): readonly (readonly [ClauseId, CreateBody])[] {
  return [
    ['create.body-json', { raw: '{' }],
    ['create.body-object', { value: [] }],
    ['create.name-required', { value: { categoryId } }],
    ['create.name-type', { value: { name: 1, categoryId } }],
    ['create.category-required', { value: { name } }],
    ['create.category-type', { value: { name, categoryId: String(categoryId) } }],
    ['create.category-range', { value: { name, categoryId: 2n ** 63n } }],
    ['create.status-invalid', { value: { name, categoryId, status: 'unknown' } }],
  ];
}

const firstRejections = oncePerSession(async (s): Promise<void> => {
  await oneOfEachStatus(s);
  const valid = await s.fixtures.plain();
  await s.all(oneOfEachKind(valid), ([clause, body]) => post(s, body, { domain: 'invalid', clause }));
});

/**
 * Waits until a few animals were created and an invalid body of each kind was sent, whatever the result: a quota that runs out later
 * then hides neither. For checks that send many other POSTs.
 */
export async function afterFirstRejections(s: Session): Promise<void> {
  await ignoringHalts(() => firstRejections(s));
}
