// Runs on request: several callers share one.

import type { Clock } from './clock.ts';
import type { SmokeResult } from './smoke.ts';

export type SharedProbesOptions = {
  readonly clock: Clock;
  readonly most: () => number;
};

type Running = Pick<AskedProbe, 'module' | 'debug'> & {
  readonly deadline: number;
  /** On the monotonic clock. */
  readonly end: number;
  readonly result: Promise<SmokeResult>;
};

/** `deadline` in milliseconds from now. */
export type AskedProbe = {
  readonly target: string;
  readonly module?: string | undefined;
  /** Whether the result has the exchanges. */
  readonly debug?: boolean;
  readonly deadline: number;
};

export type SharedProbes = {
  /**
   * A run within that many milliseconds from now; undefined if too many are running. A request during another run of the target by the same
   * module, and with the same result, shares it if that one has at least as much time and ends in time: nobody gets a timeout that another caller chose.
   */
  run(asked: AskedProbe, start: () => Promise<SmokeResult>): Promise<SmokeResult> | undefined;
  settled(): Promise<unknown>;
};

/** The maximum number of concurrent runs per target: scrapers with different timeouts each need their own, and must not flood a service. */
const MOST_PER_TARGET = 4;

export function createSharedProbes({ clock, most }: SharedProbesOptions): SharedProbes {
  const running = new Map<string, Set<Running>>();
  let count = 0;

  return {
    run({ target, module, debug = false, deadline }, start) {
      const of = running.get(target) ?? new Set();
      const end = clock.monotonic() + deadline;
      const shared = [...of].find((one) => one.module === module && one.debug === debug && one.deadline >= deadline && one.end <= end);
      if (shared !== undefined) return shared.result;
      if (count >= most() || of.size >= MOST_PER_TARGET) return undefined;
      count += 1;
      const one: Running = {
        module,
        debug,
        deadline,
        end,
        result: start().finally(() => {
          count -= 1;
          of.delete(one);
          if (of.size === 0) running.delete(target);
        }),
      };
      running.set(target, of.add(one));
      return one.result;
    },
    settled: () => Promise.allSettled([...running.values()].flatMap((of) => [...of].map(({ result }) => result))),
  };
}
