import { isDocumented, isError } from './as-documented.ts';
import type { Documented } from './documented.ts';

/**
 * Those that are what the document names, if they include a success or an error for each that the document names; otherwise all, so
 * that the check that judges them names what was missing.
 */
export function thoseDocumented(all: readonly Documented[]): readonly Documented[] {
  const some = all.filter(isDocumented);
  const isShown = (wanted: Documented): boolean => some.some(({ status }) => isError(status) === isError(wanted.status));
  return all.every(isShown) ? some : all;
}
