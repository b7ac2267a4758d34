import { randomInt } from 'node:crypto';

export const CANARY_PREFIX = 'probe';
const LONGEST = 20;
const A = 'a'.charCodeAt(0);

/**
 * A name of the plain domain that was never used before: ASCII letters, 20 of them, so that a name that is cut is noticed, and a
 * capital in the middle, so that one whose case is folded is.
 */
export function canaryName(): string {
  const letters = Array.from({ length: LONGEST - CANARY_PREFIX.length }, () => String.fromCharCode(A + randomInt(26))).join('');
  return CANARY_PREFIX + letters.slice(0, 1).toUpperCase() + letters.slice(1);
}
