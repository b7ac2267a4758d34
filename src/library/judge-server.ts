import type { RunRecord } from '../clause/run-record.ts';
import { createJudge, type JudgeOptions, type JudgePart, NothingToJudgeError } from './create-judge.ts';

/** Parts of one step, in the order of the steps. */
function groupsOf(parts: readonly JudgePart[]): readonly (readonly JudgePart[])[] {
  const groups = new Map<JudgePart['step'], JudgePart[]>();
  for (const part of parts) groups.set(part.step, [...(groups.get(part.step) ?? []), part]);
  return [...groups.values()];
}

/**
 * Judges a server once, as `petstore-conformance run` does, without a test runner. Gives the run record, also for a server that is broken or can't
 * be reached: `conclusion.exitCode` is the verdict.
 *
 * @example
 * ```ts
 * import { judgeServer, reporters } from '@petstore-conformance/cli';
 *
 * const record = await judgeServer('http://127.0.0.1:8080/v1', { apiKey: 'secret', only: ['list.*'] });
 * console.log(record.conclusion.headline);
 * console.log(reporters.markdown(record));
 * ```
 *
 * @throws SelectionError when a glob matches nothing, OwnClauseError for clauses that can't be judged, TypeError for a bad address or key.
 */
export async function judgeServer(baseUrl: string, options: Omit<JudgeOptions, 'baseUrl'>): Promise<RunRecord> {
  const judge = createJudge({ ...options, baseUrl });
  for (const group of groupsOf(judge.parts)) {
    const settled = await Promise.allSettled(group.map((part) => part.judge()));
    // What our own code broke in is in the record.
    if (settled.some((one) => one.status === 'rejected' && one.reason instanceof NothingToJudgeError)) break;
  }
  return judge.finish();
}
