import { EXIT_CODES } from '../clause/run-record.ts';
import type { StopReason } from '../judge/make-record.ts';
import { printError } from './output.ts';

export type Stop = {
  /** Aborted with a StopReason. */
  readonly signal: AbortSignal;
  /**
   * Ends the run after this many seconds, not counting the given milliseconds of waiting; undefined for never. The number may grow in the
   * meantime.
   */
  startDeadline(seconds: () => number | undefined, waiting: number): void;
};

/** Aborted with its name at the first SIGINT or SIGTERM; the second one ends the process at once. */
export function createStop(): Stop {
  const controller = new AbortController();
  const stop = (name: 'SIGINT' | 'SIGTERM'): void => {
    if (controller.signal.aborted) process.exit(name === 'SIGINT' ? EXIT_CODES.interrupted : EXIT_CODES.terminated);
    printError(`${name}: finishing current requests, then writing the reports (repeat to stop immediately)`);
    controller.abort(name satisfies StopReason);
  };
  process.on('SIGINT', () => stop('SIGINT'));
  process.on('SIGTERM', () => stop('SIGTERM'));
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
