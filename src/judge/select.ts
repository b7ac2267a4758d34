import type { SessionClause } from './judge-check.ts';

/** A pattern of --only or --skip that matches no clause and no check. */
export class SelectionError extends Error {
  override readonly name = 'SelectionError';
}

const SUGGESTIONS = 5;

/** `*` is any text, also across dots and slashes; everything else is itself. */
function matcher(glob: string): (id: string) => boolean {
  const source = glob.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*');
  const whole = new RegExp(`^${source}$`);
  return (id) => whole.test(id);
}

function idsOf(clauses: readonly SessionClause[]): string[] {
  return clauses.flatMap((clause) => [clause.id, ...[...clause.checks, ...clause.invariants].map(({ id }) => id)]);
}

function near(glob: string, ids: readonly string[]): string {
  const letters = glob.replaceAll('*', '').toLowerCase();
  const alike = ids.filter((id) => id.includes(letters) || id.split(/[./-]/).some((word) => word.length > 3 && letters.includes(word)));
  return alike.length === 0 ? '`petstore-conformance list checks` shows all ids' : `did you mean ${alike.slice(0, SUGGESTIONS).join(', ')}?`;
}

/** The clauses with those checks and invariants that `only` names (all, when it is empty) and `skip` does not. */
export function selectClauses(
  clauses: readonly SessionClause[],
  { only, skip }: { only: readonly string[]; skip: readonly string[] },
): readonly SessionClause[] {
  const ids = idsOf(clauses);
  for (const glob of [...only, ...skip]) {
    if (!ids.some(matcher(glob))) throw new SelectionError(`"${glob}" matches no clause and no check: ${near(glob, ids)}`);
  }
  const wanted = only.map(matcher);
  const unwanted = skip.map(matcher);
  const chosen = clauses
    .map((clause) => {
      const keep = ({ id }: { readonly id: string }): boolean => {
        const matches = (match: (id: string) => boolean): boolean => match(id) || match(clause.id);
        return (wanted.length === 0 || wanted.some(matches)) && !unwanted.some(matches);
      };
      return { ...clause, checks: clause.checks.filter(keep), invariants: clause.invariants.filter(keep) };
    })
    .filter(({ checks, invariants }) => checks.length + invariants.length > 0);
  if (chosen.length === 0) throw new SelectionError('--only and --skip together leave nothing to judge');
  return chosen;
}
