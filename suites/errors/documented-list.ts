import { Halt } from '../../src/clause/halt.ts';
import type { CallOptions } from '../../src/session/client/api.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import type { Documented } from './documented.ts';

/** A list that shows an animal or, if the service is a pet store but no list is readable, the first list. */
export async function aList(s: Session): Promise<{ readonly exchange: Exchange }> {
  try {
    return await s.fixtures.admitted();
  } catch (error) {
    if (!(error instanceof Halt)) throw error;
    await s.fixtures.recognized();
    return { exchange: await s.fixtures.firstList() };
  }
}

/** The list that the session knows to be readable, with the same parameters, sent like a different client. */
export async function documentedListOf(s: Session, options: CallOptions): Promise<Documented> {
  const { exchange } = await aList(s);
  const { limit, status } = Object.fromEntries(new URLSearchParams(exchange.request.query));
  const same = { ...(limit === undefined ? {} : { limit }), ...(status === undefined ? {} : { status }) };
  return { exchange: await s.api.list(same, options), status: 200, owner: 'list.success' };
}
