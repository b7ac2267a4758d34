import type { ListedClause } from '../clause/clause.ts';
import type { SessionClause } from '../judge/judge-check.ts';
import { withOwnClauses } from '../judge/own-clause.ts';
import { type Selection, selectClauses } from '../judge/select.ts';
import { loadOwnClauses } from './load-own-clauses.ts';

/** All clauses that there are, and those that a run was asked to judge, with their selected checks and invariants. */
export type Listing = {
  readonly registry: readonly ListedClause[];
  readonly selected: readonly ListedClause[];
  /** How many exhaustive checks the depth leaves out. */
  readonly leftOut: number;
};

const title = ({ id, title }: ListedClause['checks'][number]): ListedClause['checks'][number] => ({ id, title });

function listed(clause: SessionClause): ListedClause {
  return { ...clause, checks: clause.checks.map(title), invariants: clause.invariants.map(title) };
}

const checksOf = (clauses: readonly SessionClause[]): number => clauses.reduce((sum, { checks }) => sum + checks.length, 0);

/** Throws SelectionError when a pattern matches nothing, or nothing is left. */
export function listingOf(registry: readonly SessionClause[], selection: Selection): Listing {
  const selected = selectClauses(registry, selection);
  const leftOut = checksOf(selectClauses(registry, { ...selection, exhaustive: true })) - checksOf(selected);
  return { registry: registry.map(listed), selected: selected.map(listed), leftOut };
}

/** The same with the registry loaded for it, which takes a quarter of a second and 30 MB. */
export async function loadListing(selection: Selection, ownClauses: readonly string[]): Promise<Listing> {
  const { clauses } = await import('../../suites/index.ts');
  return listingOf(withOwnClauses(clauses, await loadOwnClauses(ownClauses)), selection);
}
