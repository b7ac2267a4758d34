import type { Exchange } from '../../../src/wire/exchange.ts';

/** A rejection for the size of the body. */
export const CONTENT_TOO_LARGE = 413;

/** No NewPet of the plain domain is longer than this many bytes. */
const SMALL = 512;

/** Whether the body was rejected for its size before its content was looked at: the document shows no size limit. */
export function isTooLarge({ request: { body }, outcome }: Exchange): boolean {
  return outcome.kind === 'answered' && outcome.answer.status === CONTENT_TOO_LARGE && (body?.length ?? 0) > SMALL;
}
