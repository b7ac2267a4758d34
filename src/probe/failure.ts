import type { Level } from '../clause/clause.ts';
import type { CheckRecord } from '../clause/run-record.ts';
import { FAILURE_REASONS, type FailureReason, type SampleFailure } from './sample.ts';

/** Clauses whose break is one of shape: what came is not what was described. */
const SCHEMA_CLAUSES = /^(?:record\.pets?|errors\.shape|media\.)/;
/** Clauses whose break is a wrong status code. */
const STATUS_CLAUSES =
  /^(?:[a-z]+\.success|auth\.|get\.not-found|list\.(?:limit|status)-accepted|errors\.(?:status-agrees|no-server-error)|deprecation\.still-works)/;

/** Why a check failed, in one of the closed list of words. */
export function reasonOf(check: Pick<CheckRecord, 'clause' | 'findings'>): FailureReason {
  const answer = check.findings[0]?.exchanges.at(-1)?.answer;
  if (answer?.kind === 'failed') return FAILURE_REASONS.find((reason) => reason === answer.reason) ?? 'protocol';
  if (SCHEMA_CLAUSES.test(check.clause)) return 'schema';
  if (STATUS_CLAUSES.test(check.clause) || (answer?.kind === 'answered' && answer.status >= 500)) return 'status';
  return 'assertion';
}

/** A failed check or invariant as a sample keeps it. */
export function failureOf(check: CheckRecord, level: Level): SampleFailure {
  return { clause: check.clause, level, check: check.id, reason: reasonOf(check), summary: check.note };
}
