import type { Verdict } from '../clause/outcome.ts';

/**
 * The verdict on a clause from those on its checks and invariants: a failure outweighs everything, then a waived one; an inconclusive
 * part leaves the clause passed when another part passed, because that part exercised it.
 */
export function clauseVerdict(verdicts: readonly Verdict[]): Verdict {
  for (const decisive of ['fail', 'waived', 'pass', 'observed', 'inconclusive'] as const) {
    if (verdicts.includes(decisive)) return decisive;
  }
  return 'not-applicable';
}
