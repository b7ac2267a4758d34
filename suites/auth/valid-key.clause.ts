import type { Breach } from '../../src/clause/clause.ts';
import { isStatedList } from '../../src/oracle/view.ts';
import { type Event, isRightButForKey, type World } from '../../src/oracle/world.ts';
import type { PetView } from '../../src/schema/pet.ts';
import { NO_CREDENTIAL } from '../../src/session/client/sending.ts';
import { describeRequest, describeResponse, statusOf } from '../../src/session/read-exchange.ts';
import type { Session } from '../../src/session/session.ts';
import { asReceived, atFirst } from '../../src/wire/exchange.ts';
import { FORBIDDEN, UNAUTHORIZED } from '../../src/wire/statuses.ts';
import { randomToken } from '../cases/credentials.ts';
import { defineRules } from '../define.ts';
import { LISTS } from '../stimuli/lists.ts';
import { onConnection } from '../stimuli/sending.ts';

const MOMENTS = 3;

/** The key is accepted, at the first attempt too. `isRejected`: whether that status rejects the key. */
function judgeKey(event: Event, isRejected: (status: number) => boolean): 'not-applicable' | 'holds' | Breach {
  const first = asReceived(atFirst(event.exchange));
  const status = statusOf(first);
  const { credential, undocumented } = event.intent;
  if (credential !== 'valid' || undocumented === true || status === undefined) return 'not-applicable';
  if (!isRejected(status)) return 'holds';
  return {
    summary: `${describeRequest(first)} with ${event.intent.credentialNote} returned ${status}`,
    expected: ['any status other than 401 and 403'],
    received: describeResponse(first),
    failureKinds: [{ place: 'HTTP status', expected: 'neither 401 nor 403' }],
    ...(event.exchange.firstTry === undefined ? {} : { exchanges: [first] as const }),
  };
}

/** 401 says that the key is not accepted, whatever the request. */
function judgeUnauthorized(event: Event): 'not-applicable' | 'holds' | Breach {
  return judgeKey(event, (status) => status === UNAUTHORIZED);
}

/**
 * 403 counts where the document says that the request succeeds: the document has no scopes or roles. Elsewhere (an unusual name or
 * parameter at a firewall) 403 may have another reason, and a forbidden read may be of an animal that does not exist. 403 is also a status that the
 * operation does not have.
 */
function judgeForbidden(event: Event, world: World): 'not-applicable' | 'holds' | Breach {
  const { operation } = event.intent;
  if (operation === 'getPet' || !isRightButForKey(event, world)) return 'not-applicable';
  if (operation === 'listPets' && !isStatedList(event)) return 'not-applicable';
  return judgeKey(event, (status) => status === FORBIDDEN);
}

/** Header names are case-insensitive (RFC 9110, section 5.1): gateways send them in lower case, most clients do not. */
const SPELLINGS = ['Authorization', 'AUTHORIZATION', 'authorization'];

async function sendSpellings(s: Session): Promise<void> {
  await s.all(s.portion(SPELLINGS), (name) => {
    const credential = { note: `the API key in ${name}`, standing: 'valid', headers: [[name, `Bearer ${s.options.apiKey}`]] } as const;
    return s.api.list({ limit: 1 }, { credential });
  });
}

/** Rejected requests and the API key alternate on one connection, which reveals a lockout or a remembered rejection. */
async function sendAfterRejections(s: Session): Promise<void> {
  const wrong = randomToken(s.options.apiKey, s.options.seed);
  await onConnection(s, async (connection) => {
    for (const credential of [wrong, NO_CREDENTIAL, wrong]) {
      await s.api.list({}, { credential, connection });
      await s.api.list({}, { credential, connection });
      await s.api.list({}, { connection });
    }
  });
}

async function sendConcurrently(s: Session, pets: readonly PetView[]): Promise<void> {
  const id = pets[0]?.id ?? 0n;
  const wrong = randomToken(s.options.apiKey, s.options.seed);
  const requests = Array.from({ length: MOMENTS }).flatMap(() => [
    () => s.api.list({}, { atOnce: true }),
    () => s.api.get(id, { atOnce: true }),
    () => s.api.list({}, { credential: wrong, atOnce: true }),
    () => s.api.list({ status: 'available' }, { atOnce: true }),
  ]);
  await s.all(s.portion(requests), (ask) => ask());
}

export const validKey = defineRules({
  id: 'auth.valid-key',
  chapter: 'authentication',
  section: 'Authentication',
  quote: ['The API key is sent as the bearer credential in the `Authorization` header, in the form `Authorization: Bearer <API_KEY>`.'],
  level: 'required',
  requirement: 'A request with the API key in the form `Authorization: Bearer <API_KEY>` is never rejected for its credential.',
  likelyCause:
    'Check that the configured key is correct. If the service rejects it only sometimes, a replica has an old key list, rejected requests lock out the next client, or the value of the header is not trimmed (PHP: trim).',
  rules: [
    { layer: 'credential', judge: judgeUnauthorized },
    { layer: 'status', judge: judgeForbidden },
  ],
  sent: [
    {
      id: 'list',
      title: 'Accepts lists with the API key',
      step: 'more-reads',
      needs: ['pets'],
      accepts: 'listPets',
      exhaustive: true,
      send: (s) => s.all(s.portion(LISTS), (list) => s.api.list(list)),
    },
    {
      id: 'get',
      title: 'Accepts a read with the API key',
      step: 'read',
      needs: ['pets'],
      accepts: 'getPet',
      send: (s, { pets }) => s.all(pets.slice(0, 1), ({ id }) => s.api.get(id)),
    },
    {
      id: 'header-name',
      title: 'Accepts the API key whatever the letter case of the header name',
      step: 'read',
      needs: ['pets'],
      accepts: 'listPets',
      send: sendSpellings,
    },
    {
      id: 'create',
      title: 'Accepts a creation with the API key',
      step: 'first-page',
      needs: ['pets'],
      accepts: 'createPet',
      effect: 'write',
      send: (s) => s.fixtures.firstCreations(),
      cases: ({ event: { intent } }) => intent.operation === 'createPet' && intent.body === 'plain',
    },
    {
      id: 'after-refusals',
      title: 'Accepts the API key right after rejected requests',
      step: 'read',
      needs: ['pets'],
      accepts: 'listPets',
      send: sendAfterRejections,
    },
    {
      id: 'concurrently',
      title: 'Accepts the API key among concurrent requests',
      step: 'more-reads',
      needs: ['pets'],
      accepts: 'listPets',
      exhaustive: true,
      send: (s, { pets }) => sendConcurrently(s, pets),
    },
  ],
  met: [
    {
      id: 'every-request-with-key',
      title: 'No request with the API key is rejected for its credential',
    },
  ],
});
