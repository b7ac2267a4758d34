import type { Target } from '../target.ts';
import type { Reading } from './reading.ts';
import { checkPatterns, checkSelection, checksOf, milliseconds, type RawChecks } from './target-config.ts';

export type RawModule = RawChecks;

/** A named configuration of checks, for `/probe?module=NAME`: changes a target for probes under that name. */
export type Module = (target: Target) => Target;

/** Values of a module replace those of the target; mistakes are added to the problems of the reading. */
export function moduleOf(raw: RawModule, place: { readonly reading: Reading; readonly path: readonly string[] }): Module {
  checkPatterns(raw, place);
  checkSelection({ only: raw.only ?? [], skip: raw.skip ?? [] }, place);
  return (target) => ({
    ...target,
    // Rotating checks are sent only if the module says so: a scrape has no history to continue from.
    ...checksOf({ budget: 0, ...raw }, target),
    deadline: raw.deadline === undefined ? target.deadline : milliseconds(raw.deadline),
  });
}
