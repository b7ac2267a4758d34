import { isInt64 } from '../../schema/int64.ts';
import { suspectOf } from '../../session/state/creation-limits.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { isJsonObject } from '../../wire/json.ts';
import type { Settlement } from './ledger.ts';

const AMBIGUOUS: Settlement = { state: 'ambiguous' };

const TOO_MANY = 429;

/**
 * The result of a creation for the ledger: unless it is a success with an id, a plain rejection, or a quota, it is unknown whether an
 * animal exists. A service that created animals earlier may have a quota, which the document does not mention.
 */
export function settlementOf(exchange: Exchange | undefined, { createdEarlier }: { createdEarlier: boolean }): Settlement {
  if (exchange === undefined || exchange.outcome.kind === 'failed') return AMBIGUOUS;
  const { status, json } = exchange.outcome.answer;
  if (createdEarlier && (status === TOO_MANY || suspectOf(exchange) !== undefined)) return { state: 'quota' };
  if (status >= 400 && status < 500) return { state: 'refused' };
  if (status < 200 || status > 299 || !json.ok || !isJsonObject(json.value)) return AMBIGUOUS;
  const { id } = json.value;
  return isInt64(id) ? { state: 'created', id: BigInt(id) } : AMBIGUOUS;
}
