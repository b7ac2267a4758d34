import type { ListedClause } from '../clause/clause.ts';
import type { SessionClause } from '../oracle/rule.ts';
import { type Selection, selectClauses } from './select.ts';

/** All clauses, and those that a run judges, with their selected checks and invariants. */
export type Listing = {
  readonly registry: readonly ListedClause[];
  readonly selected: readonly ListedClause[];
  /** The number of exhaustive checks that the depth leaves out. */
  readonly leftOut: number;
};

const title = ({ id, title }: ListedClause['checks'][number]): ListedClause['checks'][number] => ({ id, title });

function listed({ rules: _rules, ...clause }: SessionClause): ListedClause {
  return { ...clause, checks: clause.checks.map(title), invariants: clause.invariants.map(title) };
}

const checksOf = (clauses: readonly SessionClause[]): number => clauses.reduce((sum, { checks }) => sum + checks.length, 0);

/** Throws SelectionError if a pattern matches nothing, or nothing is left. */
export function listingOf(registry: readonly SessionClause[], selection: Selection): Listing {
  const selected = selectClauses(registry, selection);
  const leftOut = checksOf(selectClauses(registry, { ...selection, exhaustive: true })) - checksOf(selected);
  return { registry: registry.map(listed), selected: selected.map(listed), leftOut };
}
