import { Halt } from '../../src/clause/halt.ts';
import type { CallOptions } from '../../src/session/client/api.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { NO_HEADER } from '../cases/no-header.ts';
import { oncePerSession } from '../judging/once-per-session.ts';
import type { Documented } from './documented.ts';

/** Reads by id, if animals can be read: the operation may have been removed as announced. */
export async function documentedGets(s: Session, options: CallOptions): Promise<readonly Documented[]> {
  try {
    const { id } = await s.fixtures.existing();
    return [
      { exchange: await s.api.get(id, options), status: 200, owner: 'get.success' },
      { exchange: await s.api.get(id, { ...options, credential: NO_HEADER }), status: 401, owner: 'auth.missing-credential' },
      { exchange: await s.api.get(await s.fixtures.absentId(), options), status: 404, owner: 'get.not-found' },
    ];
  } catch (error) {
    if (!(error instanceof Halt)) throw error;
    return [];
  }
}

/** One of each response that the document names for the operations that read. Requested once per session, for all checks that judge responses. */
export const documentedReads = oncePerSession(async (s): Promise<readonly Documented[]> => {
  const { exchange } = await aList(s);
  return [
    { exchange, status: 200, owner: 'list.success' },
    { exchange: await s.api.list({ limit: 2 }, { credential: NO_HEADER }), status: 401, owner: 'auth.missing-credential' },
    ...(await documentedGets(s, {})),
  ];
});

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
