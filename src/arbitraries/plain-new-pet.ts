import fc from 'fast-check';
import { PET_STATUSES, type PetStatus } from '../wire/exchange.ts';

/** How a plain animal differs from the next: the name that is unique in the run comes from the session. */
export type PlainShape = {
  /** Letters behind the unique name. */
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

/** The unique name with its tail, still plain and still unique. */
export function plainName(unique: string, tail: string): string {
  return `${unique}${tail}`.slice(0, Math.max(LONGEST, unique.length));
}
