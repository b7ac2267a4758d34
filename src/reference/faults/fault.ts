import type { Parts } from '../core/parts.ts';

/** A defect that a team would ship: the base server with one small deviation. */
export type Fault = {
  /** Unique among faults, kebab-case. */
  readonly name: string;
  /** The clause that must turn red. */
  readonly clause: string;
  /** What was shipped, in one sentence. */
  readonly summary: string;
  /** What it takes to show: a seeded store, or that the suite may write. */
  readonly needs?: { readonly seedAnimals?: number; readonly writes?: boolean };
  /** Called once a server, so that counters and caches belong to one instance. */
  readonly apply: (parts: Parts) => Parts;
};

/** Writes a fault as the parts that it replaces. */
export function fault(
  name: string,
  clause: string,
  summary: string,
  replace: (parts: Parts) => Partial<Parts>,
  needs?: Fault['needs'],
): Fault {
  const apply = (parts: Parts): Parts => ({ ...parts, ...replace(parts) });
  return needs === undefined ? { name, clause, summary, apply } : { name, clause, summary, apply, needs };
}
