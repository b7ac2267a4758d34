import { EFFECTS } from '../clause/clause.ts';
import { presentId } from '../clause/clause-ids.ts';
import { Halt } from '../clause/halt.ts';
import type { Verdict } from '../clause/outcome.ts';
import { globMatcher, SelectionError, suggestAmong } from '../clause/patterns.ts';
import type { CheckRecord, RunRecord } from '../clause/run-record.ts';
import type { SessionClause } from '../oracle/world.ts';
import { type OpenSession, openSession } from '../session/open-session.ts';
import type { SessionOptions } from '../session/session.ts';
import type { RedactedExchange } from '../wire/redacted-exchange.ts';
import { createJudging, planOf } from './judging.ts';
import { createResending, foreignPart, type Recorded, type Resending } from './resend.ts';
import { SANITY, selectClauses } from './selection.ts';

/**
 * `fixed` in all tries, `still failing` in all, `flaky` in some, or `inconclusive`; `newly failing`: a part of the sanity round that did
 * not fail before.
 */
export const REPLAY_STATES = ['fixed', 'still failing', 'newly failing', 'flaky', 'inconclusive'] as const;
export type ReplayState = (typeof REPLAY_STATES)[number];

/** The result for a failure: gone in all tries, there in all, there in some, or undecided (with the reason). */
export type Replayed = {
  readonly id: CheckRecord['id'];
  readonly clause: CheckRecord['clause'];
  /** It fails only strict runs. */
  readonly warning: boolean;
  readonly state: ReplayState;
  readonly failed: number;
  readonly tries: number;
  /** What was found, or why nothing could be found. */
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
  /** Called after each try with the number of animals that it may have created. */
  readonly onCreated?: (animals: number) => void;
};

/** The number of findings of a failure whose exchanges are sent again: one of each kind comes first, and each creation stays in the store. */
const MOST_RESENT = 3;

const NOT_RESENT =
  'not all of its requests were sent again: the report hides or cuts a part of one, or no more may be created or sent at once; "run --only" with this id judges it on a whole run';

const CLAUSE_BROKEN = 'it does not fail here, but another part of its clause does';

/**
 * The failed checks and invariants of a run, or those of them that patterns name: a chapter, or clauses and checks. Throws SelectionError
 * for a pattern that names none.
 */
export function failuresToReplay(record: RunRecord, patterns: readonly string[]): readonly CheckRecord[] {
  const failures = record.checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'waived');
  const chapters = new Map(record.clauses.map(({ id, chapter }) => [id, chapter]));
  const wanted = patterns.map((pattern) => {
    const matches = globMatcher(presentId(pattern));
    const named = failures.filter(
      ({ id, clause }) => chapters.get(clause) === pattern || matches(clause) || matches(id) || matches(presentId(id)),
    );
    if (named.length > 0) return named;
    const near = suggestAmong(pattern, [...new Set(failures.flatMap(({ clause, id }) => [clause, id]))]);
    throw new SelectionError(`no check or clause that failed matches "${pattern}"${near === undefined ? '' : `: ${near}`}`);
  });
  return wanted.length === 0 ? failures : failures.filter((check) => wanted.some((named) => named.includes(check)));
}

/** The failures of an earlier version as parts of this one: a check that a whole clause has replaced becomes all parts of that clause. */
export function presentFailures(failures: readonly CheckRecord[], registry: readonly SessionClause[]): readonly CheckRecord[] {
  const present = failures.flatMap((failure): CheckRecord[] => {
    const now = presentId(failure.id);
    if (now === failure.id) return [failure];
    return registry.flatMap(({ id: clause, checks, invariants }) => {
      const parts = [
        ...checks.map((part) => ({ ...part, kind: 'check' as const })),
        ...invariants.map((part) => ({ ...part, kind: 'invariant' as const })),
      ];
      return parts.filter(({ id }) => id === now || clause === now).map(({ id, kind }) => ({ ...failure, id, clause, kind }));
    });
  });
  return [...new Map(present.map((failure) => [failure.id, failure])).values()];
}

/** The maximum number of exchanges of a failure, and of the same ones at once: each may be a creation. */
const MOST_EXCHANGES = 12;
const MOST_AT_ONCE = 8;

/** Requests of a failure that are sent together; alone, if there is one. */
type Turn = readonly RedactedExchange[];

/** What a check sends itself is not needed of the report. */
const isOwn = ({ kind, id }: CheckRecord, { check }: RedactedExchange): boolean =>
  kind === 'check' && check !== undefined && presentId(check) === id;

/** The exchanges of the findings, in the order of sending: a finding may begin with the response that shows it. */
function findingTurns({ findings }: CheckRecord): readonly Turn[] {
  const shown = findings.slice(0, MOST_RESENT).flatMap(({ exchanges }) => exchanges.toSorted((one, other) => one.number - other.number));
  return shown.slice(0, MOST_EXCHANGES).map((exchange) => [exchange]);
}

/** What the contrast says: the request before, and the broken one, as often as has to be in flight. */
function contrastTurns({ contrast }: CheckRecord): readonly Turn[] {
  const { broken, before, atOnce = 1 } = contrast ?? {};
  if (broken === undefined) return [];
  return [...(before === undefined ? [] : [[before]]), Array.from({ length: Math.min(atOnce, MOST_AT_ONCE) }, () => broken)];
}

/** Which of the requests that a replay would send this suite never sends, in words; undefined if there are none. */
export function foreignRequest({ target }: RunRecord, failures: readonly CheckRecord[]): string | undefined {
  for (const failure of failures) {
    const turns = [...findingTurns(failure), ...contrastTurns(failure)];
    for (const exchange of turns.flat().filter((one) => !isOwn(failure, one))) {
      const part = foreignPart(exchange, target.baseUrl);
      if (part !== undefined) return part;
    }
  }
  return undefined;
}

/** Whether all of the turns were sent, but for what the check sends itself. */
async function sendTurns(turns: readonly Turn[], failure: CheckRecord, resending: Resending): Promise<boolean> {
  let whole = true;
  for (const turn of turns) {
    const sent = await Promise.allSettled(turn.map((exchange) => resending.send(exchange, turn.length > 1 ? { atOnce: true } : {})));
    for (const [index, one] of sent.entries()) {
      if (one.status === 'rejected' && !(one.reason instanceof Halt)) throw one.reason;
      const exchange = turn[index];
      whole &&= (one.status === 'fulfilled' && one.value) || (exchange !== undefined && isOwn(failure, exchange));
    }
  }
  try {
    // What may not be read any more only shows less.
    await resending.readCreated();
  } catch (error) {
    if (!(error instanceof Halt)) throw error;
  }
  return whole;
}

/** Sends what showed the failures, and what their contrasts say, once for each clause; returns those of which all could be sent, or which need nothing. */
async function resendAll(
  failures: readonly CheckRecord[],
  { session }: OpenSession,
  recorded: Recorded,
): Promise<ReadonlySet<CheckRecord['id']>> {
  const resending = createResending(session, recorded);
  const ofContrasts = new Map<string, boolean>();
  const whole = new Set<CheckRecord['id']>();
  for (const failure of failures) {
    const turns = findingTurns(failure);
    const areSent = await sendTurns(turns, failure, resending);
    const isSent = ofContrasts.get(failure.clause) ?? (await sendTurns(contrastTurns(failure), failure, resending));
    ofContrasts.set(failure.clause, isSent);
    const isTogether = (failure.contrast?.atOnce ?? 1) <= Math.min(MOST_AT_ONCE, session.options.concurrency);
    if (areSent && isSent && isTogether && (failure.kind === 'check' || turns.length > 0)) whole.add(failure.id);
  }
  return whole;
}

/** One try in a separate session: checks run as they did, invariants judge the recorded requests and those of the checks. */
async function tryOnce(
  { failures, besides }: { readonly failures: readonly CheckRecord[]; readonly besides: readonly CheckRecord['id'][] },
  { registry, session, record, onCreated }: ReplayOptions,
): Promise<Map<string, CheckRecord>> {
  const clauses = selectClauses(registry, { only: [...failures.map(({ id }) => id), ...besides], skip: [], exhaustive: true });
  const open = await openSession(session);
  try {
    await open.start();
    // One after the other, as a reader who follows the report would send them.
    const plan = planOf({ clauses, effects: EFFECTS }).flatMap((group) => group.map((planned) => [planned]));
    const judging = createJudging(open, { clauses, registry, plan });
    const recorded = { baseUrl: record.target.baseUrl, prefix: record.animals.prefix };
    // A valid animal must be seen before anything passes.
    await open.session.api.list();
    const whole = await resendAll(failures, open, recorded);
    await judging.run();
    const { records, errors } = judging.judged();
    if (errors[0] !== undefined) throw errors[0];
    const settled = records.map((one): CheckRecord => {
      const passes = one.verdict === 'pass' || one.verdict === 'observed';
      return !passes || besides.includes(one.id) || whole.has(one.id) ? one : { ...one, verdict: 'inconclusive', note: NOT_RESENT };
    });
    return new Map(settled.map((one) => [one.id as string, one]));
  } finally {
    const { created, ambiguous } = open.summary().animals;
    onCreated?.(created.length + ambiguous.length);
    await open.session.close();
  }
}

function sumUp(failure: CheckRecord, { tries, warning }: { tries: readonly (CheckRecord | undefined)[]; warning: boolean }): Replayed {
  const count = (wanted: Verdict): number => tries.filter((one) => one?.verdict === wanted).length;
  const failed = count('fail');
  const passed = count('pass') + count('observed');
  const inapplicable = count('not-applicable');
  const { id, clause } = failure;
  const base = { id, clause, warning, failed, tries: tries.length };
  const noteOf = (...verdicts: readonly Verdict[]): string => {
    const notes = verdicts.flatMap((verdict) => tries.filter((one) => one?.verdict === verdict).map((one) => one?.note));
    return notes[0] ?? 'it is not among the checks of this release';
  };
  if (failed > 0) return { ...base, state: failed === tries.length ? 'still failing' : 'flaky', note: noteOf('fail') };
  if (passed > 0 && passed + inapplicable === tries.length) return { ...base, state: 'fixed', note: noteOf('pass', 'observed') };
  return { ...base, state: 'inconclusive', note: noteOf('inconclusive', 'not-applicable') };
}

/**
 * Judges the failures of a run again, several times, and the sanity round once: a repair may break what worked. Failures that the registry
 * no longer has are inconclusive. Throws UnreachableError.
 */
export async function replay(options: ReplayOptions): Promise<readonly Replayed[]> {
  const { failures, record } = options;
  const advised = new Set(record.clauses.filter(({ level }) => !record.options.strict && level === 'advised').map(({ id }) => id));
  const known = new Set(options.registry.flatMap(({ checks, invariants }) => [...checks, ...invariants].map(({ id }) => id)));
  const present = failures.filter(({ id }) => known.has(id));
  // What failed then, or is known to fail, is not news.
  const sound = SANITY.filter((id) => known.has(id) && !record.checks.some((one) => one.id === id && /^(fail|waived)$/.test(one.verdict)));
  const tries: Map<string, CheckRecord>[] = [];
  let { maxCreates } = options.session;
  const onCreated = (animals: number): void => {
    maxCreates = Math.max(0, maxCreates - animals);
    options.onCreated?.(animals);
  };
  for (let number = 0; number < options.tries; number += 1) {
    const besides = number === 0 ? sound : [];
    const session = { ...options.session, maxCreates };
    tries.push(present.length === 0 ? new Map() : await tryOnce({ failures: present, besides }, { ...options, session, onCreated }));
  }
  const news = sound.flatMap((id): Replayed[] => {
    const check = tries[0]?.get(id);
    if (check?.verdict !== 'fail') return [];
    return [{ id, clause: check.clause, warning: false, state: 'newly failing', failed: 1, tries: 1, note: check.note }];
  });
  const replayed = failures.map((failure) => {
    const warning = failure.newer === true || advised.has(failure.clause);
    return sumUp(failure, { tries: tries.map((one) => one.get(failure.id)), warning });
  });
  const broken = new Set(replayed.flatMap(({ clause, failed }) => (failed > 0 ? [clause] : [])));
  return [
    ...replayed.map((one): Replayed => {
      return one.state === 'fixed' && broken.has(one.clause) ? { ...one, state: 'inconclusive', note: CLAUSE_BROKEN } : one;
    }),
    ...news,
  ];
}
