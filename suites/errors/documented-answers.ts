import type { ClauseId } from '../../src/clause/clause.ts';
import { Halt, haltInconclusive } from '../../src/clause/halt.ts';
import { answerOf, describeRequest } from '../../src/expect/expect.ts';
import type { CallOptions } from '../../src/session/client/api.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { NO_HEADER } from '../cases/credentials.ts';
import { allMade, oneOfEachStatus } from '../judging/creations/creations.ts';
import { post } from '../judging/creations/read-back.ts';
import { oncePerSession } from '../judging/once-per-session.ts';

/** An exchange whose answer the document names, and who owns another status. */
export type Documented = { readonly exchange: Exchange; readonly status: number; readonly owner: ClauseId };

const MISSING = 'auth.missing-credential';

/** Reads by id, where an animal can be read: the operation may have been removed as announced. */
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

/** One of each answer that the document names for the operations that read. Asked once a session, for all who judge answers. */
export const documentedReads = oncePerSession(async (s): Promise<readonly Documented[]> => {
  const { exchange } = await s.fixtures.admitted();
  return [
    { exchange, status: 200, owner: 'list.success' },
    { exchange: await s.api.list({ limit: 2 }, { credential: NO_HEADER }), status: 401, owner: MISSING },
    ...(await documentedGets(s, {})),
  ];
});

/** The list that the session knows to be readable, with the same parameters, sent as another client does. */
export async function documentedListOf(s: Session, options: CallOptions): Promise<Documented> {
  const { exchange } = await s.fixtures.admitted();
  const { limit, status } = Object.fromEntries(new URLSearchParams(exchange.request.query));
  const same = { ...(limit === undefined ? {} : { limit }), ...(status === undefined ? {} : { status }) };
  return { exchange: await s.api.list(same, options), status: 200, owner: 'list.success' };
}

/** The same requests, sent as another client does. */
export async function documentedReadsOf(s: Session, options: CallOptions): Promise<readonly Documented[]> {
  return [
    await documentedListOf(s, options),
    { exchange: await s.api.list({ limit: 2 }, { ...options, credential: NO_HEADER }), status: 401, owner: MISSING },
    ...(await documentedGets(s, options)),
  ];
}

/** The refusals of createPet, asked for as a client does. */
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

/** One of each answer that the document names for createPet. */
export const documentedWrites = oncePerSession(async (s): Promise<readonly Documented[]> => {
  await s.fixtures.recognized();
  const [made] = allMade(await oneOfEachStatus(s));
  return [
    ...(made === undefined ? [] : [{ exchange: made.exchange, status: 201, owner: 'create.success' } as const]),
    ...(await documentedRefusalsOf(s, {})),
  ];
});

/** The exchange, when its status is the documented one; else its owner has something to say and this halts. */
export function asDocumented({ exchange, status, owner }: Documented): Exchange {
  const received = answerOf(exchange).status;
  if (received !== status) haltInconclusive(`${describeRequest(exchange)} answered ${received}, not ${status}`, owner);
  return exchange;
}
