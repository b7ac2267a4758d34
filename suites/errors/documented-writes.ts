import type { CallOptions } from '../../src/session/client/api.ts';
import type { Session } from '../../src/session/session.ts';
import { NO_HEADER } from '../cases/no-header.ts';
import { allMade } from '../judging/creations/made.ts';
import { oncePerSession } from '../judging/once-per-session.ts';
import type { Documented } from './documented.ts';

/** Rejected createPet requests, sent like that client. */
export async function documentedRefusalsOf(s: Session, options: CallOptions): Promise<readonly Documented[]> {
  const empty = { value: {} };
  return [
    {
      exchange: await s.api.create(empty, { ...options, domain: 'invalid', clause: 'create.name-required' }),
      status: 400,
      owner: 'create.name-required',
    },
    {
      exchange: await s.api.create(empty, { ...options, domain: 'open', credential: NO_HEADER }),
      status: 401,
      owner: 'auth.missing-credential',
    },
  ];
}

/** One of each response that the document names for createPet. */
export const documentedWrites = oncePerSession(async (s): Promise<readonly Documented[]> => {
  await s.fixtures.recognized();
  const [made] = allMade(await s.fixtures.firstCreations());
  return [
    ...(made === undefined ? [] : [{ exchange: made.exchange, status: 201, owner: 'create.success' } as const]),
    ...(await documentedRefusalsOf(s, {})),
  ];
});
