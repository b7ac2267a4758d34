import type { Parts, Patch } from '../../src/reference/core/parts.ts';

/** What a variant changes in addition to the parts. */
export type VariantSetting = {
  /** The default number of animals in the store. */
  readonly seedAnimals?: number;
  /** The categories of those animals; 1 to 5 by default. */
  readonly categories?: readonly bigint[];
  /** Milliseconds after which an animal is visible everywhere. */
  readonly consistencyLag?: number;
  readonly basePath?: string;
  readonly host?: string;
  /** The clock of the service; a suite that judges it must use the same one. */
  readonly now?: () => Date;
};

/** A conforming server with a different choice where the document is silent. */
export type Variant = VariantSetting & {
  /** Unique among variants, kebab-case. */
  readonly name: string;
  /** The gap of the document, or the clause that leaves it open. */
  readonly gap: string;
  /** What was chosen, in one sentence. */
  readonly summary: string;
  /** Called once per server, so that counters and caches belong to one instance. */
  readonly apply: (parts: Parts) => Parts;
};

type VariantDraft = readonly [summary: string, patch: Patch, setting?: VariantSetting];

type Gap = { readonly gap: string; readonly common: VariantSetting };

/** A gap whose variants start with this many animals, unless they override it. */
export function seeded(seedAnimals: number, gap: string): Gap {
  return { gap, common: { seedAnimals } };
}

/** The choices in one gap of the document, by their names. */
export function variantsOf<Name extends string>(
  chosen: string | Gap,
  drafts: Readonly<Record<Name, VariantDraft>>,
): Readonly<Record<Name, Variant>> {
  const { gap, common } = typeof chosen === 'string' ? { gap: chosen, common: {} } : chosen;
  const variantOf = (name: string, [summary, patch, setting]: VariantDraft): Variant => ({
    ...common,
    ...setting,
    name,
    gap,
    summary,
    apply: (parts) => ({ ...parts, ...patch(parts) }),
  });
  const variants = Object.entries<VariantDraft>(drafts).map(([name, draft]) => [name, variantOf(name, draft)]);
  return Object.fromEntries(variants) as Record<Name, Variant>;
}

type CombinationDraft = readonly [summary: string, variants: readonly Variant[], setting?: VariantSetting];

/** Several choices in one server, by their names; the first is applied first. */
export function combinationsOf<Name extends string>(drafts: Readonly<Record<Name, CombinationDraft>>): Readonly<Record<Name, Variant>> {
  const combine = (name: string, [summary, variants, setting]: CombinationDraft): Variant => {
    const settings: VariantSetting = Object.assign({}, ...variants, setting);
    const gap = variants.map((each) => each.gap).join('; ');
    const apply = (parts: Parts): Parts => variants.reduce((made, each) => each.apply(made), parts);
    return { ...settings, name, gap, summary, apply };
  };
  const combinations = Object.entries<CombinationDraft>(drafts).map(([name, draft]) => [name, combine(name, draft)]);
  return Object.fromEntries(combinations) as Record<Name, Variant>;
}
