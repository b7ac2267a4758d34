import { clauses as catalog } from '../../suites/index.ts';
import { EFFECTS, type ListedClause, type Step } from '../clause/clause.ts';
import type { CheckRecord, RunRecord } from '../clause/run-record.ts';
import { type Collected, NOTHING_COLLECTED } from '../gate/collected.ts';
import { listingOf } from '../gate/listing.ts';
import { makeRecord } from '../gate/make-record.ts';
import { askClosing } from '../judge/ask-closing.ts';
import { createInvariantJudge, type InvariantJudge } from '../judge/invariant-judge.ts';
import { describeInternalError, InternalError, judgeCheck, type SessionCheck, type SessionClause } from '../judge/judge-check.ts';
import { withOwnClauses } from '../judge/own-clause.ts';
import { planOf } from '../judge/run-direct.ts';
import { evidenceOf } from '../judge/run-evidence.ts';
import { selectClauses } from '../judge/select.ts';
import type { Waiver } from '../judge/waiver-file.ts';
import { UnreachableError } from '../session/client/wait-until-reachable.ts';
import { type OpenSession, openSession } from '../session/open-session.ts';
import { resolveSessionOptions, type SessionInput } from './session-defaults.ts';

/** What is judged, and how. Only the service and its key are needed. */
export type JudgeOptions = SessionInput & {
  /** Globs of clause and check ids, as for `--only`. */
  readonly only?: readonly string[];
  /** Globs of clause and check ids, as for `--skip`. */
  readonly skip?: readonly string[];
  /** Clauses of your own, made by `defineClause`. */
  readonly ownClauses?: readonly SessionClause[];
  /** Known failures. */
  readonly waivers?: readonly Waiver[];
  /** Advised breaks, and what is undecided because of the service, fail the run. */
  readonly strict?: boolean;
};

/** One check or invariant, for a loop of any test runner. */
export type JudgePart = {
  /** Stable: `list.success/without-parameters`. */
  readonly id: CheckRecord['id'];
  readonly title: string;
  readonly clause: ListedClause;
  readonly kind: CheckRecord['kind'];
  /** Checks of one step may run concurrently; those of a later step wait for them. Invariants come last. */
  readonly step: Step | 'invariants';
  /** Judges it, the first part reaches the service. Rejects when there is nothing to judge, or our own code broke. */
  judge(): Promise<CheckRecord>;
};

/** A run in the making. */
export type Judge = {
  /** In the order in which they are to be judged. */
  readonly parts: readonly JudgePart[];
  /** Asks the service once more, closes the session and sums up. Parts that nobody judged are inconclusive. */
  finish(): Promise<RunRecord>;
};

const LEFT_OUT = 'nobody asked for it in this run';

/**
 * There is nothing to judge: the service can't be reached, or what responds is not a pet store.
 *
 * @example
 * ```ts
 * import { createJudge, NothingToJudgeError } from '@petstore-conformance/cli';
 *
 * const judge = createJudge({ baseUrl: 'http://127.0.0.1:8080/v1', apiKey: 'secret' });
 * await judge.parts[0]?.judge().catch((error) => {
 *   if (error instanceof NothingToJudgeError) console.error(error.message);
 * });
 * ```
 */
export class NothingToJudgeError extends Error {
  override readonly name = 'NothingToJudgeError';
}

/** A session that was reached, with invariants that judge its exchanges. */
type Reached = { readonly open: OpenSession; readonly invariants: InvariantJudge };

async function reach(
  open: OpenSession,
  { clauses, collected }: { clauses: readonly SessionClause[]; collected: Collected },
): Promise<Reached> {
  try {
    await open.start();
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    collected.unreachable = open.redactText(error.message);
    throw new NothingToJudgeError(collected.unreachable, { cause: error });
  }
  const mistake = await open.firstContact();
  if (mistake !== undefined) {
    collected.mistaken = open.redactText(mistake);
    throw new NothingToJudgeError(collected.mistaken);
  }
  return { open, invariants: createInvariantJudge(open, clauses) };
}

/**
 * A run that your own test runner drives: loop over `parts` in their order, one test each, and ask `finish` for the whole.
 * A single part says what its check saw; whether the server is conformant says the record of `finish`.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict';
 * import test from 'node:test';
 * import { createJudge } from '@petstore-conformance/cli';
 *
 * const judge = createJudge({ baseUrl: 'http://127.0.0.1:8080/v1', apiKey: 'secret' });
 *
 * for (const part of judge.parts) {
 *   test(part.id, async (context) => {
 *     const { verdict, note } = await part.judge();
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
  const selection = { only, skip, exhaustive: session.depth !== 'quick' };
  const registry = withOwnClauses(catalog, ownClauses);
  const clauses = selectClauses(registry, selection);
  const collected: Collected = { records: [], internalErrors: [], ...NOTHING_COLLECTED, listing: listingOf(registry, selection) };
  const startedAt = new Date();
  const begin = performance.now();
  const opened = once(() => openSession(session));
  const reached = once(async () => reach(await opened(), { clauses, collected }));

  async function attempt<Value>(work: () => Promise<Value>): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof InternalError) collected.internalErrors.push(describeInternalError(error));
      throw error;
    }
  }

  function partOfCheck(clause: SessionClause, check: SessionCheck): JudgePart {
    const judge = once(() =>
      attempt(async () => {
        const { open } = await reached();
        const record = await judgeCheck(check, { clause, open });
        collected.records.push(record);
        return record;
      }),
    );
    return { id: check.id, title: check.title, clause, kind: 'check', step: check.step, judge };
  }

  function partOfInvariant(clause: SessionClause, { id, title }: SessionClause['invariants'][number]): JudgePart {
    const judge = (): Promise<CheckRecord> =>
      attempt(async () => {
        const { invariants } = await reached();
        const index = clauses.flatMap((one) => one.invariants).findIndex((one) => one.id === id);
        const settled = invariants.settleEach()[index] ?? new InternalError(`${id} was not judged`);
        if (settled instanceof InternalError) throw settled;
        return settled;
      });
    return { id, title, clause, kind: 'invariant', step: 'invariants', judge };
  }

  async function sumUp({ open, invariants }: Reached): Promise<void> {
    const recognized = open.session.knowledge.credible;
    const closing = recognized ? await askClosing(open) : undefined;
    for (const settled of invariants.settleEach()) {
      if (settled instanceof InternalError) collected.internalErrors.push(describeInternalError(settled));
      else collected.records.push(settled);
    }
    collected.recognized = recognized;
    collected.evidence = evidenceOf(open, closing);
    collected.requests = open.requests();
  }

  return {
    parts: [
      ...planOf({ clauses, effects: EFFECTS }).flatMap((group) => group.map(({ clause, check }) => partOfCheck(clause, check))),
      ...clauses.flatMap((clause) => clause.invariants.map((invariant) => partOfInvariant(clause, invariant))),
    ],
    finish: once(async () => {
      const open = await opened();
      try {
        await sumUp(await reached());
      } catch (error) {
        if (!(error instanceof NothingToJudgeError)) throw error;
      } finally {
        await open.session.close();
      }
      collected.summary = open.summary();
      const told = { session, reference: false, strict, only, skip, waivers, drift: () => [], today: startedAt };
      const listing = collected.listing ?? listingOf(registry, selection);
      const duration = Math.round(performance.now() - begin);
      return makeRecord({
        options: told,
        listing,
        collected,
        stopped: undefined,
        unasked: LEFT_OUT,
        startedAt: startedAt.toISOString(),
        duration,
      });
    }),
  };
}

/** Does the work at the first call; all calls get what came of that. */
function once<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let done: Promise<Value> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}
