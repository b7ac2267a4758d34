import type { ClauseId } from '../clause/clause.ts';
import { VERDICTS, type Verdict } from '../clause/outcome.ts';
import { EXIT_CODES, type RunRecord } from '../clause/run-record.ts';
import { breakagesOf, byWeight, type Weight, weightOf } from '../diagnosis/repair-order.ts';
import { isUndecidedByService } from '../judge/must-counts.ts';
import type { OwnClause } from '../oracle/own.ts';
import { readClientCertificate } from '../secrets/secret-file.ts';
import { hasLogin } from '../wire/login.ts';
import type { RedactedExchange } from '../wire/redacted-exchange.ts';
import { DIRECT } from '../wire/route.ts';
import { OK } from '../wire/statuses.ts';
import { messageOf } from '../wire/wording.ts';
import { type ConnectionReport, inspectConnection, isResolverBroken } from './connection.ts';
import { type FailureReason, failureOf, type SampleFailure, shownOf } from './failure.ts';
import { type JudgeOptions, judgeTarget, type TargetRun } from './judge-target.ts';
import type { Sample } from './sample.ts';
import { NO_CLAUSES, suiteWith } from './suite.ts';
import { DEADLINE_SHARE, TARGET_DEFAULTS, type Target } from './target.ts';
import type { AskedTurn } from './turn.ts';
import type { FailingRow, TurnSent } from './turn-state.ts';
import { rejectOnUnhandled } from './unhandled.ts';

export type SmokeTarget = Pick<Target, 'baseUrl' | 'apiKey'> & Partial<Target>;

export type SmokeOptions = {
  readonly version: string;
  /** Clauses of your own, judged in addition. */
  readonly ownClauses?: readonly OwnClause[];
  readonly now?: () => Date;
  /** The day by which waivers expire; that of `now` by default. */
  readonly today?: Date;
  readonly strict?: boolean;
  readonly reference?: boolean;
  /**
   * A name that must resolve wherever name resolution works: it distinguishes a broken resolver from a lost service better than silence
   * does.
   */
  readonly dnsCanary?: string;
  /** Options of the command line: rate, wait for readiness, timeout of one request. */
  readonly session?: JudgeOptions['session'];
  /** Aborted with the name of the signal that ends a run. */
  readonly stop?: AbortSignal;
  /** What is sent after the requests of every run; nothing by default. */
  readonly turn?: AskedTurn;
  /** The failures of earlier runs that a run with that result has not asked about. */
  readonly standing?: (sent: Pick<TurnSent, 'failing' | 'passed'>) => readonly FailingRow[];
  readonly onExchange?: NonNullable<JudgeOptions['onExchange']>;
};

/** One run: the sample, and the complete record unless the suite itself broke. */
export type SmokeResult = {
  readonly sample: Sample;
  readonly run: TargetRun | undefined;
  /** All of them, if they were asked for. */
  readonly exchanges?: readonly RedactedExchange[];
};

/** Judges a target at each call. Never rejects, and never writes. */
export type Smoke = { readonly target: Target; run(limits?: { deadline?: number }): Promise<SmokeResult> };

/** A target with defaults for everything that was left out. */
export function resolveTarget(target: SmokeTarget): Target {
  if (hasLogin(target.baseUrl))
    throw new TypeError('the base URL contains a user name or password; remove them, and give the API key as apiKey');
  const interval = target.interval ?? TARGET_DEFAULTS.interval;
  const deadline = target.deadline ?? Math.min(TARGET_DEFAULTS.deadline, interval * DEADLINE_SHARE);
  return {
    name: 'smoke',
    waivers: [],
    ...DIRECT,
    headers: () => [],
    ...TARGET_DEFAULTS,
    ...target,
    interval,
    deadline,
    baseUrl: target.baseUrl.replace(/\/+$/, ''),
  };
}

/**
 * The probe as a library: reads only, one deadline, one result.
 *
 * @example
 * ```ts
 * import { createSmoke } from '@petstore-conformance/cli';
 *
 * const target = { baseUrl: 'https://petstore.example.com/v1', apiKey: () => 'secret' };
 * const smoke = createSmoke(target, { version: '3.0.0' });
 * const { sample } = await smoke.run();
 * console.log(sample);
 * ```
 *
 * @throws SelectionError when a pattern of the target names nothing.
 */
export function createSmoke(given: SmokeTarget, options: SmokeOptions): Smoke {
  const target = resolveTarget(given);
  const { version, strict = target.strict, reference = false, now = () => new Date(), dnsCanary } = options;
  const suite = suiteWith(options.ownClauses ?? NO_CLAUSES);
  suite.selected(target);

  async function run(limits: { deadline?: number } = {}): Promise<SmokeResult> {
    const at = now();
    const begin = performance.now();
    const limited = { ...target, strict, deadline: Math.min(target.deadline, limits.deadline ?? target.deadline) };
    const timeout = AbortSignal.timeout(limited.deadline);
    const signal = options.stop === undefined ? timeout : AbortSignal.any([timeout, options.stop]);
    try {
      const unseen = { phases: {}, isUnresolved: false };
      const [connection, judged] = await rejectOnUnhandled(() =>
        Promise.all([
          // Through a proxy, the path to the service is not visible from here.
          target.proxy === undefined ? inspectConnection(target.baseUrl, { route: target, signal }) : unseen,
          judgeTarget(limited, {
            suite,
            version,
            strict,
            reference,
            now: at,
            ...(options.today === undefined ? {} : { today: options.today }),
            ...(options.stop === undefined ? {} : { stop: options.stop }),
            ...(options.turn === undefined ? {} : { turn: options.turn }),
            ...(options.onExchange === undefined ? {} : { onExchange: options.onExchange }),
            ...(options.session === undefined ? {} : { session: options.session }),
          }),
        ]),
      );
      // A silent resolver looks like a silent service, or like a connection that is never established.
      const nameless = judged.unreachable === 'dns' || (judged.unreachable !== undefined && connection.isUnresolved);
      const resolverBroken = nameless && (await isResolverBroken(dnsCanary));
      return {
        sample: assess(judged, limited, {
          ...{ at: at.getTime(), connection, clientCertificateExpiry: expiryOfClient(target), resolverBroken },
          standing: options.standing?.(judged.sent ?? NOT_SENT) ?? [],
        }),
        run: judged,
      };
    } catch (error) {
      return {
        sample: unknownSample(limited, { at: at.getTime(), duration: performance.now() - begin, note: messageOf(error) }),
        run: undefined,
      };
    }
  }

  return { target, run };
}

const NOT_SENT: Pick<TurnSent, 'failing' | 'passed'> = { failing: [], passed: [] };

/** When the client certificate expires that runs present; a file that is being replaced is read in the next run. */
function expiryOfClient({ cert, key }: Target): number | undefined {
  const found = cert === undefined ? undefined : readClientCertificate(cert, key);
  return found === undefined || 'fault' in found ? undefined : found.validTo.getTime() / 1000;
}

export type AssessOptions = {
  readonly clientCertificateExpiry: number | undefined;
  readonly at: number;
  readonly connection: ConnectionReport;
  /** Whether this machine's resolver does not respond for a name that must exist either. */
  readonly resolverBroken: boolean;
  readonly standing: readonly FailingRow[];
};

export function withoutExchange({
  exchange: _exchange,
  condition: _condition,
  command: _command,
  ...failure
}: SampleFailure): SampleFailure {
  return failure;
}

/** Whether a failure makes the target fail, and does not only warn. */
function isBinding({ level, newer }: SampleFailure, { strict }: Pick<Target, 'strict'>): boolean {
  return newer !== true && (strict || level !== 'advised');
}

type Weighed = { readonly failure: SampleFailure; readonly own: boolean; readonly weight: Weight };

/** What the run has found broken. */
function weighedOf({ record }: TargetRun): readonly Weighed[] {
  return breakagesOf(record).map((weight) => {
    const { clause, consequenceOf } = weight;
    const failure = { ...failureOf(clause), ...(consequenceOf === undefined ? {} : { consequenceOf }) };
    return { failure, own: consequenceOf === undefined, weight };
  });
}

/** What earlier runs have found broken, except what this one has, too. */
function earlierFailures(standing: readonly FailingRow[], found: readonly Weighed[]): readonly Weighed[] {
  const known = new Set<ClauseId>(found.map(({ failure }) => failure.clause));
  return standing.flatMap(({ clause, failure }) => {
    if (failure === undefined || known.has(clause)) return [];
    known.add(clause);
    return [{ failure, own: true, weight: weightOf(failure) }];
  });
}

type Failures = {
  /** In the order of reports: what fails the run comes first, and what the repair of another clause repairs comes last. */
  readonly confirmed: readonly SampleFailure[];
  readonly seenOnce: readonly SampleFailure[];
};

function failuresOf(run: TargetRun, target: Pick<Target, 'strict'>, { standing }: Pick<AssessOptions, 'standing'>): Failures {
  const found = weighedOf(run);
  const fails = ({ failure }: Weighed): boolean => isBinding(failure, target);
  const sorted = [...found, ...earlierFailures(standing, found)]
    .sort((a, b) => Number(fails(b)) - Number(fails(a)) || Number(b.own) - Number(a.own) || byWeight(a.weight, b.weight))
    .map(({ failure }) => failure);
  const isOnce = ({ clause }: SampleFailure): boolean => run.seenOnce.has(clause);
  return { confirmed: sorted.filter((one) => !isOnce(one)), seenOnce: sorted.filter(isOnce) };
}

/** Why clauses are undecided, and what the service left undecided of others. */
export function leftOpen({ clauses }: RunRecord): readonly string[] {
  return clauses.flatMap(({ verdict, note, musts }) =>
    verdict === 'inconclusive' ? [note] : musts.filter(isUndecidedByService).map((must) => must.note),
  );
}

type Judgement = Pick<Sample, 'verdict' | 'note'> & { readonly first?: SampleFailure; readonly reason?: FailureReason };

function unreachableJudgement(run: TargetRun, options: AssessOptions): Judgement {
  const nameless = run.unreachable !== 'dns' && options.connection.isUnresolved;
  const reason = nameless ? 'dns' : (run.unreachable ?? 'timeout');
  const note = nameless ? 'the host name did not resolve within the deadline' : (run.record.conclusion.reasons[0] ?? 'no response');
  if (reason === 'dns' && options.resolverBroken)
    return { verdict: 'unknown', reason, note: 'no host name resolves on this machine, so nothing is known about the service' };
  return { verdict: 'fail', reason, note };
}

/** The longest response time of the run in milliseconds: a client notices a single slow request. */
function slowest(run: TargetRun): number {
  return Math.max(0, ...run.record.operations.flatMap(({ durations }) => durations));
}

function judge(run: TargetRun, target: Target, options: AssessOptions & { readonly failures: Failures }): Judgement {
  if (run.unreachable !== undefined) return unreachableJudgement(run, options);
  if (run.mistaken !== undefined) return { verdict: 'fail', reason: run.httpStatus === OK ? 'schema' : 'status', note: run.mistaken };
  const { confirmed, seenOnce } = options.failures;
  const broken = confirmed.find((failure) => isBinding(failure, target));
  if (broken !== undefined) return { verdict: 'fail', reason: broken.reason, first: broken, note: broken.summary };
  if (run.interrupted !== undefined) return { verdict: 'unknown', reason: 'internal', note: run.record.conclusion.headline };
  if (run.late) return { verdict: 'fail', reason: 'timeout', note: `the run did not end within ${target.deadline} ms` };
  if (run.errors[0] !== undefined) return { verdict: 'unknown', reason: 'internal', note: run.errors[0] };
  const listed = run.record.operations.find(({ operation }) => operation === 'listPets')?.statuses ?? {};
  if (run.failure !== undefined) return { verdict: 'fail', reason: run.failure.reason, note: run.failure.message };
  if (listed['200'] === undefined)
    return { verdict: 'fail', reason: 'status', note: `no list returned 200 (first status ${run.httpStatus})` };
  const once = seenOnce.find((failure) => isBinding(failure, target));
  if (once !== undefined) return { verdict: 'degraded', reason: once.reason, first: once, note: `seen once: ${once.summary}` };
  const longest = slowest(run);
  if (longest > target.latencyLimit)
    return { verdict: 'degraded', note: `a response took ${Math.round(longest)} ms, more than ${target.latencyLimit} ms` };
  const passed = run.record.clauses.filter(({ verdict }) => verdict === 'pass').length;
  const [open] = leftOpen(run.record);
  if (passed === 0) return { verdict: 'degraded', note: `nothing could be judged: ${open ?? 'nothing was sent'}` };
  const { exitCode, headline, reasons } = run.record.conclusion;
  if (target.strict && exitCode === EXIT_CODES.broken)
    return { verdict: 'fail', reason: 'assertion', note: [headline, ...reasons.slice(0, 1)].join('; ') };
  if (exitCode === EXIT_CODES.unjudged) return { verdict: 'degraded', note: [headline, ...reasons.slice(0, 1)].join('; ') };
  // An advised clause may stay broken for years: people learn to ignore a target that is never green.
  const [warning] = confirmed;
  const rest = [...(warning === undefined ? [] : [`warning: ${warning.summary}`]), ...(open === undefined ? [] : [`not judged: ${open}`])];
  return { verdict: 'pass', note: [`${passed} clauses passed`, ...rest].join('; ') };
}

/** A pure function of what was observed. */
function assess(run: TargetRun, target: Target, options: AssessOptions): Sample {
  const failures = failuresOf(run, target, options);
  const { first, reason, verdict, note } = judge(run, target, { ...options, failures });
  const clauses = Object.fromEntries(VERDICTS.map((name) => [name, 0])) as Record<Verdict, number>;
  for (const clause of run.record.clauses) clauses[clause.verdict] += 1;
  const { connection } = options;
  return {
    target: target.name,
    at: options.at,
    duration: run.record.duration,
    verdict,
    ...(reason === undefined ? {} : { reason }),
    ...(first === undefined ? {} : { clause: first.clause }),
    note,
    // A service that was not reached has broken no clause: the failure is the reason, as in the alert.
    // One exchange is enough: a thousand targets may fail at the same time, with dozens of failures each.
    failures: run.unreachable === undefined ? failures.confirmed.map((one, index) => (index === 0 ? one : withoutExchange(one))) : [],
    ...(run.shown === undefined ? {} : { shown: shownOf(run.shown) }),
    clauses,
    responses: run.record.operations.flatMap(({ operation, statuses }) =>
      Object.entries(statuses).map(([code, count]) => ({ operation, code: code === 'failed' ? 'none' : code, count })),
    ),
    requests: run.record.operations.reduce((sum, { requests }) => sum + requests, 0),
    slow: slowest(run) > target.latencyLimit,
    httpStatus: run.httpStatus,
    phases: connection.phases,
    impressions: run.impressions,
    ...(connection.certificateExpiry === undefined ? {} : { certificateExpiry: connection.certificateExpiry }),
    ...(options.clientCertificateExpiry === undefined ? {} : { clientCertificateExpiry: options.clientCertificateExpiry }),
  };
}

/**
 * The sample of a single run, without later runs to add to it: its metrics agree with its exit code. A run that could not be judged is
 * neither a success nor a failure of the service, and one that was not green is not a success.
 */
export function assessAlone(sample: Sample, run: TargetRun): Sample {
  const { exitCode } = run.record.conclusion;
  if (exitCode === EXIT_CODES.conformant || sample.verdict === 'fail') return sample;
  if (exitCode === EXIT_CODES.unjudged || run.interrupted !== undefined) return { ...sample, verdict: 'unknown' };
  return { ...sample, verdict: 'fail', reason: sample.reason ?? 'assertion' };
}

/** A run in which the suite itself broke: nothing is known about the service. */
function unknownSample(target: Target, options: { at: number; duration: number; note: string }): Sample {
  const clauses = Object.fromEntries(VERDICTS.map((name) => [name, 0])) as Record<Verdict, number>;
  const nothing = {
    failures: [],
    clauses,
    responses: [],
    requests: 0,
    slow: false,
    httpStatus: 0,
    phases: {},
    impressions: [],
  };
  return { target: target.name, verdict: 'unknown', reason: 'internal', ...options, ...nothing };
}
