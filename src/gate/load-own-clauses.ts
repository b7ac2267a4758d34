import { ownClausesOf, REWRITE_CHECKS } from '../judge/own-clause.ts';
import { type OwnClause, OwnClauseError } from '../oracle/own.ts';
import { messageOf } from '../wire/wording.ts';

/** Names that clauses for version 1 import for their checks. */
const OF_CHECKS = ['failOr', 'inconclusive', 'NEEDS', 'notApplicable', 'observed', 'pass', 'wrongStatus'];

/** What to do about a module that can't be loaded for that reason; empty if unknown. */
function adviceFor(cause: unknown, reason: string): string {
  if (!(cause instanceof SyntaxError)) return '';
  const [, missing = ''] = /does not provide an export named '(\w+)'/.exec(reason) ?? [];
  if (OF_CHECKS.includes(missing)) return `; it was for checks, which are gone since version 2.0.0: ${REWRITE_CHECKS}`;
  const isCommonJs = /import statement|'export'|import\.meta/.test(reason);
  return isCommonJs ? '; it is loaded as CommonJS: name it .mts or .mjs, or set "type": "module" in package.json' : '';
}

async function load(url: string): Promise<readonly OwnClause[]> {
  let module: Record<string, unknown>;
  try {
    module = (await import(url)) as Record<string, unknown>;
  } catch (cause) {
    const reason = messageOf(cause);
    throw new OwnClauseError(`cannot load the clauses of ${url}: ${reason}${adviceFor(cause, reason)}`, { cause });
  }
  return ownClausesOf(module, url);
}

/** The clauses of modules from outside, in the order of their URLs. Throws OwnClauseError for clauses that can't be judged. */
export async function loadOwnClauses(urls: readonly string[]): Promise<readonly OwnClause[]> {
  return (await Promise.all(urls.map(load))).flat();
}
