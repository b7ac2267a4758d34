import type { CheckRecord, RunRecord } from '../clause/run-record.ts';
import { RUN_RECORD_VERSION } from '../clause/run-record.ts';
import { askClosing } from '../judge/ask-closing.ts';
import { clauseRecords, conclude } from '../judge/conclude.ts';
import type { SessionClause } from '../judge/judge-check.ts';
import { evidenceOf, type RunEvidence } from '../judge/run-evidence.ts';
import type { Waiver } from '../judge/waiver-file.ts';
import { waiveChecks } from '../judge/waivers.ts';
import { UnreachableError } from '../session/client/wait-until-reachable.ts';
import { type OpenSession, openSession } from '../session/open-session.ts';
import type { SessionOptions } from '../session/session.ts';
import type { TransportReason } from '../wire/exchange.ts';
import type { Impression } from './changes/change.ts';
import { watchRun } from './changes/watch-run.ts';
import { createDirectJudge, type DirectJudge, type Judged } from './direct-loop.ts';
import { messageOf } from './messages.ts';
import { type Rotated, type RotationOptions, rotate } from './rotation/rotate.ts';
import { keyOf, type Turn, type Turns } from './rotation/turn.ts';
import { MAX_BODY, type Target } from './target.ts';

/** One run of the probe's selection, with what the record does not say. */
export type TargetRun = {
  readonly record: RunRecord;
  /** Set when no answer at all came to the first request. */
  readonly unreachable: TransportReason | undefined;
  /** The deadline of the run cut it short. */
  readonly late: boolean;
  /** Exceptions of our own code. */
  readonly errors: readonly string[];
  /** Status of the first complete answer; 0 for none. */
  readonly httpStatus: number;
  /** What the conclusion rests on besides the verdicts. */
  readonly evidence: RunEvidence;
  /** Checks that had their turn in this run, and failures of earlier turns that no check has passed since. */
  readonly rotation: readonly Turn[];
  /** What later runs may show differently. */
  readonly impressions: readonly Impression[];
};

export type JudgeOptions = {
  readonly clauses: readonly SessionClause[];
  /** "Now" for the date of the deprecation. */
  readonly now: Date;
  /** The day by which waivers expire, where it is another one. */
  readonly today?: Date;
  readonly version: string;
  readonly strict: boolean;
  readonly reference: boolean;
  /** Checks that take turns after those of every run, and what is known of them; none by default. */
  readonly rotation?: RotationSource;
  /** What the one-shot command line says besides the target. */
  readonly session?: Partial<Pick<SessionOptions, 'rate' | 'waitForReady' | 'timeout'>>;
};

/** Checks that take turns on a target, with what earlier runs have found out about them. */
export type RotationSource = Pick<RotationOptions, 'slices' | 'clauses' | 'turns'> & {
  /** The record of the run has their verdicts too: for a run that stands by itself. */
  readonly recorded?: true;
};

/** The part of the deadline after which no check begins or ends its turn: a slow service must not look late because of them. */
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
    namePrefix: 'probe',
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
    trace: true,
    ca: target.ca,
    proxy: target.proxy,
  };
}

/** Broken clauses that are known, by the rule of the gate: until the last day of their waivers. */
export function waive(judged: Judged, waivers: readonly Waiver[], now: Date): Judged {
  if (waivers.length === 0) return judged;
  const checks = waiveChecks(judged.checks, waivers, now);
  const broken = new Set(checks.filter(({ verdict }) => verdict === 'fail').map(({ clause }) => clause));
  const clauses = judged.clauses.map((clause) =>
    clause.verdict === 'fail' && !broken.has(clause.id) ? { ...clause, verdict: 'waived' as const } : clause,
  );
  return { ...judged, checks, clauses };
}

type Ending = {
  readonly unreachable: string | undefined;
  readonly late: boolean;
  readonly options: Pick<JudgeOptions, 'strict' | 'now'>;
  readonly deadline: number;
  readonly evidence: RunEvidence;
};

/** What the verdicts come to for the whole run. */
export function conclusionOf(judged: Judged, { unreachable, late, options, deadline, evidence }: Ending): RunRecord['conclusion'] {
  const { clauses, checks, errors } = judged;
  const { strict, now } = options;
  // Member by member: what is spread into it is not checked for names that it does not have.
  return conclude({
    clauses,
    checks,
    evidence,
    strict,
    now,
    interrupted: undefined,
    cutShort: late ? `the deadline of ${deadline / 1000} s passed` : undefined,
    mistaken: undefined,
    internalErrors: errors,
    unreachable,
    staleExpectations: [],
  });
}

/** Runs `work` for at most so long; true when the time ran out. */
async function within(milliseconds: number, work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), milliseconds);
  });
  try {
    return (await Promise.race([work, deadline])) === 'late';
  } finally {
    clearTimeout(timer);
  }
}

type Progress = {
  /** The sentence of `reach` when it gave up. */
  unreached: string | undefined;
  failure: { reason: TransportReason; message: string } | undefined;
  httpStatus: number;
  /** What the closing requests found; undefined as long as they were not sent. */
  closing: RunEvidence['closing'];
  /** The verdicts of the checks of every run, once they are through; what is sent afterwards counts for the rotation only. */
  settled: Judged | undefined;
  rotated: Pick<Rotated, 'turns' | 'records'>;
  readonly errors: string[];
};

function follow(open: OpenSession, stop: AbortSignal): Progress {
  const progress: Progress = {
    unreached: undefined,
    failure: undefined,
    httpStatus: 0,
    closing: undefined,
    settled: undefined,
    rotated: { turns: [], records: [] },
    errors: [],
  };
  open.recorder.onExchange(({ outcome }) => {
    // What is cut off at the deadline tells of the cut only.
    if (stop.aborted) return;
    if (outcome.kind === 'answered') progress.httpStatus ||= outcome.answer.status;
    else if (progress.httpStatus === 0)
      progress.failure = { reason: outcome.failure.reason, message: open.redactText(outcome.failure.message) };
  });
  return progress;
}

type Play = {
  readonly open: OpenSession;
  readonly judge: DirectJudge;
  readonly progress: Progress;
  readonly stop: AbortSignal;
  readonly target: Target;
  readonly options: JudgeOptions;
};

async function takeTurns({ open, progress, stop, target, options }: Play, source: RotationSource): Promise<void> {
  const left = AbortSignal.timeout(Math.max(0, Math.floor(target.deadline * ROTATION_SHARE - open.elapsed())));
  const waived = (record: CheckRecord): boolean =>
    waiveChecks([record], target.waivers, options.today ?? options.now)[0]?.verdict !== 'fail';
  const limits = { ...target.rotation, ...source, waived, now: options.now.getTime() };
  const { errors, ...rotated } = await rotate(open, AbortSignal.any([stop, left]), limits);
  progress.rotated = rotated;
  progress.errors.push(...errors);
}

async function play(all: Play): Promise<void> {
  const { open, judge, progress, stop, target, options } = all;
  try {
    await open.start();
    await judge.run();
    if (!stop.aborted && open.session.knowledge.credible) progress.closing = await askClosing(open);
    progress.settled = judge.settle();
    if (progress.closing !== undefined && options.rotation !== undefined && target.rotation.budget > 0 && !stop.aborted)
      await takeTurns(all, options.rotation);
  } catch (error) {
    const message = open.redactText(messageOf(error));
    if (error instanceof UnreachableError) progress.unreached = message;
    else progress.errors.push(message);
  }
}

const severity = ({ verdict }: CheckRecord): number => ['inconclusive', 'fail'].indexOf(verdict);

/** The verdicts of every run's checks and of those that had their turn, for a run that stands by itself. */
function withTurns(judged: Judged, records: readonly CheckRecord[], source: RotationSource | undefined): Judged {
  if (source?.recorded !== true || records.length === 0) return judged;
  const failing = new Set(records.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id));
  // Slices of one check may differ: it has passed when all of them have, so the worst stands.
  const worst = new Map(records.toSorted((a, b) => severity(a) - severity(b)).map((record) => [record.id, record]));
  const checks = [...judged.checks.filter(({ id }) => !failing.has(id)), ...worst.values()];
  const ids = new Set<string>(checks.map(({ clause }) => clause));
  return {
    ...judged,
    checks,
    clauses: clauseRecords(
      source.clauses.filter(({ id }) => ids.has(id)),
      checks,
    ),
  };
}

/** The turns of this run, and the failures of earlier ones that still stand. */
function standing(turns: readonly Turn[], before: Turns = new Map()): readonly Turn[] {
  const taken = new Set(turns.map(keyOf));
  return [...turns, ...[...before].flatMap(([key, turn]) => (turn.failure !== undefined && !taken.has(key) ? [turn] : []))];
}

/** Judges a target once with reads only, on connections of its own, within its deadline. */
export async function judgeTarget(target: Target, options: JudgeOptions): Promise<TargetRun> {
  const startedAt = new Date().toISOString();
  const begin = performance.now();
  const stop = new AbortController();
  const open = await openSession({ ...sessionOptions(target, options.now), ...options.session });
  const progress = follow(open, stop.signal);
  const impressions = watchRun(open);
  const judge = createDirectJudge(options.clauses, open, stop.signal);
  const late = await within(target.deadline, play({ open, judge, progress, stop: stop.signal, target, options }));
  if (late) stop.abort();
  await open.session.close();
  const settled = waive(
    withTurns(progress.settled ?? judge.settle(), progress.rotated.records, options.rotation),
    target.waivers,
    options.today ?? options.now,
  );
  const judged = { ...settled, errors: [...settled.errors, ...progress.errors] };
  const silent = progress.httpStatus === 0 && judged.errors.length === 0;
  const unreachable = progress.unreached ?? (silent ? (progress.failure?.message ?? 'no response within the deadline') : undefined);
  const evidence = evidenceOf(open, progress.closing);
  const record: RunRecord = {
    version: RUN_RECORD_VERSION,
    tool: { name: 'petstore-conformance', version: options.version },
    target: { baseUrl: open.redactText(target.baseUrl), reference: options.reference },
    startedAt,
    duration: performance.now() - begin,
    options: {
      depth: target.depth,
      seed: 1,
      readOnly: true,
      strict: options.strict,
      only: target.only,
      skip: target.skip,
      now: options.now.toISOString(),
    },
    conclusion: conclusionOf(judged, { unreachable, late, options, deadline: target.deadline, evidence }),
    interrupted: false,
    clauses: judged.clauses,
    checks: judged.checks,
    ...open.summary(),
  };
  const reason = silent ? (progress.failure?.reason ?? 'timeout') : undefined;
  return {
    record,
    unreachable: reason,
    late,
    errors: judged.errors,
    httpStatus: progress.httpStatus,
    evidence,
    rotation: standing(progress.rotated.turns, options.rotation?.turns),
    impressions: impressions(),
  };
}
