import { selectAmong } from '../judge/selection.ts';
import type { SessionClause } from '../oracle/rule.ts';
import { assess, unknownSample } from './assess.ts';
import { inspectConnection, resolverIsBroken } from './connection.ts';
import { type JudgeOptions, judgeTarget, type RotationSource, type TargetRun } from './judge-target.ts';
import { messageOf } from './messages.ts';
import type { Sample } from './sample.ts';
import { DEADLINE_SHARE, TARGET_DEFAULTS, type Target } from './target.ts';

export type SmokeTarget = Pick<Target, 'baseUrl' | 'apiKey'> & Partial<Target>;

export type SmokeOptions = {
  /** What is judged: `clauses` of the suites. Only their cheap reads are used. */
  readonly clauses: readonly SessionClause[];
  readonly version: string;
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
  /** Rotating checks, sent after those of every run. */
  readonly rotation?: RotationSource;
  /** What follows the reads, within the remaining milliseconds of the deadline: its result replaces that of the run. */
  readonly after?: (run: TargetRun, left: { readonly deadline: number; readonly now: Date }) => Promise<TargetRun>;
};

/** One run: the sample, and the complete record unless the suite itself broke. */
export type SmokeResult = { readonly sample: Sample; readonly run: TargetRun | undefined };

/** Runs the probe's selection on a target at each call. Never rejects; writes nothing except through `after`. */
export type Smoke = { readonly target: Target; run(limits?: { deadline?: number }): Promise<SmokeResult> };

/** A target with defaults for everything that was left out. */
export function resolveTarget(target: SmokeTarget): Target {
  const interval = target.interval ?? TARGET_DEFAULTS.interval;
  const deadline = target.deadline ?? Math.min(TARGET_DEFAULTS.deadline, interval * DEADLINE_SHARE);
  return {
    name: 'smoke',
    waivers: [],
    ca: undefined,
    proxy: undefined,
    writes: undefined,
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
 * import { createSmoke, probeClauses } from '@petstore-conformance/cli';
 *
 * const target = { baseUrl: 'https://petstore.example.com/v1', apiKey: () => 'secret' };
 * const smoke = createSmoke(target, { clauses: probeClauses, version: '2.0.0' });
 * const { sample } = await smoke.run();
 * console.log(sample);
 * ```
 */
export function createSmoke(given: SmokeTarget, options: SmokeOptions): Smoke {
  const target = resolveTarget(given);
  const { version, strict = target.strict, reference = false, now = () => new Date(), dnsCanary } = options;
  const clauses = selectAmong(options.clauses, { ...target, exhaustive: true });

  async function run(limits: { deadline?: number } = {}): Promise<SmokeResult> {
    const at = now();
    const begin = performance.now();
    const limited = { ...target, strict, deadline: Math.min(target.deadline, limits.deadline ?? target.deadline) };
    const signal = AbortSignal.timeout(limited.deadline);
    try {
      const unseen = { phases: {}, unresolved: false };
      const [connection, judged] = await Promise.all([
        // Through a proxy, the path to the service is not visible from here.
        target.proxy === undefined ? inspectConnection(target.baseUrl, { ca: target.ca, signal }) : unseen,
        judgeTarget(limited, {
          clauses,
          version,
          strict,
          reference,
          now: at,
          ...(options.today === undefined ? {} : { today: options.today }),
          ...(options.rotation === undefined ? {} : { rotation: options.rotation }),
          ...(options.session === undefined ? {} : { session: options.session }),
        }).then((judged) => options.after?.(judged, { deadline: limited.deadline - (performance.now() - begin), now: at }) ?? judged),
      ]);
      // A silent resolver looks like a silent service, or like a connection that is never established.
      const nameless = judged.unreachable === 'dns' || (judged.unreachable !== undefined && connection.unresolved);
      const resolverBroken = nameless && (await resolverIsBroken(dnsCanary));
      return { sample: assess(judged, limited, { at: at.getTime(), connection, resolverBroken }), run: judged };
    } catch (error) {
      return {
        sample: unknownSample(limited, { at: at.getTime(), duration: performance.now() - begin, note: messageOf(error) }),
        run: undefined,
      };
    }
  }

  return { target, run };
}
