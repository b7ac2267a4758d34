import type { Exchange } from '../../../src/wire/exchange.ts';
import { idsIn } from './ids-in.ts';

/** Those of the animals that the list omits. */
export function missingFrom<Animal extends { readonly id: bigint }>(exchange: Exchange, animals: readonly Animal[]): readonly Animal[] {
  const ids = idsIn(exchange);
  return animals.filter(({ id }) => !ids.has(String(id)));
}
