import { EFFECTS } from '../clause/clause.ts';
import { Halt } from '../clause/halt.ts';
import type { Verdict } from '../clause/outcome.ts';
import type { CheckRecord, RunRecord } from '../clause/run-record.ts';
import { type OpenSession, openSession } from '../session/open-session.ts';
import type { SessionOptions } from '../session/session.ts';
import { createInvariantJudge } from './invariant-judge.ts';
import { judgeCheck, type SessionClause } from './judge-check.ts';
import { type Recorded, resend } from './resend.ts';
import { planOf } from './run-direct.ts';
import { globMatcher, SelectionError, selectClauses, suggestAmong } from './select.ts';

/** `fixed` in all tries, `still failing` in all, `flaky` in some, or not to be seen. */
export const REPLAY_STATES = ['fixed', 'still failing', 'flaky', 'inconclusive'] as const;
export type ReplayState = (typeof REPLAY_STATES)[number];

/** What became of a failure: in all tries gone, in all there, in some, or not to be seen (with the reason). */
export type Replayed = {
  readonly id: CheckRecord['id'];
  readonly clause: CheckRecord['clause'];
  /** It fails no run that is not strict. */
  readonly warning: boolean;
  readonly state: ReplayState;
  readonly failed: number;
  readonly tries: number;
  /** What was found, or why nothing could be. */
  readonly note: string;
};

export type ReplayOptions = {
  readonly registry: readonly SessionClause[];
  readonly session: SessionOptions;
  readonly tries: number;
  /** The run that failed. */
  readonly record: RunRecord;
  /** Those of its failures that are judged again. */
  readonly failures: readonly CheckRecord[];
};

/** Findings of an invariant whose exchanges are sent again: one of each kind comes first, and each creation stays in the store. */
const MOST_RESENT = 3;

const NOT_RESENT = 'the report does not contain the whole request; "run --only" with this id judges it on a whole run';

/**
 * The failing checks and invariants of a run, or those of them that patterns name: a chapter, or clauses and checks. Throws SelectionError for a
 * pattern that names none.
 */
export function failuresToReplay(record: RunRecord, patterns: readonly string[]): readonly CheckRecord[] {
  const failures = record.checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'waived');
  const chapters = new Map(record.clauses.map(({ id, chapter }) => [id, chapter]));
  const wanted = patterns.map((pattern) => {
    const matches = globMatcher(pattern);
    const named = failures.filter(({ id, clause }) => chapters.get(clause) === pattern || matches(clause) || matches(id));
    if (named.length > 0) return named;
    const near = suggestAmong(pattern, [...new Set(failures.flatMap(({ clause, id }) => [clause, id]))]);
    throw new SelectionError(`no check or clause that failed matches "${pattern}"${near === undefined ? '' : `: ${near}`}`);
  });
  return wanted.length === 0 ? failures : failures.filter((check) => wanted.some((named) => named.includes(check)));
}

/** Sends the exchanges that showed a break of an invariant; a check makes its own anew. */
async function resendAll(failures: readonly CheckRecord[], open: OpenSession, recorded: Recorded): Promise<boolean> {
  let whole = true;
  for (const exchange of failures.flatMap(({ findings }) => findings.slice(0, MOST_RESENT).flatMap(({ exchanges }) => exchanges))) {
    try {
      whole = (await resend(exchange, open.session, recorded)) && whole;
    } catch (error) {
      if (!(error instanceof Halt)) throw error;
      whole = false;
    }
  }
  return whole;
}

/** One try in a session of its own: checks run as they did, invariants judge the recorded requests and those of the checks. */
async function tryOnce(failures: readonly CheckRecord[], { registry, session, record }: ReplayOptions): Promise<Map<string, CheckRecord>> {
  const clauses = selectClauses(registry, { only: failures.map(({ id }) => id), skip: [], exhaustive: true });
  const open = await openSession(session);
  try {
    await open.start();
    const invariants = createInvariantJudge(open, clauses);
    const recorded = { baseUrl: record.target.baseUrl, prefix: record.animals.prefix };
    // A valid animal has to be seen before anything counts as kept.
    if (failures.some(({ kind }) => kind === 'invariant')) await open.session.api.list();
    const whole = await resendAll(
      failures.filter(({ kind }) => kind === 'invariant'),
      open,
      recorded,
    );
    const records: CheckRecord[] = [];
    for (const { clause, check } of planOf({ clauses, effects: EFFECTS }).flat()) records.push(await judgeCheck(check, { clause, open }));
    const settled = invariants.settle().map((invariant): CheckRecord => {
      return invariant.verdict === 'fail' || whole ? invariant : { ...invariant, verdict: 'inconclusive', note: NOT_RESENT };
    });
    return new Map([...records, ...settled].map((one) => [one.id as string, one]));
  } finally {
    await open.session.close();
  }
}

function sumUp(failure: CheckRecord, { tries, warning }: { tries: readonly (CheckRecord | undefined)[]; warning: boolean }): Replayed {
  const count = (wanted: Verdict): number => tries.filter((one) => one?.verdict === wanted).length;
  const failed = count('fail');
  const passed = count('pass') + count('observed') + count('not-applicable');
  const { id, clause } = failure;
  const base = { id, clause, warning, failed, tries: tries.length };
  const noteOf = (...verdicts: readonly Verdict[]): string => {
    const notes = verdicts.flatMap((verdict) => tries.filter((one) => one?.verdict === verdict).map((one) => one?.note));
    return notes[0] ?? 'it is not among the checks of this release';
  };
  if (failed > 0) return { ...base, state: failed === tries.length ? 'still failing' : 'flaky', note: noteOf('fail') };
  if (passed === tries.length) return { ...base, state: 'fixed', note: noteOf('pass', 'observed', 'not-applicable') };
  return { ...base, state: 'inconclusive', note: noteOf('inconclusive') };
}

/**
 * Judges the failures of a run again, several times. Throws UnreachableError; SelectionError when the registry no longer
 * has one of them.
 */
export async function replay(options: ReplayOptions): Promise<readonly Replayed[]> {
  const { failures, record } = options;
  const advised = new Set(record.clauses.filter(({ level }) => !record.options.strict && level === 'advised').map(({ id }) => id));
  const known = new Set(options.registry.flatMap(({ checks, invariants }) => [...checks, ...invariants].map(({ id }) => id)));
  const present = failures.filter(({ id }) => known.has(id));
  const tries: Map<string, CheckRecord>[] = [];
  for (let number = 0; number < options.tries; number += 1) tries.push(present.length === 0 ? new Map() : await tryOnce(present, options));
  return failures.map((failure) =>
    sumUp(failure, { tries: tries.map((one) => one.get(failure.id)), warning: advised.has(failure.clause) }),
  );
}
