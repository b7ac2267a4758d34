import type { ClauseId } from '../clause/clause.ts';
import { waitsForOf } from '../clause/needs.ts';
import type { SessionCheck } from '../oracle/rule.ts';

/**
 * A check that waits for a clause that its `given` does not answer for: a defect of the suite, as a sentence. One that only sends declares what it
 * needs for that; what its cases wait for is said by the rules.
 */
export function undeclaredWait(
  { id, given, send }: Pick<SessionCheck, 'id' | 'given' | 'send'>,
  blockedBy: ClauseId | undefined,
): string | undefined {
  if (blockedBy === undefined || send !== undefined || waitsForOf(given).includes(blockedBy)) return undefined;
  return `${id} waits for ${blockedBy}, which its "given" does not declare`;
}
