import type { Exchange } from '../../../src/wire/exchange.ts';
import { itemsOf } from './items-of.ts';

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
