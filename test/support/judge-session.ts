import type { CheckId } from '../../src/clause/clause.ts';
import type { CheckRecord } from '../../src/clause/run-record.ts';
import { InternalError } from '../../src/judge/check.ts';
import { evidenceOf, type RunEvidence } from '../../src/judge/collected.ts';
import { createJudging, type JudgingOptions, type PlanOptions, planOf, type Sent, settleIn } from '../../src/judge/judging.ts';
import { askClosing } from '../../src/judge/run.ts';
import { unreportedDepartures } from '../../src/judge/settle-records.ts';
import type { OpenSession } from '../../src/session/open-session.ts';

export type JudgedSession = {
  readonly records: readonly CheckRecord[];
  readonly evidence: RunEvidence;
  /** The results of sending, by check. */
  readonly sent: ReadonlyMap<CheckId, Sent>;
};

/**
 * Judges in a started session, without a test runner, and strictly: throws an InternalError if the suite itself broke, or if a departure
 * was read through that no clause reports. `explained`: the verdicts say when clauses are broken.
 */
export async function judgeSession(
  open: OpenSession,
  { registry, explained = true, ...options }: PlanOptions & Pick<JudgingOptions, 'registry'> & { readonly explained?: boolean },
): Promise<JudgedSession> {
  const plan = planOf(options);
  const judging = createJudging(open, {
    ...{ clauses: options.clauses, plan, decides: explained, contrasts: explained },
    ...(registry === undefined ? {} : { registry }),
  });
  await judging.run();
  const { credible } = open.session.knowledge;
  const evidence = evidenceOf(open, credible ? await askClosing(open) : undefined);
  const { records: made, errors } = judging.judged();
  if (errors[0] !== undefined) throw errors[0];
  const records = settleIn(open, made);
  const [unreported] = credible ? unreportedDepartures(records, open.summary().departures) : [];
  if (unreported !== undefined) throw new InternalError(unreported);
  return { records, evidence, sent: judging.sent() };
}
