import { haltInconclusive } from '../../../src/clause/halt.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';
import { hasItemsWithoutId } from './ids-in.ts';
import { missingFrom } from './missing-from.ts';

/** As `missingFrom`, for a finding: halts when items without an id may be the missing animals. */
export function leftOutOf<Animal extends { readonly id: bigint }>(exchange: Exchange, animals: readonly Animal[]): readonly Animal[] {
  const missing = missingFrom(exchange, animals);
  if (missing.length > 0 && hasItemsWithoutId(exchange)) haltInconclusive('a list has items without an id', 'record.pets');
  return missing;
}
