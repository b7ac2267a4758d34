import type { Parts } from '../core/parts.ts';

/** What a variant changes beside the parts. */
export type VariantSetting = {
  /** Animals in the store when nothing else is asked for. */
  readonly seedAnimals?: number;
  /** The categories of those animals; 1 to 5 unless said otherwise. */
  readonly categories?: readonly bigint[];
  /** Milliseconds after which an animal is surely seen everywhere. */
  readonly consistencyLag?: number;
  readonly basePath?: string;
  readonly host?: string;
  /** The clock of the service; a suite that judges it must use the same one. */
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

/** Several choices in one server; the first is applied first. */
export function combine(name: string, summary: string, variants: readonly Variant[], setting: VariantSetting = {}): Variant {
  const settings: VariantSetting = Object.assign({}, ...variants, setting);
  const leaves = variants.map((each) => each.leaves).join('; ');
  const apply = (parts: Parts): Parts => variants.reduce((made, each) => each.apply(made), parts);
  return { ...settings, name, leaves, summary, apply };
}
