import { clauses } from '../../suites/index.ts';
import { judgeReference } from './judge-reference.ts';
import { settingOf } from './result.ts';

/** What a run with `--only CLAUSE` says of a server, and what it sends for it. */
export type Only = {
  /** Whether the clause is red. */
  readonly red: boolean;
  readonly requests: number;
  readonly created: number;
};

/** Judges a server with these faults, or the conforming one, by one clause alone. */
export async function judgeOnly(clause: string, names: readonly string[]): Promise<Only> {
  const { server, session } = settingOf(names);
  // As a selection of the clause does: what mixes requests of all kinds is left out.
  const judged = clauses
    .filter(({ id }) => id === clause)
    .map((one) => ({ ...one, checks: one.checks.filter(({ mixing }) => mixing !== true) }));
  const { records, requests, created } = await judgeReference(server, { session, judged });
  return { red: records.some((record) => record.clause === clause && record.verdict === 'fail'), requests, created };
}
