import { haltInconclusive } from '../../../src/clause/halt.ts';
import { statusOf } from '../../../src/expect/expect.ts';
import type { ListParameters } from '../../../src/session/client/api.ts';
import type { Session } from '../../../src/session/session.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';
import { judgeable } from '../ownership.ts';
import { largePage } from './largest-page.ts';

/** Halts as blocked by list.success when even a list without parameters is rejected: no parameter is to blame then. */
export async function requirePlainList(s: Session): Promise<void> {
  const status = statusOf(await s.fixtures.firstList());
  if (status !== 200) haltInconclusive(`GET /pets without parameters returned ${status ?? 'no response'}`, 'list.success');
}

/** Requests a list; halts when another clause owns the response. */
export async function askList(s: Session, parameters: ListParameters = {}): Promise<Exchange> {
  return judgeable(await s.api.list(parameters));
}

/** Asks for the largest page that the service gives; halts when another clause owns the answer. */
export async function askLargest(s: Session, parameters: ListParameters = {}): Promise<Exchange> {
  return askList(s, await largePage(s, { ...parameters, limit: 100 }));
}
