import fc from 'fast-check';
import { PET_STATUSES, type PetStatus } from '../wire/exchange.ts';

/** Parameters that the document allows; each may be absent. */
export type AllowedParameters = { readonly limit?: number; readonly status?: PetStatus };

/** Limits at which implementations change their behavior. */
export const LIMIT_BOUNDARIES = [1, 2, 19, 20, 21, 50, 99, 100] as const;

function allowedLimits(): fc.Arbitrary<number> {
  return fc.oneof({ arbitrary: fc.integer({ min: 1, max: 100 }), weight: 3 }, fc.constantFrom(...LIMIT_BOUNDARIES));
}

/** Any allowed limit with any status; each may be absent. */
export function allowedParameters(): fc.Arbitrary<AllowedParameters> {
  return fc.record({ limit: allowedLimits(), status: fc.constantFrom(...PET_STATUSES) }, { requiredKeys: [] });
}
