// One request for each response that the document names for createPet. Nothing here judges.
import { statusOf } from '../../src/expect/expect.ts';
import type { Event } from '../../src/oracle/event.ts';
import type { CallOptions } from '../../src/session/client/api.ts';
import type { Session } from '../../src/session/session.ts';
import { NO_HEADER } from '../cases/no-header.ts';
import type { Documented } from '../judging/documented/documented.ts';
import { oncePerSession } from '../judging/once-per-session.ts';

const CREATE_ERRORS = [400, 401] as const;

/** Whether it is an error that the document names for createPet. */
export function isCreateError({ intent, status }: Event): boolean {
  return intent.operation === 'createPet' && CREATE_ERRORS.some((one) => one === status);
}

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

/** Sent once per session, for all whose cases these are. */
export const documentedWrites = oncePerSession(async (s): Promise<readonly Documented[]> => {
  const created = (await s.fixtures.firstCreations()).find(({ exchange }) => statusOf(exchange) === 201);
  return [
    ...(created === undefined ? [] : [{ exchange: created.exchange, status: 201, owner: 'create.success' } as const]),
    ...(await documentedRefusalsOf(s, {})),
  ];
});
