import type { ListedClause } from '../clause/clause.ts';
import type { PartRecord } from '../clause/part-record.ts';
import type { RunRecord, StopSignal } from '../clause/run-record.ts';
import { describeInternalError } from '../judge/check.ts';
import { clauseRecords } from '../judge/clause-verdicts.ts';
import { evidenceOf } from '../judge/collected.ts';
import type { RunEvidence } from '../judge/conclusion.ts';
import { createJudging, type Judging, type Plan, planOf, settleIn } from '../judge/judging.ts';
import { type RunFacts, recordOf } from '../judge/record-of.ts';
import { broadNotices, waiveParts } from '../judge/waivers.ts';
import type { SessionCheck, SessionClause } from '../oracle/world.ts';
import { type OpenSession, openSession } from '../session/open-session.ts';
import type { SessionOptions } from '../session/session.ts';
import type { Exchange, TransportReason } from '../wire/exchange.ts';
import { UnreachableError } from '../wire/meant-service.ts';
import type { RedactedExchange } from '../wire/redacted-exchange.ts';
import { routeOf } from '../wire/route.ts';
import { messageOf } from '../wire/wording.ts';
import { type Impression, watchRun } from './changes/change.ts';
import { type Rotated, type RotationOptions, rotate } from './rotation/rotate.ts';
import type { Turn, Turns } from './rotation/turns.ts';
import { MAX_BODY, type Target } from './target.ts';

/** One run of the probe's selection, with what the record does not contain. */
export type TargetRun = {
  readonly record: RunRecord;
  /** Set if there was no response at all to the first request. */
  readonly unreachable: TransportReason | undefined;
  /** Why the first contact left nothing else to judge, in a sentence. */
  readonly mistaken?: string;
  /** The first response of such a run. */
  readonly shown?: RedactedExchange;
  /** Why the last request got no complete response, if none got one. */
  readonly failure?: { readonly reason: TransportReason; readonly message: string };
  readonly late: boolean;
  /** The signal that ended it. */
  readonly interrupted: StopSignal | undefined;
  /** Exceptions of the suite. */
  readonly errors: readonly string[];
  /** Status of the first complete response; 0 if there was none. */
  readonly httpStatus: number;
  /** What the conclusion is based on in addition to the verdicts. */
  readonly evidence: RunEvidence;
  /** Checks that had their turn in this run, and failures of earlier turns that no check has passed since. */
  readonly rotation: readonly Turn[];
  readonly impressions: readonly Impression[];
};

export type JudgeOptions = {
  readonly clauses: readonly SessionClause[];
  /** "Now" for the date of the deprecation. */
  readonly now: Date;
  /** The day by which waivers expire, if it is another one. */
  readonly today?: Date;
  readonly version: string;
  readonly strict: boolean;
  readonly reference: boolean;
  /** Aborted with the name of the signal that ends the run. */
  readonly stop?: AbortSignal;
  /** Rotating checks, sent after those of every run, and their earlier turns; none by default. */
  readonly rotation?: RotationSource;
  /** Receives each exchange, as reports may show it. */
  readonly onExchange?: (exchange: RedactedExchange) => void;
  /** Options of the one-shot command line in addition to the target. */
  readonly session?: Partial<Pick<SessionOptions, 'rate' | 'waitForReady' | 'timeout'>>;
};

type Settled = { readonly parts: readonly PartRecord[]; readonly errors: readonly string[] };

type TargetFacts = Pick<RunFacts, 'summary' | 'startedAt' | 'duration' | 'version' | 'strict' | 'reference'> &
  Pick<JudgeOptions, 'now' | 'today'> & {
    readonly target: Target;
    readonly clauses: readonly ListedClause[];
    readonly errors: readonly string[];
    readonly evidence: RunEvidence;
    readonly unreachable: string | undefined;
    readonly mistaken?: string | undefined;
    readonly late: boolean;
    readonly interrupted?: StopSignal | undefined;
  };

export type RotationSource = Pick<RotationOptions, 'kinds' | 'clauses' | 'turns' | 'perTurn'> & {
  /** The record of the run includes their verdicts: for a single run. */
  readonly recorded?: true;
};

/**
 * The fraction of the deadline after which no rotating check begins or ends its turn: a slow service must not look late because of them.
 */
const ROTATION_SHARE = 0.7;

/** A session that only reads, for one run on a target. */
export function sessionOptions(target: Target, now: Date): SessionOptions {
  return {
    baseUrl: target.baseUrl,
    apiKey: target.apiKey(),
    readOnly: true,
    frugal: true,
    intrusive: false,
    maxCreates: 0,
    runTag: 'probe',
    leftoverIds: [],
    categoryIds: [],
    depth: target.depth,
    seed: 1,
    timeBudget: target.deadline,
    now,
    concurrency: target.concurrency,
    timeout: Math.min(target.timeout, target.deadline),
    consistencyWindow: 0,
    waitForReady: 0,
    rate: target.rate,
    maxBody: MAX_BODY,
    ...routeOf(target),
    headers: target.headers(),
  };
}

/** The record of a run on a target, by the rules of the gate: known failures are waived until the last day of their waivers. */
export function targetRecord(
  parts: readonly PartRecord[],
  { target, clauses: listed, now, today = now, late, interrupted, ...facts }: TargetFacts,
): RunRecord {
  const { errors, unreachable, mistaken, evidence, summary, ...rest } = facts;
  const session = sessionOptions(target, now);
  const clauses = clauseRecords(listed, waiveParts(parts, target.waivers, today), session);
  return recordOf(clauses, {
    ...rest,
    summary: { ...summary, notices: [...summary.notices, ...broadNotices(clauses, target.waivers, today)] },
    session,
    only: target.only,
    skip: target.skip,
    asOf: target.asOf,
    ending: {
      ...{ evidence, unreachable, mistaken, internalErrors: errors, interrupted, staleWaivers: [] },
      cutShort: late ? `the deadline of ${target.deadline / 1000} s passed` : undefined,
    },
  });
}

/** Cheap reads only, whatever else the clauses contain. */
const SELECTION = { effects: ['read'], smoke: true } as const;

/** The verdicts so far of the checks of every run: may be called at any moment. */
function settle({ open, judging, plan }: Pick<Play, 'open' | 'judging' | 'plan'>): Settled {
  const { records, errors } = judging.judged();
  const judged = new Map(records.map((record) => [record.id, record]));
  const checks = plan.flat().map(({ clause, check }) => judged.get(check.id) ?? cutShort(clause, check));
  const invariants = records.filter(({ kind }) => kind === 'invariant');
  return {
    parts: settleIn(open, [...checks, ...invariants]),
    errors: errors.map((error) => open.redactText(describeInternalError(error))),
  };
}

function cutShort(clause: SessionClause, { id, title }: SessionCheck): PartRecord {
  const base = { id, clause: clause.id, kind: 'check' as const, title, findings: [], observations: [] };
  return { ...base, verdict: 'inconclusive', why: 'service', note: 'the run ended before this check did' };
}

type Limits = { readonly deadline: number; readonly stop: AbortSignal | undefined };

/** Runs `work` until a deadline, or a signal: what ended it, if it did not end by itself. */
async function within({ deadline, stop }: Limits, work: Promise<void>): Promise<'late' | StopSignal | undefined> {
  const { promise, resolve } = Promise.withResolvers<'late' | StopSignal>();
  const timer = setTimeout(() => resolve('late'), deadline);
  const interrupt = (): void => resolve(stop?.reason as StopSignal);
  if (stop?.aborted === true) interrupt();
  else stop?.addEventListener('abort', interrupt, { once: true });
  try {
    return (await Promise.race([work, promise])) ?? undefined;
  } finally {
    clearTimeout(timer);
    stop?.removeEventListener('abort', interrupt);
  }
}

type Progress = {
  /** The sentence of `reach` when it gave up. */
  unreached: string | undefined;
  /** As `TargetRun.mistaken`. */
  mistaken: string | undefined;
  /** The first exchange with a response. */
  first: Exchange | undefined;
  failure: { reason: TransportReason; message: string } | undefined;
  httpStatus: number;
  /** What the closing requests found; undefined until they are sent. */
  closing: RunEvidence['closing'];
  /** The verdicts of the checks of every run, once they are done; later requests count only for the rotation. */
  settled: Settled | undefined;
  rotated: Pick<Rotated, 'turns' | 'records'>;
  readonly errors: string[];
};

function follow(open: OpenSession, stop: AbortSignal): Progress {
  const progress: Progress = {
    unreached: undefined,
    mistaken: undefined,
    first: undefined,
    failure: undefined,
    httpStatus: 0,
    closing: undefined,
    settled: undefined,
    rotated: { turns: [], records: [] },
    errors: [],
  };
  open.recorder.onExchange((exchange) => {
    const { outcome } = exchange;
    // Requests that the deadline aborted only show that it passed.
    if (stop.aborted) return;
    if (outcome.kind === 'answered') {
      progress.first ??= exchange;
      progress.httpStatus ||= outcome.answer.status;
    } else if (progress.httpStatus === 0)
      progress.failure = { reason: outcome.failure.reason, message: open.redactText(outcome.failure.message) };
  });
  return progress;
}

type Play = {
  readonly open: OpenSession;
  readonly judging: Judging;
  readonly plan: Plan;
  readonly progress: Progress;
  readonly stop: AbortSignal;
  readonly target: Target;
  readonly options: JudgeOptions;
};

async function takeTurns({ open, progress, stop, target, options }: Play, source: RotationSource): Promise<void> {
  // Not AbortSignal.timeout: Node keeps a combined signal that has listeners until it is aborted, and the whole run with it.
  const over = new AbortController();
  const end = (): void => over.abort();
  const timer = setTimeout(end, Math.max(0, Math.floor(target.deadline * ROTATION_SHARE - open.elapsed())));
  stop.addEventListener('abort', end, { once: true });
  const waive = (records: readonly PartRecord[]) => waiveParts(records, target.waivers, options.today ?? options.now);
  const limits = { ...target.rotation, ...source, waive, asOf: target.asOf, now: options.now.getTime() };
  try {
    const { errors, ...rotated } = await rotate(open, over.signal, limits);
    progress.rotated = rotated;
    progress.errors.push(...errors);
  } finally {
    clearTimeout(timer);
  }
}

/** As in the gate, a first contact that leaves nothing to judge has no verdicts. */
const NOTHING_JUDGED: Settled = { parts: [], errors: [] };

async function play(all: Play): Promise<void> {
  const { open, judging, progress, stop, target, options } = all;
  try {
    await open.start();
    const mistaken = await open.firstContact();
    if (mistaken !== undefined) {
      progress.mistaken = open.redactText(mistaken);
      progress.settled = NOTHING_JUDGED;
      return;
    }
    await judging.run();
    progress.closing = judging.closing();
    progress.settled = settle(all);
    if (progress.closing !== undefined && options.rotation !== undefined && target.rotation.budget > 0 && !stop.aborted)
      await takeTurns(all, options.rotation);
  } catch (error) {
    const message = open.redactText(messageOf(error));
    if (error instanceof UnreachableError) {
      progress.unreached = message;
      progress.settled = NOTHING_JUDGED;
      progress.failure = { reason: error.reason, message };
    } else progress.errors.push(message);
  }
}

const severity = ({ verdict }: PartRecord): number => ['inconclusive', 'fail'].indexOf(verdict);

/** The verdicts of every run's checks and of those that had their turn, for a single run. */
function withTurns(settled: readonly PartRecord[], turned: readonly PartRecord[]): readonly PartRecord[] {
  const failing = new Set(turned.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id));
  // A check may have had two turns, one for the end of its table and one for the beginning: it passes only if both do, so the worst counts.
  const worst = new Map(turned.toSorted((a, b) => severity(a) - severity(b)).map((record) => [record.id, record]));
  return [...settled.filter(({ id }) => !failing.has(id)), ...worst.values()];
}

/** The turns of this run, and the failures of earlier ones that are still valid. */
function standing(turns: readonly Turn[], before: Turns = new Map()): readonly Turn[] {
  const taken = new Set(turns.map(({ check }) => check));
  return [...turns, ...[...before.values()].filter(({ check, failure }) => failure !== undefined && !taken.has(check))];
}

/** Judges a target once with reads only, on separate connections, within its deadline. */
export async function judgeTarget(target: Target, options: JudgeOptions): Promise<TargetRun> {
  const startedAt = new Date().toISOString();
  const begin = performance.now();
  const stop = new AbortController();
  const open = await openSession({ ...sessionOptions(target, options.now), ...options.session });
  const progress = follow(open, stop.signal);
  const impressions = watchRun(open);
  const { onExchange } = options;
  if (onExchange !== undefined) open.recorder.onEveryExchange((exchange) => onExchange(open.redact(exchange)));
  const plan = planOf({ clauses: options.clauses, ...SELECTION });
  const judging = createJudging(open, { clauses: options.clauses, plan, stop: stop.signal, closes: true, asOf: target.asOf });
  const limits = { deadline: target.deadline, stop: options.stop };
  const ended = await within(limits, play({ open, judging, plan, progress, stop: stop.signal, target, options }));
  if (ended !== undefined) stop.abort();
  const late = ended === 'late';
  const interrupted = late ? undefined : ended;
  await open.session.close();
  const settled = progress.settled ?? settle({ open, judging, plan });
  const errors = [...settled.errors, ...progress.errors];
  const silent = late && progress.httpStatus === 0 && errors.length === 0 && interrupted === undefined;
  const unreachable =
    progress.unreached ?? (silent ? (progress.failure?.message ?? `no response within ${target.deadline / 1000} s`) : undefined);
  const evidence = evidenceOf(open, progress.closing);
  const turned = options.rotation?.recorded === true ? progress.rotated.records : [];
  const { version, strict, reference, now, today } = options;
  const record = targetRecord(turned.length === 0 ? settled.parts : withTurns(settled.parts, turned), {
    ...{ target, version, strict, reference, now, startedAt, errors, unreachable, late, interrupted, evidence },
    mistaken: progress.mistaken,
    ...(today === undefined ? {} : { today }),
    clauses: turned.length === 0 ? options.clauses : (options.rotation?.clauses ?? []),
    duration: performance.now() - begin,
    summary: open.summary(),
  });
  const reason = unreachable === undefined ? undefined : (progress.failure?.reason ?? 'timeout');
  return {
    record,
    unreachable: reason,
    ...(progress.mistaken === undefined
      ? {}
      : { mistaken: progress.mistaken, ...(progress.first === undefined ? {} : { shown: open.redact(progress.first) }) }),
    ...(progress.failure === undefined || progress.httpStatus !== 0 ? {} : { failure: progress.failure }),
    late,
    interrupted,
    errors,
    httpStatus: progress.httpStatus,
    evidence,
    rotation: standing(progress.rotated.turns, options.rotation?.turns),
    impressions: impressions(),
  };
}
