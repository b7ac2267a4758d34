import type { ListedClause } from '../clause/clause.ts';
import type { SessionClause } from '../judge/judge-check.ts';
import { selectClauses } from '../judge/select.ts';

/** All clauses that there are, and those that a run was asked to judge, with their selected checks and invariants. */
export type Listing = { readonly registry: readonly ListedClause[]; readonly selected: readonly ListedClause[] };

type Selection = { readonly only: readonly string[]; readonly skip: readonly string[] };

const title = ({ id, title }: ListedClause['checks'][number]): ListedClause['checks'][number] => ({ id, title });

function listed(clause: SessionClause): ListedClause {
  return { ...clause, checks: clause.checks.map(title), invariants: clause.invariants.map(title) };
}

/** Throws SelectionError when a pattern matches nothing, or nothing is left. */
export function listingOf(registry: readonly SessionClause[], selection: Selection): Listing {
  return { registry: registry.map(listed), selected: selectClauses(registry, selection).map(listed) };
}

/** The same with the registry loaded for it, which takes a quarter of a second and 30 MB. */
export async function loadListing(selection: Selection): Promise<Listing> {
  const { clauses } = await import('../../suites/index.ts');
  return listingOf(clauses, selection);
}
