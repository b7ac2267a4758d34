import type { ClauseId } from './clause.ts';
import type { Observation, Outcome, Why } from './outcome.ts';

/** Ends a check from any depth with an outcome; the judge turns it back into a value. Not an error of the service or of ours. */
export class Halt extends Error {
  override readonly name = 'Halt';
  readonly outcome: Outcome;
  constructor(outcome: Outcome) {
    super(`check halted: ${outcome.kind}`);
    this.outcome = outcome;
  }
}

/** The clause holds, on the evidence that is named. */
export function pass(evidence: string): Outcome {
  return { kind: 'pass', evidence };
}

/** What an undecided check lacks: the clause that it waits for, or whose doing it is. */
export type Cause = ClauseId | Exclude<Why, 'waits'>;

const OWN_CAUSES: readonly Cause[] = ['service', 'choice', 'circumstance'];
const isOwnCause = (cause: Cause): cause is Exclude<Why, 'waits'> => OWN_CAUSES.includes(cause);

/** The clause could not be exercised: what was missing, and the clause that stands in the way or whose doing it is. */
export function inconclusive(missing: string, cause: Cause): Outcome {
  return isOwnCause(cause)
    ? { kind: 'inconclusive', missing, why: cause }
    : { kind: 'inconclusive', missing, why: 'waits', blockedBy: cause };
}

/** What the clause is about does not exist in this service. */
export function notApplicable(absent: string): Outcome {
  return { kind: 'not-applicable', absent };
}

/** An open question, and what the service does. */
export function observed(...observations: readonly Observation[]): Outcome {
  return { kind: 'observed', observations };
}

/** Stops the check as inconclusive. */
export function haltInconclusive(missing: string, cause: Cause): never {
  throw new Halt(inconclusive(missing, cause));
}

/** Stops the check: what it judges does not exist in this service. */
export function haltNotApplicable(absent: string): never {
  throw new Halt(notApplicable(absent));
}
