import { randomInt } from 'node:crypto';

export const CANARY_PREFIX = 'probe';
const LONGEST = 20;
const A = 'a'.charCodeAt(0);

/**
 * A new name of the plain domain: 20 ASCII letters, which reveals a name that is cut, with a capital in the middle, which reveals one whose
 * case is folded.
 */
export function canaryName(): string {
  const letters = Array.from({ length: LONGEST - CANARY_PREFIX.length }, () => String.fromCharCode(A + randomInt(26))).join('');
  return CANARY_PREFIX + letters.slice(0, 1).toUpperCase() + letters.slice(1);
}
