import { authenticationVariants } from './authentication.ts';
import { connectionVariants } from './connections.ts';
import { consistencyVariants } from './consistency.ts';
import { bodyVariants, categoryVariants, idVariants, nameVariants } from './creation.ts';
import { deploymentVariants } from './deployments.ts';
import { listVariants } from './lists.ts';
import { loadVariants } from './load.ts';
import { parameterVariants } from './parameters.ts';
import { responseVariants } from './responses.ts';
import type { Variant } from './variant.ts';

/** Every known variant by its name, topic by topic. */
export const VARIANTS = {
  ...responseVariants,
  ...authenticationVariants,
  ...connectionVariants,
  ...consistencyVariants,
  ...nameVariants,
  ...categoryVariants,
  ...bodyVariants,
  ...deploymentVariants,
  ...idVariants,
  ...listVariants,
  ...loadVariants,
  ...parameterVariants,
};

export const variants: readonly Variant[] = Object.values(VARIANTS);
