import type { Clock } from './clock.ts';
import type { SmokeResult } from './create-smoke.ts';

export type SharedProbesOptions = {
  readonly clock: Clock;
  /** The maximum number of concurrent runs, over all targets. */
  readonly most: () => number;
};

type Running = {
  readonly module: string | undefined;
  readonly deadline: number;
  /** On the monotonic clock. */
  readonly end: number;
  readonly result: Promise<SmokeResult>;
};

/** A requested probe: a target, the checks of a module, and the available milliseconds. */
export type AskedProbe = { readonly target: string; readonly module?: string | undefined; readonly deadline: number };

/** Runs on request, outside of the schedule. */
export type SharedProbes = {
  /**
   * A run within that many milliseconds from now; undefined if too many are running. A request during another run of the target by the same
   * module shares it if that one has at least as much time and ends in time: nobody gets a timeout that another caller chose.
   */
  run(asked: AskedProbe, start: () => Promise<SmokeResult>): Promise<SmokeResult> | undefined;
  /** Resolves when all runs have ended. */
  settled(): Promise<unknown>;
};

/** The maximum number of concurrent runs per target: scrapers with different timeouts each need their own, and must not flood a service. */
const MOST_PER_TARGET = 4;

export function createSharedProbes({ clock, most }: SharedProbesOptions): SharedProbes {
  const running = new Map<string, Set<Running>>();
  let count = 0;

  return {
    run({ target, module, deadline }, start) {
      const of = running.get(target) ?? new Set();
      const end = clock.monotonic() + deadline;
      const shared = [...of].find((one) => one.module === module && one.deadline >= deadline && one.end <= end);
      if (shared !== undefined) return shared.result;
      if (count >= most() || of.size >= MOST_PER_TARGET) return undefined;
      count += 1;
      const one: Running = {
        module,
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
