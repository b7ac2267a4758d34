import type { ClauseRecord, ExitCode, RunRecord } from '../clause/run-record.ts';
import { EXIT_CODES, RUN_RECORD_VERSION } from '../clause/run-record.ts';
import { openSession, type OpenSession } from '../session/open-session.ts';
import { UnreachableError } from '../session/reach.ts';
import type { SessionOptions } from '../session/session.ts';
import type { TransportReason } from '../wire/exchange.ts';
import type { SessionClause } from '../judge/judge-check.ts';
import { createDirectJudge, type Judged } from './direct-loop.ts';
import { messageOf } from './messages.ts';
import { MAX_BODY, type ProbeWaiver, type Target } from './target.ts';

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
};

export type JudgeOptions = {
  readonly clauses: readonly SessionClause[];
  /** "Now" for the date of the deprecation. */
  readonly now: Date;
  readonly version: string;
  readonly strict: boolean;
  readonly reference: boolean;
};

function sessionOptions(target: Target, now: Date): SessionOptions {
  return {
    baseUrl: target.baseUrl,
    apiKey: target.apiKey(),
    readOnly: true,
    intrusive: false,
    maxCreates: 0,
    namePrefix: 'probe',
    runTag: 'probe',
    categoryIds: [],
    profile: 'quick',
    seed: 1,
    timeBudget: target.deadline,
    now,
    concurrency: target.concurrency,
    timeout: target.deadline,
    consistencyWindow: 0,
    waitForReady: 0,
    rate: 0,
    maxBody: MAX_BODY,
    ca: target.ca,
    proxy: target.proxy,
  };
}

/** Broken clauses that are known, until the day that was named for them. */
function waive(judged: Judged, waivers: readonly ProbeWaiver[], now: Date): Judged {
  const standing = waivers.filter(({ until }) => until === undefined || Date.parse(until) > now.getTime());
  if (standing.length === 0) return judged;
  const checks = judged.checks.map((check) => {
    const waiver = check.verdict === 'fail' ? standing.find(({ id }) => id === check.id || id === check.clause) : undefined;
    return waiver === undefined ? check : { ...check, verdict: 'waived' as const, note: waiver.reason };
  });
  const broken = new Set(checks.filter(({ verdict }) => verdict === 'fail').map(({ clause }) => clause));
  const clauses = judged.clauses.map((clause) => (clause.verdict === 'fail' && !broken.has(clause.id) ? { ...clause, verdict: 'waived' as const } : clause));
  return { ...judged, checks, clauses };
}

type Conclusion = RunRecord['conclusion'];

function conclude(judged: Judged, run: { unreachable: string | undefined; late: boolean; strict: boolean }): Conclusion {
  const of = (exitCode: ExitCode, headline: string, reasons: readonly string[] = []): Conclusion => ({ exitCode, headline, reasons });
  if (run.unreachable !== undefined) return of(EXIT_CODES.unjudged, 'The service could not be judged', [run.unreachable]);
  const fails = ({ level, verdict }: ClauseRecord): boolean =>
    (verdict === 'fail' && (level === 'required' || level === 'implied' || (run.strict && level === 'advised'))) || (run.strict && verdict === 'inconclusive' && level !== 'open');
  const broken = judged.clauses.filter(fails);
  const late = run.late ? ['the run did not end within its deadline'] : [];
  if (broken.length > 0 || run.late) return of(EXIT_CODES.broken, 'The service is not conformant', [...broken.map(({ id, demands }) => `${id}: ${demands}`), ...late]);
  if (judged.errors.length > 0) return of(EXIT_CODES.unjudged, 'The suite itself failed', judged.errors);
  if (!judged.clauses.some(({ verdict }) => verdict === 'pass' || verdict === 'waived')) {
    return of(EXIT_CODES.unjudged, 'Nothing could be judged', judged.checks.slice(0, 1).map(({ note }) => note));
  }
  return of(EXIT_CODES.conformant, 'The service is conformant, as far as reading shows');
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

type Progress = { unreachable: { reason: TransportReason; message: string } | undefined; httpStatus: number; errors: string[] };

function follow(open: OpenSession): Progress {
  const progress: Progress = { unreachable: undefined, httpStatus: 0, errors: [] };
  open.recorder.onExchange(({ outcome }) => {
    if (outcome.kind === 'answered') progress.httpStatus ||= outcome.answer.status;
    else if (progress.httpStatus === 0) progress.unreachable = { reason: outcome.failure.reason, message: open.redactText(outcome.failure.message) };
  });
  return progress;
}

/** Judges a target once with reads only, on connections of its own, within its deadline. */
export async function judgeTarget(target: Target, options: JudgeOptions): Promise<TargetRun> {
  const startedAt = new Date().toISOString();
  const begin = performance.now();
  const open = await openSession(sessionOptions(target, options.now));
  const progress = follow(open);
  const judge = createDirectJudge(options.clauses, open);
  let unreached: string | undefined;
  const work = (async (): Promise<void> => {
    try {
      await open.start();
      await judge.run();
    } catch (error) {
      if (error instanceof UnreachableError) unreached = open.redactText(error.message);
      else progress.errors.push(open.redactText(messageOf(error)));
    }
  })();
  const late = await within(target.deadline, work);
  await open.session.close();
  // Closing ends what is still under way; a check that does not notice is cut short by `settle`.
  const judged = waive(judge.settle(), target.waivers, options.now);
  const errors = [...judged.errors, ...progress.errors];
  const nothing = progress.httpStatus === 0;
  const conclusion = conclude({ ...judged, errors }, { unreachable: unreached ?? (nothing ? progress.unreachable?.message : undefined), late, strict: options.strict });
  const record: RunRecord = {
    version: RUN_RECORD_VERSION,
    tool: { name: 'petstore-conformance', version: options.version },
    target: { baseUrl: open.redactText(target.baseUrl), reference: options.reference },
    startedAt,
    duration: performance.now() - begin,
    options: { profile: 'quick', seed: 1, readOnly: true, strict: options.strict, only: [], skip: [], now: options.now.toISOString() },
    conclusion,
    interrupted: false,
    clauses: judged.clauses,
    checks: judged.checks,
    ...open.summary(),
  };
  return { record, unreachable: nothing ? (progress.unreachable?.reason ?? 'timeout') : undefined, late, errors, httpStatus: progress.httpStatus };
}
