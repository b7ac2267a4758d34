import type { Parts } from '../core/parts.ts';

/** What it takes for a fault to show. */
export type FaultNeeds = {
  /** At least so many animals, unless the suite makes them itself. */
  readonly seedAnimals?: number;
  /** The suite must be allowed to create animals. */
  readonly writes?: boolean;
  /** The time of the service, as an ISO 8601 text: to be handed to the server's and the suite's clock. */
  readonly now?: string;
};

/** A defect that a team would ship: the base server with one small deviation. */
export type Fault = {
  /** Unique among faults, kebab-case. */
  readonly name: string;
  /** The clause that must turn red. */
  readonly clause: string;
  /** What was shipped, in one sentence. */
  readonly summary: string;
  readonly needs?: FaultNeeds;
  /** The base path of the broken server, when that is what is broken. */
  readonly basePath?: string;
  /** Called once a server, so that counters and caches belong to one instance. */
  readonly apply: (parts: Parts) => Parts;
};

/** A store that has just been set up. */
export const empty: FaultNeeds = { seedAnimals: 0 };

/** A handful of animals: fewer than a page, so that completeness can be judged. */
export const few: FaultNeeds = { seedAnimals: 8 };

/** More animals than the largest page. */
export const crowd: FaultNeeds = { seedAnimals: 150 };

/** Nothing to see unless the suite may create animals. */
export const writing: FaultNeeds = { writes: true };

/** Writes a fault as the parts that it replaces. */
export function fault(name: string, clause: string, summary: string, replace: (parts: Parts) => Partial<Parts>, needs?: FaultNeeds): Fault {
  const apply = (parts: Parts): Parts => ({ ...parts, ...replace(parts) });
  return needs === undefined ? { name, clause, summary, apply } : { name, clause, summary, apply, needs };
}
