import fc from 'fast-check';
import { PET_STATUSES, type PetStatus } from '../wire/exchange.ts';

/** How plain animals differ: the session adds a name that is unique in the run. */
export type PlainShape = {
  /** Letters after the unique name. */
  readonly tail: string;
  readonly status: PetStatus | undefined;
};

const LONGEST = 20;

/** Animals of the plain domain: ASCII letters, at most 20; each status and none. */
export function plainShapes(): fc.Arbitrary<PlainShape> {
  return fc.record({
    tail: fc.stringMatching(/^[A-Za-z]{0,9}$/),
    status: fc.constantFrom(undefined, ...PET_STATUSES),
  });
}

/** The unique name followed by the tail, still plain and unique. */
export function plainName(unique: string, tail: string): string {
  return `${unique}${tail}`.slice(0, Math.max(LONGEST, unique.length));
}
