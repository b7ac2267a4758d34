import { versionsOf } from '../../suites/tables/tables.ts';
import type { ClauseId, Wording } from '../clause/clause.ts';
import type { ClauseRecord } from '../clause/clause-record.ts';
import type { RunRecord } from '../clause/run-record.ts';
import { toolVersion } from '../gate/package-files.ts';
import { planRun } from '../gate/plan-run.ts';
import { judgeRun } from '../judge/judging.ts';
import { runRecordOf } from '../judge/record.ts';
import type { Waiver } from '../judge/waiver-file.ts';
import type { OwnClause } from '../oracle/own.ts';
import { once } from '../wire/once.ts';
import { resolveSessionOptions, type SessionInput } from './session-defaults.ts';

/** What is judged, and how. Only the service and its key are needed. */
export type JudgeOptions = SessionInput & {
  /** Chapters, and globs of clause ids, as for `--only`. */
  readonly only?: readonly string[];
  /** Chapters, and globs of clause ids, as for `--skip`. */
  readonly skip?: readonly string[];
  /** Clauses of your own, made by `defineClause`. */
  readonly ownClauses?: readonly OwnClause[];
  /** Known failures. */
  readonly waivers?: readonly Waiver[];
  /** Advised breaches, and what is undecided because of the service, fail the run. */
  readonly strict?: boolean;
};

/** One clause, for a loop of any test runner. */
export type JudgeClause = Wording & {
  /** Its verdict, from the one run that all clauses share. Rejects if there is nothing to judge, or if the suite itself broke. */
  judge(): Promise<ClauseRecord>;
};

/** A run that has not been judged yet. */
export type Judge = {
  /** In the order of the document. */
  readonly clauses: readonly JudgeClause[];
  /** The whole run, judged now unless a clause was judged before. */
  finish(): Promise<RunRecord>;
};

/**
 * There is nothing to judge: the service can't be reached, or what responds is not a pet store.
 *
 * @example
 * ```ts
 * import { createJudge, NothingToJudgeError } from '@petstore-conformance/cli';
 *
 * const judge = createJudge({ baseUrl: 'http://127.0.0.1:8080/v1', apiKey: 'secret' });
 * await judge.clauses[0]?.judge().catch((error) => {
 *   if (error instanceof NothingToJudgeError) console.error(error.message);
 * });
 * ```
 */
export class NothingToJudgeError extends Error {
  override readonly name = 'NothingToJudgeError';
}

/**
 * A run for your own test runner: loop over `clauses`, one test each. The first clause to be judged starts the run, which judges everything
 * that was selected (`only` and `skip`) once; each clause then returns its verdict, and `finish` the record, which says whether the server is
 * conformant.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict';
 * import test from 'node:test';
 * import { createJudge } from '@petstore-conformance/cli';
 *
 * const judge = createJudge({ baseUrl: 'http://127.0.0.1:8080/v1', apiKey: 'secret' });
 *
 * for (const clause of judge.clauses) {
 *   test(`${clause.id}: ${clause.requirement}`, async (context) => {
 *     const { verdict, note } = await clause.judge();
 *     assert.notEqual(verdict, 'fail', note);
 *     if (verdict === 'inconclusive') context.skip(note);
 *   });
 * }
 *
 * test('the server is conformant', async () => {
 *   const { conclusion } = await judge.finish();
 *   assert.equal(conclusion.exitCode, 0, conclusion.headline);
 * });
 * ```
 *
 * @throws SelectionError when a glob matches nothing, OwnClauseError for clauses that can't be judged, TypeError for a bad address or key.
 */
export function createJudge(options: JudgeOptions): Judge {
  const { only = [], skip = [], ownClauses = [], waivers = [], strict = false, ...input } = options;
  const session = resolveSessionOptions(input);
  const { run: job, listing, selected } = planRun({ session, own: ownClauses, only, skip });

  const run = once(async () => {
    const today = new Date();
    const begin = performance.now();
    const data = await judgeRun(job, { versionsOf });
    const record = runRecordOf({
      options: {
        ...{ session, reference: false, strict, only, skip, waivers, drift: () => [], today, version: toolVersion },
        ...listing,
      },
      ...{ data, stopped: undefined, startedAt: today.toISOString(), duration: Math.round(performance.now() - begin) },
    });
    return { data, record };
  });

  async function judge(id: ClauseId): Promise<ClauseRecord> {
    const { data, record } = await run();
    const nothing = data.unreachable ?? data.mistaken;
    if (nothing !== undefined) throw new NothingToJudgeError(nothing);
    const found = record.clauses.find((clause) => clause.id === id);
    if (found === undefined) throw new Error(data.errors[0] ?? `${id} has no verdict`);
    return found;
  }

  return {
    clauses: selected.map(({ rules: _rules, must: _must, rows: _rows, open: _open, ...wording }) => ({
      ...wording,
      judge: () => judge(wording.id),
    })),
    finish: async () => (await run()).record,
  };
}

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
