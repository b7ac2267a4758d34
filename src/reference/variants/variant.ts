import type { Parts } from '../core/parts.ts';

/** What a variant changes beside the parts. */
export type VariantSetting = {
  /** Animals in the store when nothing else is asked for. */
  readonly seedAnimals?: number;
  /** Milliseconds after which an animal is surely seen everywhere. */
  readonly consistencyLag?: number;
  readonly basePath?: string;
  readonly host?: string;
  readonly now?: () => Date;
};

/** A conforming server that chooses otherwise where the document is silent. */
export type Variant = VariantSetting & {
  /** Unique among variants, kebab-case. */
  readonly name: string;
  /** The gap of the document, or the clause that leaves it open. */
  readonly leaves: string;
  /** What was chosen, in one sentence. */
  readonly summary: string;
  /** Called once a server, so that counters and caches belong to one instance. */
  readonly apply: (parts: Parts) => Parts;
};

/** Writes a variant as the parts that it replaces. */
export function variant(
  name: string,
  leaves: string,
  summary: string,
  replace: (parts: Parts) => Partial<Parts>,
  setting: VariantSetting = {},
): Variant {
  return { name, leaves, summary, ...setting, apply: (parts) => ({ ...parts, ...replace(parts) }) };
}
