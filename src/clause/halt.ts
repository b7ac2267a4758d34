import type { ClauseId } from './clause.ts';
import type { Finding, Observation, Outcome, Why } from './outcome.ts';

/** Ends a check from any depth with an outcome; the judge turns it back into a value. Not an error of the service or of ours. */
export class Halt extends Error {
  override readonly name = 'Halt';
  readonly outcome: Outcome;
  constructor(outcome: Outcome) {
    super(`check halted: ${outcome.kind}`);
    this.outcome = outcome;
  }
}

/**
 * The clause holds, on the evidence that is named.
 *
 * @example
 * ```ts
 * import { pass } from '@petstore-conformance/cli';
 *
 * pass('7 animals have names');
 * ```
 */
export function pass(evidence: string): Outcome {
  return { kind: 'pass', evidence };
}

/**
 * The findings as a failure, or the outcome that stands when there are none.
 *
 * @example
 * ```ts
 * import { failOr, pass, wrongStatus } from '@petstore-conformance/cli';
 * import type { Exchange } from '@petstore-conformance/cli';
 *
 * const judge = (exchange: Exchange) => failOr([wrongStatus(exchange, [200], 'the first list')], pass('the first list'));
 * console.log(judge.name);
 * ```
 */
export function failOr(findings: readonly (Finding | undefined)[], otherwise: Outcome): Outcome {
  const [first, ...rest] = findings.filter((finding) => finding !== undefined);
  return first === undefined ? otherwise : { kind: 'fail', findings: [first, ...rest] };
}

/** What an undecided check lacks: the clause that it waits for, or whose doing it is. */
export type Cause = ClauseId | Exclude<Why, 'waits'>;

const OWN_CAUSES: readonly Cause[] = ['service', 'choice', 'circumstance'];
const isOwnCause = (cause: Cause): cause is Exclude<Why, 'waits'> => OWN_CAUSES.includes(cause);

/**
 * The clause could not be exercised: what was missing, and the clause that stands in the way or whose doing it is.
 *
 * @example
 * ```ts
 * import { inconclusive } from '@petstore-conformance/cli';
 *
 * inconclusive('the store holds no animal that is sold', 'circumstance');
 * ```
 */
export function inconclusive(missing: string, cause: Cause): Outcome {
  return isOwnCause(cause)
    ? { kind: 'inconclusive', missing, why: cause }
    : { kind: 'inconclusive', missing, why: 'waits', blockedBy: cause };
}

/**
 * What the clause is about does not exist in this service.
 *
 * @example
 * ```ts
 * import { notApplicable } from '@petstore-conformance/cli';
 *
 * notApplicable('no response has a Sunset header');
 * ```
 */
export function notApplicable(absent: string): Outcome {
  return { kind: 'not-applicable', absent };
}

/**
 * An open question, and what the service does.
 *
 * @example
 * ```ts
 * import { observed } from '@petstore-conformance/cli';
 *
 * observed({ question: 'how lists are ordered', answer: 'by id' });
 * ```
 */
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
