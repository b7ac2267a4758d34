import type { ListParameters } from '../../../src/session/client/api.ts';
import type { Session } from '../../../src/session/session.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';
import { askList } from './ask-list.ts';
import { largePage } from './largest-page.ts';

/** Asks for the largest page that the service gives; halts when another clause owns the answer. */
export async function askLargest(s: Session, parameters: ListParameters = {}): Promise<Exchange> {
  return askList(s, await largePage(s, { ...parameters, limit: 100 }));
}
