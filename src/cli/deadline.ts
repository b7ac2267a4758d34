// When a run ends early: its deadline, or a signal.

import { SIGNAL_CODES, type StopSignal } from '../clause/run-record.ts';
import type { StopReason } from '../judge/conclude-record.ts';
import { plannedRequests } from '../judge/run-size.ts';
import { count, duration } from '../report/text.ts';
import { UsageError } from './option-spec.ts';
import { printError } from './output.ts';
import type { RunConfiguration } from './target.ts';

/** The default deadline in seconds. */
const USUAL = 300;
/** The factor for requests beyond the plan: polling, a full store. */
const SPARE = 1.5;

/** Rates below this are shown with a decimal. */
const LEAST_WHOLE = 10;

type Configured = Pick<RunConfiguration, 'deadline' | 'rate' | 'only' | 'skip' | 'failed' | 'depth' | 'readOnly'>;

/** Whether the run sends all that its depth has: of any other run, nobody knows beforehand how long it takes. */
export const isWhole = ({ only, skip, failed }: Pick<RunConfiguration, 'only' | 'skip' | 'failed'>): boolean =>
  only.length + skip.length === 0 && failed === undefined;

/** Requests of `smoke`. */
export const PLANNED_FOR_SMOKE = 20;

/**
 * Seconds after which the run ends; undefined for never. Throws UsageError for a deadline that the request rate can't meet, unless a
 * selection makes the length of the run unknown.
 */
export function resolveDeadline(
  configuration: Pick<RunConfiguration, 'deadline' | 'rate' | 'only' | 'skip' | 'failed'>,
  planned: number,
): number | undefined {
  const { deadline, rate } = configuration;
  const needed = rate === 0 ? 0 : planned / rate;
  if (deadline === undefined) return Math.max(USUAL, Math.ceil(SPARE * needed));
  if (deadline === 0) return undefined;
  if (deadline < needed && isWhole(configuration)) {
    const sum = `${count(planned, 'request')} at ${rate} a second take ${Math.ceil(needed)} s`;
    throw new UsageError(`--deadline ${deadline} is too short for --rate ${rate}: ${sum}; allow more of either, or no deadline with 0`);
  }
  return deadline;
}

/**
 * Seconds into which a run must fit: of what does not, the least useful is left out, and not the end; undefined if the deadline follows the service.
 */
export function timeLimitOf({ deadline }: Configured): number | undefined {
  return deadline === 0 ? undefined : deadline;
}

/** What a run of so many requests takes at a rate, in words: `about 2,400 requests at 28 per second take about 1 min 26 s`. */
export function timeAtRate(requests: number, rate: number): string {
  const time = duration(1_000 * Math.ceil(requests / rate));
  const per = rate < LEAST_WHOLE ? rate.toFixed(1) : String(Math.round(rate));
  return `about ${count(requests, 'request')} at ${per} per second take about ${time}`;
}

/** The deadline of a running run, in seconds. */
export type RunDeadline = {
  /** Undefined for never. */
  seconds(): number | undefined;
  /** Requests per second that the service was seen to allow. */
  note(allowedRate: number | undefined): void;
};

/** The deadline of a run; the default one follows the rate that the service allows, as it follows `--rate`. */
export function createRunDeadline(configuration: Configured): RunDeadline {
  const planned = plannedRequests(configuration);
  const given = resolveDeadline(configuration, planned);
  let allowed: number | undefined;
  return {
    seconds: () =>
      configuration.deadline === undefined && allowed !== undefined
        ? Math.max(given ?? USUAL, Math.ceil((SPARE * planned) / allowed))
        : given,
    note(allowedRate) {
      allowed = allowedRate;
    },
  };
}

export type Stop = {
  /** Aborted with a StopReason. */
  readonly signal: AbortSignal;
  /**
   * Ends the run after this many seconds, not counting the given milliseconds of waiting; undefined for never. The number may grow in the
   * meantime.
   */
  startDeadline(seconds: () => number | undefined, waiting: number): void;
};

/** Aborted with its name at the first SIGHUP, SIGINT, or SIGTERM; the second one ends the process at once. */
export function createStop(): Stop {
  const controller = new AbortController();
  const stop = (name: StopSignal): void => {
    if (controller.signal.aborted) process.exit(SIGNAL_CODES[name]);
    printError(`${name}: finishing current requests, then writing the reports (repeat to stop immediately)`);
    controller.abort(name satisfies StopReason);
  };
  for (const name of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) process.on(name, () => stop(name));
  return {
    signal: controller.signal,
    startDeadline(seconds, waiting) {
      const begin = performance.now();
      const arm = (): void => {
        const given = seconds();
        if (given === undefined || controller.signal.aborted) return;
        const left = begin + given * 1000 + waiting - performance.now();
        if (left > 0) {
          setTimeout(arm, left).unref();
          return;
        }
        printError(`the deadline of ${given} s has passed: writing the reports`);
        controller.abort({ cutShort: `the deadline of ${given} s passed` } satisfies StopReason);
      };
      arm();
    },
  };
}
