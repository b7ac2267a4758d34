import { AsyncLocalStorage } from 'node:async_hooks';
import type { CheckId } from '../../clause/clause.ts';

const asking = new AsyncLocalStorage<CheckId>();

/** Does the work of a check, so that every request of it is known to be that check's. What several share is asked by the first. */
export function askingAs<Result>(check: CheckId, work: () => Promise<Result>): Promise<Result> {
  return asking.run(check, work);
}

/** The check that asks now; undefined outside of checks. */
export function whoAsks(): CheckId | undefined {
  return asking.getStore();
}
