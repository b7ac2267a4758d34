import type { Exchange } from '../wire/exchange.ts';
import type { Outcome, Why } from './outcome.ts';

/** A response after which a part can't continue: the rules tell which clause it breaks once they have judged it. */
export type Stopped = { readonly kind: 'stopped'; readonly missing: string /** Its number in the history. */; readonly exchange: number };

export type Unsent = Outcome | Stopped;

/**
 * Ends the sending of a part from any depth, with the reason; the sender turns it back into a value. It is not an error of the service or
 * of the suite.
 */
export class Halt extends Error {
  override readonly name = 'Halt';
  readonly unsent: Unsent;
  constructor(unsent: Unsent) {
    super(`halted: ${unsent.kind}`);
    this.unsent = unsent;
  }
}

/** The reason why a part is undecided. */
export type Cause = Exclude<Why, 'waits'>;

/** The clause could not be exercised: what was missing, and why. */
export function inconclusive(missing: string, why: Cause): Outcome {
  return { kind: 'inconclusive', missing, why };
}

/** What the clause is about does not exist in this service. */
export function notApplicable(absent: string): Outcome {
  return { kind: 'not-applicable', absent };
}

/** Stops the sending: the rest is undecided. */
export function haltInconclusive(missing: string, why: Cause): never {
  throw new Halt(inconclusive(missing, why));
}

/** Stops the sending: the part can't continue after the response. */
export function haltAt({ number }: Pick<Exchange, 'number'>, missing: string): never {
  throw new Halt({ kind: 'stopped', missing, exchange: number });
}
