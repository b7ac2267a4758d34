import { EXIT_CODES } from '../clause/run-record.ts';
import type { StopReason } from '../gate/run-gate.ts';
import { printError } from './output.ts';

export type Stop = {
  /** Aborted with a StopReason. */
  readonly signal: AbortSignal;
  /** Ends the run after so many seconds; undefined for never. */
  startDeadline(seconds: number | undefined, milliseconds: number): void;
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
      if (seconds === undefined) return;
      const late = (): void => {
        if (controller.signal.aborted) return;
        printError(`the deadline of ${seconds} s has passed: writing the reports`);
        controller.abort({ cutShort: `the deadline of ${seconds} s passed` } satisfies StopReason);
      };
      setTimeout(late, seconds * 1000 + waiting).unref();
    },
  };
}
