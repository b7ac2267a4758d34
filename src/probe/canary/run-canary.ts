import { clauses } from '../../../suites/index.ts';
import { sessionOptions, type TargetRun } from '../judge-target.ts';
import type { Target } from '../target.ts';
import type { CanaryPlan } from './canary-checks.ts';
import { judgeCanary } from './judge-canary.ts';
import type { Settlement } from './ledger.ts';
import { mergeRuns } from './merge-runs.ts';

export type RunCanaryOptions = {
  readonly target: Target;
  /** The remaining milliseconds of the run. */
  readonly deadline: number;
  readonly now: Date;
  readonly settle: (number: number, settlement: Settlement) => void;
};

/** The run with its planned canary, judged by all clauses. */
export async function runCanary(run: TargetRun, plan: CanaryPlan, options: RunCanaryOptions): Promise<TargetRun> {
  const { target, deadline, now, settle } = options;
  const canary = await judgeCanary(plan, { clauses, session: sessionOptions(target, now), deadline, settle });
  return mergeRuns(run, canary, { target, clauses, now });
}
