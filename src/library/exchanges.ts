// What the author of a rule or an invariant reads from an exchange, and says about it in a report.

import {
  type OwnExchange as Exchange,
  petsOf as petsIn,
  describeRequest as requestInWords,
  describeResponse as responseInWords,
  statusOf as statusIn,
} from '../oracle/own-view.ts';
import type { PetView } from '../schema/pet.ts';

/**
 * The animals that a successful response shows, in its order: of a list (200), a read (200), or a creation (201). Their integers are exact
 * (bigint); a field that can't be read is undefined and listed in `gaps`; items without a readable id are left out. Empty for every other
 * response.
 *
 * @example
 * ```ts
 * import { petsOf } from '@petstore-conformance/cli';
 * import type { Exchange } from '@petstore-conformance/cli';
 *
 * export const namesIn = (exchange: Exchange) => petsOf(exchange).map(({ name }) => name ?? 'no name');
 * ```
 */
export function petsOf(exchange: Exchange): readonly PetView[] {
  return petsIn(exchange);
}

/**
 * The request as a person writes it, `GET /pets?limit=5`: for the summary of a breach. It contains neither the address nor the API key.
 *
 * @example
 * ```ts
 * import { describeRequest } from '@petstore-conformance/cli';
 * import type { Event } from '@petstore-conformance/cli';
 *
 * export const summaryOf = ({ exchange, status }: Event) => `${describeRequest(exchange)} returned ${status ?? 'nothing'}`;
 * ```
 */
export function describeRequest(exchange: Exchange): string {
  return requestInWords(exchange);
}

/**
 * The status and the start of the body, in one line, or why there was no complete response: for `received` of a breach.
 *
 * @example
 * ```ts
 * import { describeResponse } from '@petstore-conformance/cli';
 * import type { Breach, Exchange } from '@petstore-conformance/cli';
 *
 * export function rejected(exchange: Exchange): Breach {
 *   return { summary: 'POST /pets rejected a name with an umlaut', expected: ['201'], received: describeResponse(exchange) };
 * }
 * ```
 */
export function describeResponse(exchange: Exchange): string {
  return responseInWords(exchange);
}

/**
 * The status as it can be read, or undefined without a complete response.
 *
 * @example
 * ```ts
 * import { statusOf } from '@petstore-conformance/cli';
 * import type { Exchange } from '@petstore-conformance/cli';
 *
 * export const isRejected = (exchange: Exchange) => (statusOf(exchange) ?? 0) >= 400;
 * ```
 */
export function statusOf(exchange: Exchange): number | undefined {
  return statusIn(exchange);
}
