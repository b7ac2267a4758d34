import type { Breach } from '../../src/clause/clause.ts';
import type { Case, Event, World } from '../../src/oracle/world.ts';
import type { PetView } from '../../src/schema/pet.ts';
import { describeRequest, describeResponse, isCrash } from '../../src/session/read-exchange.ts';
import type { Session } from '../../src/session/session.ts';
import { postponement } from '../../src/wire/rate-limit.ts';
import { LEAST_SERVER_ERROR, UNAVAILABLE } from '../../src/wire/statuses.ts';
import { defineRules } from '../define.ts';
import { ignoringHalts, onConnection } from '../stimuli/sending.ts';

const NOT_IMPLEMENTED = 501;

function serverError({ exchange, status }: Event): Breach {
  return {
    summary: `${describeRequest(exchange)} returned ${status}`,
    expected: ['a status below 500', '503 with Retry-After'],
    received: describeResponse(exchange),
    failureKinds: [{ place: 'HTTP status', expected: 'a status below 500' }],
  };
}

/**
 * A 5xx other than 501 (isCrash) says that the server failed on a request that a client may send. Not judged: 429 and 503 with Retry-After,
 * which ask to retry later (postponement), and a status of createPet that shows a quota, such as 507.
 */
function judgeCrash(event: Event, { known }: World): 'not-applicable' | 'holds' | Breach {
  const { response, intent } = event;
  if (response === undefined || postponement(response, 0) !== undefined) return 'not-applicable';
  if (response.status < LEAST_SERVER_ERROR) return 'holds';
  const isQuota = intent.operation === 'createPet' && response.status === known.creationQuota;
  return isQuota || !isCrash(response.status) ? 'not-applicable' : serverError(event);
}

/** 501 is deliberate: the operation does not exist. getPet may have been removed, which deprecation.still-works judges before the date. */
function judgeUnsupported(event: Event): 'not-applicable' | Breach {
  return event.status === NOT_IMPLEMENTED && event.intent.operation !== 'getPet' ? serverError(event) : 'not-applicable';
}

const TIMES_TOLD = 2;

/** 503 asks to retry later. A service that keeps asking until the end of the run, without ever creating an animal, accepts no creations. */
function judgeDeferred({ events, known: { created } }: World): readonly Case[] {
  const births = new Set(created.values().map(({ exchange }) => exchange.number));
  const [accepted, ...alsoAccepted] = events.filter(({ number }) => births.has(number));
  if (accepted !== undefined) return [{ event: accepted, others: alsoAccepted }];
  const [first, ...others] = events.filter(
    ({ intent, status, exchange }) => intent.operation === 'createPet' && status === UNAVAILABLE && exchange.postponed >= TIMES_TOLD,
  );
  if (created.size > 0 || first === undefined || others.length === 0) return [];
  const breach = {
    summary: `creations returned 503 until the end of the run, although the suite waited and retried ${first.exchange.postponed} times as told`,
    expected: ['201 after the delay in Retry-After'],
    received: describeResponse((others.at(-1) ?? first).exchange),
    exchanges: [first, ...others.slice(-1)].map(({ exchange }) => exchange),
  };
  return [{ event: first, others, breach }];
}

/** Only judgeDeferred makes cases with several exchanges. */
const isDeferral = ({ others }: Case): boolean => others !== undefined;

/** Parameters that the document leaves open but that a client may send. */
const ODD_QUERIES = [
  'limit=99999999999999999999',
  'limit=%F0%9F%90%B6',
  `limit=${'9'.repeat(400)}`,
  'status=%C3%BC',
  `status=${'a'.repeat(1000)}`,
  'limit',
  `page=${'2&page='.repeat(50)}2`,
] as const;

const ODD_IDS = ['%', "1'", '🐶', '-', 'a'.repeat(500)] as const;
/** Valid in a URL (RFC 3986, section 2.1), but not UTF-8: decoding it throws before any handler is reached. */
const ODD_SEGMENTS = ['%FF', '1%C3%28'] as const;

function sendOdd(s: Session): Promise<unknown> {
  const asks = [
    ...ODD_QUERIES.map((rawQuery) => () => s.api.list({}, { rawQuery })),
    ...ODD_IDS.map((id) => () => s.api.get(id)),
    ...ODD_SEGMENTS.map((segment) => () => s.api.get(segment, { segment })),
  ];
  return s.all(s.portion(asks), (ask) => ask());
}

/** Bytes: more than common parsers of bodies read by default (100 kB). */
const LARGE = 128 * 1024;

/**
 * Without a name, the body is rejected whatever its size, so nothing is stored. A list follows on the same connection: what is left of a body that
 * was rejected early is no request.
 */
async function sendLarge(s: Session): Promise<unknown> {
  const { categoryId } = await s.fixtures.draft();
  const value = { categoryId, filler: 'x'.repeat(LARGE) };
  const note = `of ${LARGE / 1024} kB without a name`;
  return onConnection(s, async (connection) => {
    await s.api.create({ value }, { domain: 'invalid', clause: 'create.name-required', note, connection });
    await s.api.list({}, { connection });
  });
}

function sendAtOnce(s: Session, pets: readonly PetView[]): Promise<unknown> {
  const asks = Array.from({ length: 12 }, (_unused, index) => {
    const pet = pets[index % pets.length];
    return pet === undefined || index % 2 === 0 ? () => s.api.list({ limit: index + 1 }) : () => s.api.get(pet.id);
  });
  return s.all(s.portion(asks), (ask) => ask());
}

/** One more creation if none was accepted, with no more than the name from fixtures: they remember the earlier postponement. */
async function sendDeferredAgain(s: Session): Promise<void> {
  const { created, turnedAway } = s.knowledge;
  if (created.size > 0 || turnedAway.length === 0) return;
  const pets = await s.fixtures.recognized();
  const { name } = await s.fixtures.draft();
  await ignoringHalts(() => s.api.create({ value: { name, categoryId: pets[0]?.categoryId ?? 1n } }, { domain: 'plain' }));
}

export const errorsNoServerError = defineRules({
  id: 'errors.no-server-error',
  chapter: 'errors',
  section: 'Errors',
  quote: [
    '| 400 | Request body lacks required fields or contains invalid values | createPet |',
    '| 401 | Credential missing or invalid | listPets, createPet, getPet |',
    '| 404 | The requested resource cannot be found | getPet |',
  ],
  level: 'implied',
  derivation:
    'The document names the responses of each operation to valid and invalid requests, and a server error is not among them. A service may accept or reject a value that the document leaves open, but a 5xx says that the server failed to do either (RFC 9110, section 15.6).',
  requirement: 'No request that a client may send, however odd, causes a server error.',
  likelyCause:
    'Look for the exception that the request shown here caused: a value reached the database or the runtime unchecked, or another request got in the way.',
  rules: [
    { layer: 'failure', judge: judgeCrash },
    { layer: 'status', judge: judgeUnsupported },
    { layer: 'history', judgeAll: judgeDeferred },
  ],
  sent: [
    {
      id: 'odd-requests',
      title: 'Odd parameters and ids cause no server error',
      step: 'more-reads',
      needs: ['pets'],
      send: sendOdd,
    },
    {
      id: 'under-load',
      title: 'Concurrent lists and reads cause no server error',
      step: 'more-reads',
      needs: ['pets'],
      exhaustive: true,
      send: (s, { pets }) => sendAtOnce(s, pets),
    },
    {
      id: 'large-body',
      title: 'An invalid body of 128 kB causes no server error, nor does the request after it on the same connection',
      step: 'write',
      needs: ['creation'],
      accepts: 'createPet',
      effect: 'write',
      send: sendLarge,
    },
    {
      id: 'deferred-creations',
      title: 'Creations deferred with 503 are eventually accepted',
      step: 'final',
      effect: 'write',
      send: sendDeferredAgain,
      cases: isDeferral,
      unmet: 'no creation was accepted, and none was deferred repeatedly',
    },
  ],
  met: [
    {
      id: 'every-response',
      title: 'No request causes a server error',
      cases: (one) => !isDeferral(one),
    },
  ],
});
