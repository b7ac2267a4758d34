// Records of version 1, in which the parts of a clause had verdicts of their own, as records of today.

import { judgedShares } from '../clause/clause-counts.ts';
import { type ClauseHead, joinParts, type PartRecord } from '../clause/part-record.ts';
import { RUN_RECORD_VERSION, type RunRecord } from '../clause/run-record.ts';
import { isRecord } from '../wire/parse-json.ts';

/** The versions of report.json that this release reads. */
export const READ_VERSIONS: readonly unknown[] = [1, RUN_RECORD_VERSION];

type Version1 = Omit<RunRecord, 'version' | 'clauses' | 'judged' | 'plan'> & {
  readonly clauses: readonly (Omit<ClauseHead, 'flaky'> & { readonly flaky?: boolean; readonly undecided?: number })[];
  readonly checks: readonly PartRecord[];
  readonly judged?: unknown;
  readonly passing?: unknown;
};

/** A record of version 1 as one of today; any other value as it is. Throws TypeError for one that is damaged. */
export function upgradeRecord(value: unknown): unknown {
  if (!isRecord(value) || value['version'] !== 1) return value;
  const { checks, clauses: heads, judged: _judged, passing: _passing, ...rest } = value as Version1;
  const parts = Map.groupBy(checks, ({ clause }) => clause);
  const clauses = heads.map(({ undecided: _undecided, flaky, ...head }) =>
    joinParts({ ...head, ...(flaky === true ? { flaky } : {}) }, parts.get(head.id) ?? []),
  );
  const clauseOf = new Map<string, string>(checks.map(({ id, clause }) => [id, clause]));
  const reasons = [...new Set(rest.conclusion.reasons.map((reason) => clauseOf.get(reason) ?? reason))];
  const conclusion = { ...rest.conclusion, reasons };
  return { ...rest, version: RUN_RECORD_VERSION, conclusion, judged: judgedShares(clauses), clauses };
}
