import { haltInconclusive } from '../../../src/clause/halt.ts';
import type { Session } from '../../../src/session/session.ts';

/** Halts when the service assigned the id to two animals: which of them a response shows, nobody can tell. */
export function requireOwnId(s: Session, id: bigint | string): void {
  if (s.knowledge.sharedIds.has(String(id))) haltInconclusive(`id ${id} was assigned to two animals`, 'create.id-assigned');
}
