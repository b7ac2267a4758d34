import type { CatalogClauseId } from '../../src/clause/clause-ids.ts';
import type { Parts, Patch } from '../../src/reference/core/parts.ts';
import { FAULTS } from '../../src/reference/faults.ts';

/** Conditions under which a fault shows. */
export type FaultNeeds = {
  /** At least this many animals, unless the suite creates them itself. */
  readonly seedAnimals?: number;
  /** The suite must be allowed to create animals. */
  readonly writes?: boolean;
  /** The time of the service, as an ISO 8601 text, for both the server's and the suite's clock. */
  readonly now?: string;
};

type FaultEffects = {
  /** The base path of the broken server, if that is what is broken. */
  readonly basePath?: string;
};

/** A defect that a team could ship: the base server with one small deviation. */
export type Fault = FaultEffects & {
  /** Unique among faults, kebab-case. */
  readonly name: string;
  /** The clause that must turn red. */
  readonly clause: CatalogClauseId;
  /** What was shipped, in one sentence. */
  readonly summary: string;
  readonly needs: FaultNeeds;
  /** Called once per server, so that counters and caches belong to one instance. */
  readonly apply: (parts: Parts) => Parts;
};

type FaultDraft = readonly [summary: string, patch: Patch, setting?: FaultNeeds & FaultEffects];

/** A fault that the product has too, for the table of its clause. */
export function shipped(name: keyof typeof FAULTS, needs: FaultNeeds = {}): FaultDraft {
  const { summary, patch } = FAULTS[name];
  return [summary, patch, needs];
}

/** A newly created store. */
export const EMPTY_STORE: FaultNeeds = { seedAnimals: 0 };

/** A handful of animals: fewer than a page, so that completeness can be judged. */
export const FEW: FaultNeeds = { seedAnimals: 8 };

/** A page of the default size is full from the beginning. */
export const FULL_PAGE: FaultNeeds = { seedAnimals: 30, writes: true };

/** More animals than the largest page. */
export const LARGE_STORE: FaultNeeds = { seedAnimals: 150 };

/** Shows only if the suite may create animals. */
export const WRITES: FaultNeeds = { writes: true };

type Broken = { readonly clause: CatalogClauseId; readonly needs: FaultNeeds };

/** A clause whose faults all need this, in addition to their own needs. */
export function needing(needs: FaultNeeds, clause: CatalogClauseId): Broken {
  return { clause, needs };
}

/** The faults that break one clause, by their names. */
export function faultsOf<Name extends string>(
  broken: CatalogClauseId | Broken,
  drafts: Readonly<Record<Name, FaultDraft>>,
): Readonly<Record<Name, Fault>> {
  const { clause, needs: common } = typeof broken === 'string' ? { clause: broken, needs: {} } : broken;
  const faultOf = (name: string, [summary, patch, { basePath, ...own } = {}]: FaultDraft): Fault => ({
    name,
    clause,
    summary,
    needs: { ...common, ...own },
    ...(basePath === undefined ? {} : { basePath }),
    apply: (parts) => ({ ...parts, ...patch(parts) }),
  });
  const faults = Object.entries<FaultDraft>(drafts).map(([name, draft]) => [name, faultOf(name, draft)]);
  return Object.fromEntries(faults) as Record<Name, Fault>;
}
