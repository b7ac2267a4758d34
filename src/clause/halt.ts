import type { ClauseId } from './clause.ts';
import type { Finding, Observation, Outcome } from './outcome.ts';

/** Ends a check from any depth with an outcome; the judge turns it back into a value. Not an error of the service or of ours. */
export class Halt extends Error {
  override readonly name = 'Halt';
  readonly outcome: Outcome;
  constructor(outcome: Outcome) {
    super(`check halted: ${outcome.kind}`);
    this.outcome = outcome;
  }
}

export function pass(evidence: string): Outcome {
  return { kind: 'pass', evidence };
}

/** The findings as a failure, or the outcome that stands when there are none. */
export function failOr(findings: readonly (Finding | undefined)[], otherwise: Outcome): Outcome {
  const [first, ...rest] = findings.filter((finding) => finding !== undefined);
  return first === undefined ? otherwise : { kind: 'fail', findings: [first, ...rest] };
}

export function inconclusive(missing: string, blockedBy?: ClauseId): Outcome {
  return blockedBy === undefined ? { kind: 'inconclusive', missing } : { kind: 'inconclusive', missing, blockedBy };
}

export function observed(...observations: readonly Observation[]): Outcome {
  return { kind: 'observed', observations };
}

/** Stops the check as inconclusive. */
export function haltInconclusive(missing: string, blockedBy?: ClauseId): never {
  throw new Halt(inconclusive(missing, blockedBy));
}
