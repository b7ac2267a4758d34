// One request for each response that the document names for the operations that read. Nothing here judges.
import type { Event } from '../../src/oracle/event.ts';
import type { CallOptions } from '../../src/session/client/api.ts';
import type { Session } from '../../src/session/session.ts';
import { NO_HEADER } from '../cases/no-header.ts';
import type { Documented } from '../judging/documented/documented.ts';
import { ignoringHalts } from '../judging/ignoring-halts.ts';
import { oncePerSession } from '../judging/once-per-session.ts';

const READ_ERRORS = [401, 404] as const;

/** Whether it is an error that the document names for listPets or getPet. */
export function isReadError({ intent, status }: Event): boolean {
  return intent.operation !== 'createPet' && READ_ERRORS.some((one) => one === status);
}

/** Reads by id, if animals can be read: the operation may have been removed as announced. */
export async function documentedGets(s: Session, options: CallOptions): Promise<readonly Documented[]> {
  const gets: Documented[] = [];
  await ignoringHalts(async () => {
    const { id } = await s.fixtures.existing();
    gets.push(
      { exchange: await s.api.get(id, options), status: 200, owner: 'get.success' },
      { exchange: await s.api.get(id, { ...options, credential: NO_HEADER }), status: 401, owner: 'auth.missing-credential' },
      { exchange: await s.api.get(await s.fixtures.absentId(), options), status: 404, owner: 'get.not-found' },
    );
  });
  return gets;
}

/** Sent once per session, for all whose cases these are. */
export const documentedReads = oncePerSession(
  async (s): Promise<readonly Documented[]> => [
    { exchange: await s.fixtures.firstList(), status: 200, owner: 'list.success' },
    { exchange: await s.api.list({ limit: 2 }, { credential: NO_HEADER }), status: 401, owner: 'auth.missing-credential' },
    ...(await documentedGets(s, {})),
  ],
);
