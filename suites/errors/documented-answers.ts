import { Halt } from '../../src/clause/halt.ts';
import type { CallOptions } from '../../src/session/client/api.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { NO_HEADER } from '../cases/missing-credentials.ts';
import { allMade, oneOfEachStatus } from '../judging/creations/creations.ts';
import { post } from '../judging/creations/post.ts';
import { oncePerSession } from '../judging/once-per-session.ts';
import type { Documented } from './documented.ts';

const MISSING = 'auth.missing-credential';

/** Reads by id, if animals can be read: the operation may have been removed as announced. */
async function documentedGets(s: Session, options: CallOptions): Promise<readonly Documented[]> {
  try {
    const { id } = await s.fixtures.existing();
    return [
      { exchange: await s.api.get(id, options), status: 200, owner: 'get.success' },
      { exchange: await s.api.get(id, { ...options, credential: NO_HEADER }), status: 401, owner: MISSING },
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
    { exchange: await s.api.list({ limit: 2 }, { credential: NO_HEADER }), status: 401, owner: MISSING },
    ...(await documentedGets(s, {})),
  ];
});

/** A list that shows an animal or, if the service is a pet store but no list is readable, the first list. */
async function aList(s: Session): Promise<{ readonly exchange: Exchange }> {
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

/** The same requests, sent like a different client. */
export async function documentedReadsOf(s: Session, options: CallOptions): Promise<readonly Documented[]> {
  return [
    await documentedListOf(s, options),
    { exchange: await s.api.list({ limit: 2 }, { ...options, credential: NO_HEADER }), status: 401, owner: MISSING },
    ...(await documentedGets(s, options)),
  ];
}

/** Rejected createPet requests, sent like that client. */
export async function documentedRefusalsOf(s: Session, options: CallOptions): Promise<readonly Documented[]> {
  const empty = { value: {} };
  return [
    {
      exchange: await post(s, empty, { ...options, domain: 'invalid', clause: 'create.name-required' }),
      status: 400,
      owner: 'create.name-required',
    },
    { exchange: await post(s, empty, { ...options, domain: 'open', credential: NO_HEADER }), status: 401, owner: MISSING },
  ];
}

/** One of each response that the document names for createPet. */
export const documentedWrites = oncePerSession(async (s): Promise<readonly Documented[]> => {
  await s.fixtures.recognized();
  const [made] = allMade(await oneOfEachStatus(s));
  return [
    ...(made === undefined ? [] : [{ exchange: made.exchange, status: 201, owner: 'create.success' } as const]),
    ...(await documentedRefusalsOf(s, {})),
  ];
});
