import { type Listing, listingOf } from '../judge/listing.ts';
import { OwnClauseError, ownClausesOf, withOwnClauses } from '../judge/own-clause.ts';
import type { Selection } from '../judge/select.ts';
import type { SessionClause } from '../oracle/rule.ts';

async function load(url: string): Promise<readonly SessionClause[]> {
  let module: Record<string, unknown>;
  try {
    module = (await import(url)) as Record<string, unknown>;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const isCommonJs = cause instanceof SyntaxError && /import statement|'export'|import\.meta/.test(reason);
    const advice = isCommonJs ? `; it is loaded as CommonJS: name it .mts or .mjs, or set "type": "module" in package.json` : '';
    throw new OwnClauseError(`cannot load the clauses of ${url}: ${reason}${advice}`, { cause });
  }
  return ownClausesOf(module, url);
}

/** The clauses of modules from outside, in the order of their URLs. Throws OwnClauseError for those that can't be judged. */
export async function loadOwnClauses(urls: readonly string[]): Promise<readonly SessionClause[]> {
  return (await Promise.all(urls.map(load))).flat();
}

/** What a run is asked to judge, with the registry loaded for it, which takes a quarter of a second and 30 MB. */
export async function loadListing(selection: Selection, ownClauses: readonly string[]): Promise<Listing> {
  const { clauses } = await import('../../suites/index.ts');
  return listingOf(withOwnClauses(clauses, await loadOwnClauses(ownClauses)), selection);
}
