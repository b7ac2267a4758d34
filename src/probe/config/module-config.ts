import type { Target } from '../target.ts';
import type { Reading } from './reading.ts';
import { checkPatterns, checkSelection, checksOf, milliseconds, type RawChecks } from './target-config.ts';

export type RawModule = RawChecks;

/** A named configuration of checks, for `/probe?module=NAME`: a target as it is asked under that name. */
export type Module = (target: Target) => Target;

/** What a module has replaces what the target has; mistakes are among the problems of the reading. */
export function moduleOf(raw: RawModule, place: { readonly reading: Reading; readonly path: readonly string[] }): Module {
  checkPatterns(raw, place);
  checkSelection({ only: raw.only ?? [], skip: raw.skip ?? [] }, place);
  return (target) => ({
    ...target,
    // What takes turns is asked where the module says so: a scrape has no history of its own to go on from.
    ...checksOf({ budget: 0, ...raw }, target),
    deadline: raw.deadline === undefined ? target.deadline : milliseconds(raw.deadline),
  });
}
