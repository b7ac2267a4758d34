import type { Exchange } from '../wire/exchange.ts';
import type { Observation, Outcome, Why } from './outcome.ts';

/** What a response leaves nothing to go on with: which clause it breaks, the rules tell once they have judged it. */
export type Stopped = { readonly kind: 'stopped'; readonly missing: string /** Its number in the history. */; readonly exchange: number };

/** Why requests were not sent. */
export type Unsent = Outcome | Stopped;

/** Ends the sending of a part from any depth, with the reason; whoever sends turns it back into a value. Not an error of the service or of ours. */
export class Halt extends Error {
  override readonly name = 'Halt';
  readonly unsent: Unsent;
  constructor(unsent: Unsent) {
    super(`halted: ${unsent.kind}`);
    this.unsent = unsent;
  }
}

/** The clause holds, on the evidence that is named. */
export function pass(evidence: string): Outcome {
  return { kind: 'pass', evidence };
}

/** Whose doing it is that a part is undecided. */
export type Cause = Exclude<Why, 'waits'>;

/** The clause could not be exercised: what was missing, and whose doing it is. */
export function inconclusive(missing: string, why: Cause): Outcome {
  return { kind: 'inconclusive', missing, why };
}

/** What the clause is about does not exist in this service. */
export function notApplicable(absent: string): Outcome {
  return { kind: 'not-applicable', absent };
}

/** An open question, and what the service does. */
export function observed(...observations: readonly Observation[]): Outcome {
  return { kind: 'observed', observations };
}

/** Stops the sending: the rest is undecided. */
export function haltInconclusive(missing: string, why: Cause): never {
  throw new Halt(inconclusive(missing, why));
}

/** Stops the sending: the response leaves nothing to go on with. */
export function haltAt({ number }: Pick<Exchange, 'number'>, missing: string): never {
  throw new Halt({ kind: 'stopped', missing, exchange: number });
}

/** Stops the sending: what it is for does not exist in this service. */
export function haltNotApplicable(absent: string): never {
  throw new Halt(notApplicable(absent));
}
