import type { Finding } from '../../src/clause/outcome.ts';
import { wrongRefusal } from '../../src/expect/expect.ts';
import { asReceived, type Exchange } from '../../src/wire/exchange.ts';
import { situation } from './situation.ts';

/** How a rejection is judged. */
export type Letter = {
  /** A status that replaces 401 everywhere is not read as 401. */
  readonly toTheLetter?: boolean;
  /** A finding needs a contrast: the same request without any credential is rejected. */
  readonly contrasted?: boolean;
};

/** A finding unless the credential is rejected with 401; to the letter for a missing one, which only auth.missing-credential judges. */
export function notUnauthorized(exchange: Exchange, { toTheLetter = false }: Letter = {}): Finding | undefined {
  return wrongRefusal(toTheLetter ? asReceived(exchange) : exchange, 401, situation(exchange));
}
