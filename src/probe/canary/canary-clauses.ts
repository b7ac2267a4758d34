import type { CheckId, ListedClause } from '../../clause/clause.ts';

/** The clauses for which the canary has its own checks. */
export const CANARY_CLAUSES = ['create.success', 'create.round-trip', 'list.complete', 'get.durable', 'get.identity'] as const;
export type CanaryClause = (typeof CANARY_CLAUSES)[number];

/** The slug in the ids of the canary's checks. */
export const CANARY_SLUG = 'canary';

/** The id of the canary's check for a clause. */
function canaryCheckId(clause: CanaryClause): CheckId {
  return `${clause}/${CANARY_SLUG}`;
}

/** Whether only the canary has the check with that id: one waivers file also serves runs without a canary. */
export function isOfCanary(id: string): boolean {
  return CANARY_CLAUSES.some((clause) => canaryCheckId(clause) === id);
}

/** The clauses with the checks of the canary in addition to their own: what a waiver of the probe may name. */
export function withCanaryChecks(clauses: readonly ListedClause[]): readonly ListedClause[] {
  return clauses.map((clause) => {
    const name = CANARY_CLAUSES.find((one) => one === clause.id);
    if (name === undefined) return clause;
    return { ...clause, checks: [...clause.checks, { id: canaryCheckId(name), title: 'The animal of the canary' }] };
  });
}
