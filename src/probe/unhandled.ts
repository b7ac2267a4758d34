// Errors that nothing handles: which run they break, and whether they repeat.

import { AsyncLocalStorage } from 'node:async_hooks';

const runs = new AsyncLocalStorage<(error: unknown) => void>();

/** The result of a run; rejects with the first error in its course that nothing handles, if somebody reports it by `failRun`. */
export function rejectOnUnhandled<Result>(run: () => Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    runs.run(reject, () => run().then(resolve, reject));
  });
}

/** Ends the run in whose course this was thrown, if there is one. */
export function failRun(error: unknown): void {
  runs.getStore()?.(error);
}

const MOST_IN_A_WHILE = 5;
const WHILE = 60_000;

/** Whether errors repeat: true at the fifth within a minute of the clock. */
export function createRepetitionDetector(monotonic: () => number): () => boolean {
  let recent: readonly number[] = [];
  return () => {
    const now = monotonic();
    recent = [...recent.filter((at) => now - at < WHILE), now];
    return recent.length >= MOST_IN_A_WHILE;
  };
}
