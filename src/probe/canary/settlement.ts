import { isInt64 } from '../../schema/int64.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { isJsonObject } from '../../wire/json.ts';
import type { Settlement } from './ledger.ts';

const AMBIGUOUS: Settlement = { state: 'ambiguous' };

/** What a creation came to for the ledger: anything but a success with an id and a plain refusal leaves it open whether an animal exists. */
export function settlementOf(exchange: Exchange | undefined): Settlement {
  if (exchange === undefined || exchange.outcome.kind === 'failed') return AMBIGUOUS;
  const { status, json } = exchange.outcome.answer;
  if (status >= 400 && status < 500) return { state: 'refused' };
  if (status < 200 || status > 299 || !json.ok || !isJsonObject(json.value)) return AMBIGUOUS;
  const { id } = json.value;
  return isInt64(id) ? { state: 'created', id: BigInt(id) } : AMBIGUOUS;
}
