import type { Exchange } from '../../../src/wire/exchange.ts';
import { isJsonObject } from '../../../src/wire/json.ts';
import { itemsOf } from './items-of.ts';

/** The ids that a 200 list shows, as digits. */
export function idsIn(exchange: Exchange): ReadonlySet<string> {
  const items = exchange.outcome.kind === 'answered' ? itemsOf(exchange.outcome.answer) : undefined;
  const ids = (items ?? []).map((item) => (isJsonObject(item) ? String(item['id']) : ''));
  return new Set(ids.filter((id) => /^-?\d+$/.test(id)));
}
