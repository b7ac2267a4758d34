import type { Exchange } from '../../../src/wire/exchange.ts';
import { isJsonObject } from '../../../src/wire/json.ts';
import { itemsOf } from './items-of.ts';

/** What a 200 list shows as ids; undefined for an item that has none. */
function idsOfItems(exchange: Exchange): readonly (string | undefined)[] {
  const items = exchange.outcome.kind === 'answered' ? itemsOf(exchange.outcome.answer) : undefined;
  return (items ?? []).map((item) => {
    const id = isJsonObject(item) ? String(item['id']) : '';
    return /^-?\d+$/.test(id) ? id : undefined;
  });
}

/** The ids that a 200 list shows, as digits. */
export function idsIn(exchange: Exchange): ReadonlySet<string> {
  return new Set(idsOfItems(exchange).filter((id) => id !== undefined));
}

/** Whether the list has items without an id: each of them may be the animal that is looked for. */
export function hasItemsWithoutId(exchange: Exchange): boolean {
  return idsOfItems(exchange).includes(undefined);
}
