import type { SessionClause } from '../judge/judge-check.ts';
import { OwnClauseError, ownClausesOf } from '../judge/own-clause.ts';

async function load(url: string): Promise<readonly SessionClause[]> {
  let module: Record<string, unknown>;
  try {
    module = (await import(url)) as Record<string, unknown>;
  } catch (cause) {
    throw new OwnClauseError(`cannot load the clauses of ${url}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
  return ownClausesOf(module, url);
}

/** The clauses of modules from outside, in the order of their URLs. Throws OwnClauseError for those that can't be judged. */
export async function loadOwnClauses(urls: readonly string[]): Promise<readonly SessionClause[]> {
  return (await Promise.all(urls.map(load))).flat();
}
