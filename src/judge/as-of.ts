// `--as-of`: what only a newer version of the suite finds is a warning.

import { newerThan } from '../clause/since.ts';
import type { JudgedPart } from '../oracle/oracle.ts';
import type { SessionClause } from '../oracle/world.ts';

/** Whether a part, its clause, or a request without which nothing would be wrong with it is newer than that version. */
export function newerParts(asOf: string, registry: readonly SessionClause[]): (part: JudgedPart) => boolean {
  const ids = new Set(newerThan(asOf, registry).map(({ id }) => id));
  // A request is attributed to the part that sent it.
  const senders = new Set<string | undefined>(
    registry.flatMap((clause) => clause.checks.filter((check) => ids.has(clause.id) || ids.has(check.id)).map(({ id }) => id)),
  );
  return ({ id, clause, outcome }) =>
    ids.has(clause.id) ||
    ids.has(id) ||
    (outcome.kind === 'fail' && outcome.findings.every(({ exchanges }) => exchanges.some(({ request }) => senders.has(request.asker))));
}
