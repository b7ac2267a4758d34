import { type CheckId, type ClauseId, EFFECTS, type ListedClause } from '../clause/clause.ts';
import { presentId } from '../clause/clause-ids.ts';
import type { ClauseRecord } from '../clause/clause-record.ts';
import { Halt } from '../clause/halt.ts';
import type { Verdict } from '../clause/outcome.ts';
import type { PartRecord } from '../clause/part-record.ts';
import { globMatcher, SelectionError, suggestAmong } from '../clause/patterns.ts';
import type { RunRecord } from '../clause/run-record.ts';
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

/** The result for a clause: fixed in all tries, broken in all, broken in some, or undecided (with the reason). */
export type Replayed = {
  readonly clause: ClauseId;
  /** It fails only strict runs. */
  readonly warning: boolean;
  readonly state: ReplayState;
  readonly failed: number;
  readonly tries: number;
  /** What was found, or why nothing could be found. */
  readonly note: string;
};

/** A clause that was broken, and the parts that judge it again; none if this release does not have it. */
export type Failing = { readonly clause: ClauseRecord; readonly parts: readonly { readonly id: CheckId; readonly sends: boolean }[] };

export type ReplayOptions = {
  readonly registry: readonly SessionClause[];
  readonly session: SessionOptions;
  readonly tries: number;
  /** The run that failed. */
  readonly record: RunRecord;
  /** Those of its broken clauses that are judged again. */
  readonly failures: readonly Failing[];
  /** Called after each try with the number of animals that it may have created. */
  readonly onCreated?: (animals: number) => void;
};

/** The number of findings of a clause whose exchanges are sent again: each creation stays in the store. */
const MOST_RESENT = 6;

const NOT_RESENT =
  'not all of its requests were sent again: the report hides or cuts a part of one, or no more may be created or sent at once; "run --only" with this id judges it on a whole run';

const isBroken = ({ verdict }: { readonly verdict: Verdict }): boolean => verdict === 'fail' || verdict === 'waived';

/**
 * The broken clauses of a run, or those of them that patterns name: a chapter, a clause, or a check of one. Throws SelectionError for a
 * pattern that names none.
 */
export function failuresToReplay(record: RunRecord, patterns: readonly string[]): readonly ClauseRecord[] {
  const failures = record.clauses.filter(isBroken);
  const wanted = patterns.map((pattern) => {
    const matches = globMatcher(presentId(pattern).replace(/\/.*/, ''));
    const named = failures.filter(({ id, chapter }) => chapter === pattern || matches(id));
    if (named.length > 0) return named;
    const near = suggestAmong(
      pattern,
      failures.map(({ id }) => id),
    );
    throw new SelectionError(`no clause that failed matches "${pattern}"${near === undefined ? '' : `: ${near}`}`);
  });
  return wanted.length === 0 ? failures : failures.filter((clause) => wanted.some((named) => named.includes(clause)));
}

/** The parts of a clause whose titles its broken musts have; all of its parts if no title is known. */
export function partsOfMusts(
  { id, musts }: Pick<ClauseRecord, 'id' | 'musts'>,
  registry: readonly ListedClause[],
): readonly { readonly id: CheckId; readonly sends: boolean }[] {
  const { checks = [], invariants = [] } = registry.find((clause) => clause.id === id) ?? {};
  const parts = [...checks.map((part) => ({ ...part, sends: true })), ...invariants.map((part) => ({ ...part, sends: false }))];
  const titles = new Set(musts.map(({ title }) => title));
  const known = parts.filter(({ title }) => titles.has(title));
  return (known.length === 0 ? parts : known).map(({ id: part, sends }) => ({ id: part, sends }));
}

/** What judges the broken clauses of a record again. */
export function failingParts(failures: readonly ClauseRecord[], registry: readonly ListedClause[]): readonly Failing[] {
  return failures.map((clause) => ({ clause, parts: partsOfMusts({ id: clause.id, musts: clause.musts.filter(isBroken) }, registry) }));
}

/** The maximum number of exchanges of a failure, and of the same ones at once: each may be a creation. */
const MOST_EXCHANGES = 12;
const MOST_AT_ONCE = 8;

/** Requests of a failure that are sent together; alone, if there is one. */
type Turn = readonly RedactedExchange[];

/** What a check sends itself is not needed of the report, unless something else judges it as well. */
const isOwn = ({ parts }: Failing, { check }: RedactedExchange): boolean =>
  check !== undefined && parts.every(({ sends }) => sends) && parts.some(({ id }) => id === presentId(check));

/** The exchanges of the findings, in the order of sending: a finding may begin with the response that shows it. */
function findingTurns({ clause: { findings } }: Failing): readonly Turn[] {
  const shown = findings.slice(0, MOST_RESENT).flatMap(({ exchanges }) => exchanges.toSorted((one, other) => one.number - other.number));
  return shown.slice(0, MOST_EXCHANGES).map((exchange) => [exchange]);
}

/** What the contrast says: the request before, and the broken one, as often as has to be in flight. */
function contrastTurns({ clause: { contrast } }: Failing): readonly Turn[] {
  const { broken, before, atOnce = 1 } = contrast ?? {};
  if (broken === undefined) return [];
  return [...(before === undefined ? [] : [[before]]), Array.from({ length: Math.min(atOnce, MOST_AT_ONCE) }, () => broken)];
}

/** Which of the requests that a replay would send this suite never sends, in words; undefined if there are none. */
export function foreignRequest({ target }: RunRecord, failures: readonly Failing[]): string | undefined {
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
async function sendTurns(turns: readonly Turn[], failure: Failing, resending: Resending): Promise<boolean> {
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

/** Sends what showed the failures, and what their contrasts say; returns the clauses of which all could be sent, or which need nothing. */
async function resendAll(failures: readonly Failing[], { session }: OpenSession, recorded: Recorded): Promise<ReadonlySet<ClauseId>> {
  const resending = createResending(session, recorded);
  const whole = new Set<ClauseId>();
  for (const failure of failures) {
    const { clause, parts } = failure;
    const turns = findingTurns(failure);
    const areSent = await sendTurns(turns, failure, resending);
    const isSent = await sendTurns(contrastTurns(failure), failure, resending);
    const isTogether = (clause.contrast?.atOnce ?? 1) <= Math.min(MOST_AT_ONCE, session.options.concurrency);
    if (areSent && isSent && isTogether && (parts.some(({ sends }) => sends) || turns.length > 0)) whole.add(clause.id);
  }
  return whole;
}

/** The verdicts of a try by the ids of the parts. */
type Try = ReadonlyMap<string, PartRecord>;

/** One try in a separate session: checks run as they did, invariants judge the recorded requests and those of the checks. */
async function tryOnce(
  { failures, besides }: { readonly failures: readonly Failing[]; readonly besides: readonly CheckId[] },
  { registry, session, record, onCreated }: ReplayOptions,
): Promise<Try> {
  const ids = failures.flatMap(({ parts }) => parts.map(({ id }) => id));
  const clauses = selectClauses(registry, { only: [...ids, ...besides], skip: [], exhaustive: true });
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
    const settled = records.map((one): PartRecord => {
      const passes = one.verdict === 'pass' || one.verdict === 'observed';
      return !passes || besides.includes(one.id) || whole.has(one.clause) ? one : { ...one, verdict: 'inconclusive', note: NOT_RESENT };
    });
    return new Map(settled.map((one) => [one.id as string, one]));
  } finally {
    const { created, ambiguous } = open.summary().animals;
    onCreated?.(created.length + ambiguous.length);
    await open.session.close();
  }
}

/** The verdict of a try on what had failed: all of its parts must pass. */
function verdictIn({ parts }: Failing, known: Try): Pick<PartRecord, 'verdict' | 'note'> | undefined {
  const found = parts.flatMap(({ id }) => known.get(id) ?? []);
  const order = ['fail', 'inconclusive', 'pass', 'observed', 'not-applicable'] as const;
  return order.flatMap((verdict) => found.find((one) => one.verdict === verdict) ?? [])[0];
}

function sumUp(failure: Failing, { tries, warning }: { readonly tries: readonly Try[]; readonly warning: boolean }): Replayed {
  const found = tries.map((one) => verdictIn(failure, one));
  const count = (...verdicts: readonly Verdict[]): number =>
    found.filter((one) => one !== undefined && verdicts.includes(one.verdict)).length;
  const failed = count('fail');
  const passed = count('pass', 'observed');
  const base = { clause: failure.clause.id, warning, failed, tries: tries.length };
  const noteOf = (...verdicts: readonly Verdict[]): string =>
    verdicts.flatMap((verdict) => found.find((one) => one?.verdict === verdict)?.note ?? [])[0] ??
    'it is not among the clauses of this release';
  if (failed > 0) return { ...base, state: failed === tries.length ? 'still failing' : 'flaky', note: noteOf('fail') };
  if (passed > 0 && passed + count('not-applicable') === tries.length) return { ...base, state: 'fixed', note: noteOf('pass', 'observed') };
  return { ...base, state: 'inconclusive', note: noteOf('inconclusive', 'not-applicable') };
}

/** The parts of the sanity round that were not broken in the run: what failed then, or is known to fail, is not news. */
function soundParts({ clauses }: RunRecord, registry: readonly ListedClause[]): readonly CheckId[] {
  const parts = registry.flatMap(({ id: clause, checks }) => checks.map(({ id, title }) => ({ clause, id, title })));
  const wasBroken = ({ clause, title }: (typeof parts)[number]): boolean =>
    clauses.find(({ id }) => id === clause)?.musts.some((must) => must.title === title && isBroken(must)) ?? false;
  return parts.filter((part) => SANITY.includes(part.id) && !wasBroken(part)).map(({ id }) => id);
}

/**
 * Judges the broken clauses of a run again, several times, and the sanity round once: a repair may break what worked. Clauses that the registry
 * does not have are inconclusive. Throws UnreachableError.
 */
export async function replay(options: ReplayOptions): Promise<readonly Replayed[]> {
  const { failures, record, registry } = options;
  const present = failures.filter(({ parts }) => parts.length > 0);
  const sound = soundParts(record, registry);
  const tries: Try[] = [];
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
    const part = tries[0]?.get(id);
    if (part?.verdict !== 'fail') return [];
    return [{ clause: part.clause, warning: false, state: 'newly failing', failed: 1, tries: 1, note: part.note }];
  });
  const replayed = failures.map((failure) => {
    const { newer, level } = failure.clause;
    return sumUp(failure, { tries, warning: newer === true || (level === 'advised' && !record.options.strict) });
  });
  return [...replayed, ...news];
}
