// A run of rows from the first contact to what it tells, as plain data.

import type { ClauseId } from '../clause/clause.ts';
import type { ConditionWording } from '../plan/halve.ts';
import { UnreachableError } from '../wire/meant-service.ts';
import { sessionRedactor, showText } from '../wire/redact.ts';
import { type Again, repairOf } from './again.ts';
import { type ClauseRecordOptions, clauseRecordsOf } from './clause-records.ts';
import { errorsOfOwn } from './own-clause.ts';
import { emptyRunData, type RunData } from './record.ts';
import { recordsOfRepair } from './repair.ts';
import { type RunInput, type RunResult, runSuite } from './run.ts';
import { runTimelineOf } from './run-timeline.ts';
import { unmetNotices } from './selection.ts';
import { evidenceOf, summaryOf } from './summary.ts';

/** What a run takes from the suite, and what it is told. */
export type JudgingJob = Omit<RunInput, 'wording'> & { readonly wording: ConditionWording };

type RunDataOptions = ClauseRecordOptions & {
  /** The clauses that are judged; all without it. */
  readonly only?: ReadonlySet<ClauseId> | undefined;
  /** The clauses that an earlier run has seen broken, and by what, if nothing else was sent. */
  readonly again?: readonly Again[] | undefined;
};

export function runDataOf(result: RunResult, { again, only, ...options }: RunDataOptions): RunData {
  const { mistake, pairs, verdicts, world } = result;
  const summary = summaryOf(result, options.session);
  const unmet = mistake === undefined && only !== undefined && again === undefined ? unmetNotices(verdicts) : [];
  const clauses = mistake === undefined ? clauseRecordsOf(result, options) : [];
  const repair = again === undefined ? undefined : repairOf(again, result);
  return {
    clauses: again === undefined || repair === undefined ? clauses : recordsOfRepair(clauses, { again, repair }),
    ...{ summary: { ...summary, notices: [...summary.notices, ...unmet] }, evidence: evidenceOf(result, options.session) },
    ...{ isRecognized: world.isCredible, timeline: runTimelineOf(result), errors: [] },
    ...(repair === undefined ? { plan: { pairs } } : { repair }),
    ownErrors: errorsOfOwn(result.verdicts).map(({ message }) => message),
    ...(mistake === undefined ? {} : { mistaken: mistake }),
  };
}

/** What sends again, instead of the plan, what had shown clauses broken. */
function jobOfRepetition(job: RunInput, again: readonly Again[] | undefined): RunInput {
  if (again === undefined) return job;
  if (job.again === undefined) throw new Error('the suite does not say how to send again what was broken');
  const { only: _only, ...rest } = job;
  return { ...rest, opening: job.again.opening, planOf: job.again.planOf(again) };
}

/** A whole run, or with `again` only what had shown clauses broken. Never rejects: exceptions of the suite are listed in the errors. */
export async function judgeRun(job: RunInput, options: Omit<RunDataOptions, 'session' | 'only'>): Promise<RunData> {
  const session = job.options;
  const redact = sessionRedactor(session);
  try {
    return runDataOf(await runSuite(jobOfRepetition(job, options.again)), { ...options, session, only: job.only });
  } catch (error) {
    if (error instanceof UnreachableError) return { ...emptyRunData(session), unreachable: showText(error.message, redact) };
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { ...emptyRunData(session), errors: [showText(text, redact)] };
  }
}
