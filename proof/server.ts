// The reference server with any of the faults and variants; the product has five faults.

import { similarNames } from '../src/clause/similar-names.ts';
import { UsageError } from '../src/cli/option-spec.ts';
import { baseParts } from '../src/reference/core/base.ts';
import { type ReferenceOptions as Options, type ReferenceServer, serveParts } from '../src/reference/server.ts';
import type { Fault } from './faults/fault.ts';
import { faults } from './faults/index.ts';
import { variants } from './variants/index.ts';
import type { Variant } from './variants/variant.ts';

function called<T extends { readonly name: string }>(kind: string, entries: readonly T[], name: string): T {
  const found = entries.find((entry) => entry.name === name);
  if (found !== undefined) return found;
  const near = similarNames(
    name,
    entries.map((entry) => entry.name),
  );
  throw new UsageError(`there is no ${kind} "${name}"${near.length === 0 ? '' : `: did you mean ${near.join(', ')}?`}`);
}

/** The fault with that name. Throws UsageError if there is none. */
export const faultCalled = (name: string): Fault => called('fault', faults, name);

/** The variant with that name. Throws UsageError if there is none. */
export const variantCalled = (name: string): Variant => called('variant', variants, name);

/** How to start the reference server with deviations. */
export type ReferenceOptions = Options & {
  /** The initial number of animals; defaults to what the variants need, else 0. */
  readonly seedAnimals?: number;
  /** Names of `faults`. */
  readonly faults?: readonly string[];
  /** Names of `variants`. */
  readonly variants?: readonly string[];
};

/** Starts the reference server with the named deviations. Throws UsageError for one that does not exist, and the errors of `listen`. */
export async function startReference(options: ReferenceOptions): Promise<ReferenceServer> {
  const { variants: choices = [], faults: defects = [], ...given } = options;
  const chosen = choices.map(variantCalled);
  const broken = defects.map(faultCalled);
  const { host, seedAnimals, basePath, now, categories }: Partial<Variant> = Object.assign({}, ...chosen);
  const path = broken.find((fault) => fault.basePath !== undefined)?.basePath ?? basePath;
  return serveParts({
    ...(host === undefined ? {} : { host }),
    ...(seedAnimals === undefined ? {} : { seedAnimals }),
    ...(path === undefined ? {} : { basePath: path }),
    ...(now === undefined ? {} : { now }),
    ...(categories === undefined ? {} : { categories }),
    ...given,
    // Faults come last: they break whatever the variants choose.
    parts: [...chosen, ...broken].reduce((made, { apply }) => apply(made), baseParts),
  });
}
