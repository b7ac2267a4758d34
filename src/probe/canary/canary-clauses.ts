import type { CheckId, ListedClause } from '../../clause/clause.ts';

/** The clauses that the canary has checks of its own for. */
export const CANARY_CLAUSES = ['create.success', 'create.round-trip', 'list.complete', 'get.durable', 'get.identity'] as const;
export type CanaryClause = (typeof CANARY_CLAUSES)[number];

/** What the ids of the canary's checks end in. */
export const CANARY_SLUG = 'canary';

/** The id of the canary's check of a clause. */
function canaryCheckId(clause: CanaryClause): CheckId {
  return `${clause}/${CANARY_SLUG}`;
}

/** Whether an id is that of a check which only the canary has: one file of waivers serves runs that have no canary too. */
export function isOfCanary(id: string): boolean {
  return CANARY_CLAUSES.some((clause) => canaryCheckId(clause) === id);
}

/** The clauses with the checks of the canary besides their own: what a waiver of the probe may name. */
export function withCanaryChecks(clauses: readonly ListedClause[]): readonly ListedClause[] {
  return clauses.map((clause) => {
    const name = CANARY_CLAUSES.find((one) => one === clause.id);
    if (name === undefined) return clause;
    return { ...clause, checks: [...clause.checks, { id: canaryCheckId(name), title: 'The animal of the canary' }] };
  });
}
