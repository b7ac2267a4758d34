import type { Variant } from './variant.ts';

/** Every known variant. */
export const variants: readonly Variant[] = [];
