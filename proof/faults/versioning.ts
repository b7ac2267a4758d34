import type { Patch } from '../../src/reference/core/parts.ts';
import { faultsOf } from './fault.ts';

const unchanged: Patch = () => ({});

/** Base addresses without their version. */
export const versioningBasePath = faultsOf('versioning.base-path', {
  'base-path-without-version': ['The base address ends in /api.', unchanged, { basePath: '/api' }],
  'base-path-other-version': ['The base address ends in /v2.', unchanged, { basePath: '/v2' }],
  'base-path-empty': ['The base address has no path.', unchanged, { basePath: '' }],
});
