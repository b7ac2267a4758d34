import { haltInconclusive } from '../../../src/clause/halt.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';
import { isJsonObject } from '../../../src/wire/json.ts';
import { itemsOf } from './plain-list.ts';

/** A page with fewer items than this has room to spare; a service may cut its pages at this size or any larger one. */
const ROOM = 20;

/** Whether the list has room for more: it must not omit matching animals then. */
export function hasRoom(exchange: Exchange): boolean {
  const { limit } = exchange.request.intent;
  const items = exchange.outcome.kind === 'answered' ? itemsOf(exchange.outcome.answer) : undefined;
  if (items === undefined || limit === 'open') return false;
  // An empty page has room, whatever its limit.
  return items.length === 0 || ((limit === 'absent' || limit >= ROOM) && items.length < ROOM);
}

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

/** Those of the animals that the list omits. */
export function missingFrom<Animal extends { readonly id: bigint }>(exchange: Exchange, animals: readonly Animal[]): readonly Animal[] {
  const ids = idsIn(exchange);
  return animals.filter(({ id }) => !ids.has(String(id)));
}

/** As `missingFrom`, for a finding: halts when items without an id may be the missing animals. */
export function leftOutOf<Animal extends { readonly id: bigint }>(exchange: Exchange, animals: readonly Animal[]): readonly Animal[] {
  const missing = missingFrom(exchange, animals);
  if (missing.length > 0 && hasItemsWithoutId(exchange)) haltInconclusive('a list has items without an id', 'record.pets');
  return missing;
}
