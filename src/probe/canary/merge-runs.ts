import { passNote, type Verdict } from '../../clause/outcome.ts';
import type { CheckRecord, OperationStatistics } from '../../clause/run-record.ts';
import type { SessionClause } from '../../oracle/rule.ts';
import { type TargetRun, targetRecord } from '../judge-target.ts';
import type { Target } from '../target.ts';
import type { CanaryRun } from './judge-canary.ts';

export type MergeContext = { readonly target: Target; readonly clauses: readonly SessionClause[]; readonly now: Date };

/** Which of two verdicts on one invariant says more. */
const WEIGHT: Readonly<Record<Verdict, number>> = { 'not-applicable': 0, inconclusive: 1, observed: 2, pass: 3, waived: 4, fail: 5 };

/** One invariant, judged on the exchanges of two sessions. */
function mergeRecord(read: CheckRecord, canary: CheckRecord): CheckRecord {
  const [heavier, lighter] = WEIGHT[canary.verdict] > WEIGHT[read.verdict] ? [canary, read] : [read, canary];
  if (heavier.evidence === undefined || lighter.evidence === undefined) return heavier;
  const judged = heavier.evidence.judged + lighter.evidence.judged;
  const broken = heavier.evidence.broken + lighter.evidence.broken;
  const note = heavier.verdict === 'pass' ? passNote(judged) : heavier.note;
  return { ...heavier, note, evidence: { judged, broken } };
}

/** Checks of the canary come first: its own row explains a defect better than an invariant that the same defect breaks. */
function mergeChecks(read: readonly CheckRecord[], canary: readonly CheckRecord[]): CheckRecord[] {
  const known = new Set(read.map(({ id }) => id));
  const others = new Map(canary.map((record) => [record.id, record]));
  const merged = read.map((record) => {
    const other = others.get(record.id);
    return other === undefined ? record : mergeRecord(record, other);
  });
  // Invariants that no exchange of the canary concerned say nothing, and are not part of what the probe judges.
  const added = canary.filter(({ id, evidence }) => !known.has(id) && evidence?.judged !== 0);
  return [...added, ...merged];
}

function mergeOperations(read: readonly OperationStatistics[], canary: readonly OperationStatistics[]): OperationStatistics[] {
  return read.map((one) => {
    const other = canary.find(({ operation }) => operation === one.operation);
    if (other === undefined) return one;
    const statuses: Record<string, number> = { ...one.statuses };
    for (const [status, count] of Object.entries(other.statuses)) statuses[status] = (statuses[status] ?? 0) + count;
    return { ...one, requests: one.requests + other.requests, statuses, durations: [...one.durations, ...other.durations] };
  });
}

/** The reads of a run and what its canary did, as one run. */
export function mergeRuns(run: TargetRun, canary: CanaryRun, { target, clauses, now }: MergeContext): TargetRun {
  const { record, evidence } = run;
  const errors = [...run.errors, ...canary.errors];
  const late = run.late || canary.late;
  const { startedAt, duration, tool, options, traits } = record;
  const merged = targetRecord(mergeChecks(record.checks, canary.checks), {
    ...{ target, clauses, now, errors, late, evidence, startedAt, duration, version: tool.version, unreachable: undefined },
    ...{ strict: options.strict, reference: record.target.reference, readOnly: options.readOnly && canary.animals.budget === 0 },
    summary: {
      animals: canary.animals,
      operations: mergeOperations(record.operations, canary.operations),
      traits: {
        headers: { ...canary.traits.headers, ...traits.headers },
        members: { ...canary.traits.members, ...traits.members },
      },
      departures: record.departures,
      notices: [...new Set([...record.notices, ...canary.notices])],
    },
  });
  return { ...run, late, errors, record: merged };
}
