import { judgeable } from '../../../src/expect/judgeable.ts';
import type { ListParameters } from '../../../src/session/client/api.ts';
import type { Session } from '../../../src/session/session.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';

/** Requests a list; halts when another clause owns the response. */
export async function askList(s: Session, parameters: ListParameters = {}): Promise<Exchange> {
  return judgeable(await s.api.list(parameters));
}
