import type { CallOptions } from '../../../src/session/client/api.ts';
import type { Session } from '../../../src/session/session.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';

/** Requests a list again, with the same parameters, as a different client. */
export function askAgain(s: Session, { request: { query } }: Exchange, options: CallOptions): Promise<Exchange> {
  const { limit, status } = Object.fromEntries(new URLSearchParams(query));
  return s.api.list({ ...(limit === undefined ? {} : { limit }), ...(status === undefined ? {} : { status }) }, options);
}
