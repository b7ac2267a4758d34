import type { ClauseId } from '../clause/clause.ts';
import { waitsForOf } from '../clause/needs.ts';
import type { SessionCheck } from './judge-check.ts';

/** A check that waits for a clause that its `given` does not answer for: a defect of the suite, as a sentence. */
export function undeclaredWait({ id, given }: Pick<SessionCheck, 'id' | 'given'>, blockedBy: ClauseId | undefined): string | undefined {
  if (blockedBy === undefined || waitsForOf(given).includes(blockedBy)) return undefined;
  return `${id} waits for ${blockedBy}, which its "given" does not declare`;
}
