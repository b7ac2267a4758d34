import { AsyncLocalStorage } from 'node:async_hooks';
import type { CheckId } from '../../clause/clause.ts';

const checks = new AsyncLocalStorage<CheckId>();

/**
 * Does the work of a check, so that each of its requests is attributed to it. A request that several checks share is attributed to the
 * first.
 */
export function askingAs<Result>(check: CheckId, work: () => Promise<Result>): Promise<Result> {
  return checks.run(check, work);
}

/** The current check; undefined outside of checks. */
export function currentCheck(): CheckId | undefined {
  return checks.getStore();
}
