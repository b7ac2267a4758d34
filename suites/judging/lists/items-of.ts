import type { Answer } from '../../../src/wire/exchange.ts';
import type { Json } from '../../../src/wire/json.ts';

/** The items of a 200 response that is an array, of any type; undefined for any other response. */
export function itemsOf(answer: Answer): readonly Json[] | undefined {
  return answer.status === 200 && answer.json.ok && Array.isArray(answer.json.value) ? answer.json.value : undefined;
}
