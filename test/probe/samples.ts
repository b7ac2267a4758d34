// What tests of the probe invent: keys, time, and the results of runs.

import type { RunContext } from '../../src/probe/alerts/event.ts';
import type { Clock } from '../../src/probe/clock.ts';
import { IN_MEMORY } from '../../src/probe/data-folder.ts';
import { History } from '../../src/probe/history.ts';
import type { Sample } from '../../src/probe/sample.ts';
import { TARGET_DEFAULTS } from '../../src/probe/target.ts';

/** Secrets in the probe's tests: the API key of the targets and the secret of the webhooks. */
export const KEY = 'canary-key-5f3a9c';
export const SECRET = 'webhook-secret';

/** The history of a monitor without a folder. */
export function memoryHistory(): History {
  const onProblem = (problem: string): void => {
    throw new Error(problem);
  };
  return new History({ file: IN_MEMORY, maxBytes: 1e9, now: Date.now, onProblem });
}

export type FakeClock = Clock & {
  /** Moves both clocks, firing what is due on the way, and lets promises settle after each. */
  advance(milliseconds: number): Promise<void>;
  /** Sets the wall clock alone, as an operator or NTP does. */
  jump(milliseconds: number): void;
};

type Timer = { readonly at: number; readonly call: () => void };

/** Time that moves only on request. */
export function createFakeClock(wallStart = Date.parse('2026-11-21T00:00:00Z')): FakeClock {
  let monotonic = 0;
  let wall = wallStart;
  const timers = new Set<Timer>();
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    wall: () => wall,
    monotonic: () => monotonic,
    after(milliseconds, call) {
      const timer = { at: monotonic + Math.max(0, milliseconds), call };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async advance(milliseconds) {
      const end = monotonic + milliseconds;
      await settle();
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (next === undefined) break;
        timers.delete(next);
        wall += next.at - monotonic;
        monotonic = next.at;
        next.call();
        await settle();
      }
      wall += end - monotonic;
      monotonic = end;
      await settle();
    },
    jump(milliseconds) {
      wall += milliseconds;
    },
  };
}

/** The default values of a target. */
export const USUAL: RunContext = { link: null, rule: TARGET_DEFAULTS.alertRule };

/** A sample with only the relevant values given. */
export function sampleOf(given: Partial<Sample>): Sample {
  const verdict = given.verdict ?? 'pass';
  const failed = verdict === 'fail' ? { reason: 'status' as const, clause: 'list.success' as const } : {};
  return {
    target: 'production',
    at: 0,
    duration: 12,
    verdict,
    ...failed,
    note: verdict === 'fail' ? 'a list returned 500, not 200' : 'all is well',
    failures: [],
    clauses: { pass: 3, fail: 0, inconclusive: 0, 'not-applicable': 0, observed: 0, waived: 0 },
    responses: [{ operation: 'listPets', code: '200', count: 3 }],
    requests: 3,
    slow: false,
    httpStatus: 200,
    phases: {},
    impressions: [],
    ...given,
  };
}
