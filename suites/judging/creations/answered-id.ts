import type { Exchange } from '../../../src/wire/exchange.ts';
import { isJsonObject } from '../../../src/wire/json.ts';

/** The id in the JSON object of a response, as digits; undefined if it is not an integer. */
export function answeredId({ outcome }: Exchange): string | undefined {
  if (outcome.kind === 'failed' || !outcome.answer.json.ok || !isJsonObject(outcome.answer.json.value)) return undefined;
  const { id } = outcome.answer.json.value;
  return typeof id === 'bigint' || Number.isSafeInteger(id) ? String(id) : undefined;
}
