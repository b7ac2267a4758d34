import type { RunRecord } from '../clause/run-record.ts';
import { createJudge, type JudgeOptions } from './create-judge.ts';

/**
 * Judges a server once, as `petstore-conformance run` does, without a test runner. Returns the run record, also for a server that is broken
 * or can't be reached: `conclusion.exitCode` is the verdict.
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
  return createJudge({ ...options, baseUrl }).finish();
}
