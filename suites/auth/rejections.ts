import type { Breach, ClauseId } from '../../src/clause/clause.ts';
import { type Case, type Event, isRightButForKey, type Rule, type World } from '../../src/oracle/world.ts';
import { NO_CREDENTIAL } from '../../src/session/client/sending.ts';
import { describeRequest, describeResponse } from '../../src/session/read-exchange.ts';
import { isSuccess } from '../../src/wire/exchange.ts';
import { isJsonObject, readJson } from '../../src/wire/json.ts';
import { postponement } from '../../src/wire/rate-limit.ts';
import { LEAST_SERVER_ERROR, UNAUTHORIZED } from '../../src/wire/statuses.ts';
import { type Family, familyOf, LIKE_THE_KEY, malformedFamilyOf } from '../cases/credentials.ts';

/** `GET /pets?limit=5 with no Authorization header`. */
export function situation({ exchange, intent }: Event): string {
  return `${describeRequest(exchange)} with ${intent.credentialNote}`;
}

/** Whether the response says anything about the credential. A rate-limiting gateway may act before the credential is checked. */
export function isDecided({ response }: Event): boolean {
  return response !== undefined && postponement(response, 0) === undefined;
}

/** A request that must be rejected gets 401; `when` completes "… returned 200". */
export function judgeRejection(event: Event, when = ''): 'holds' | Breach {
  if (event.status === UNAUTHORIZED) return 'holds';
  return {
    summary: `${situation(event)} returned ${event.status}${when}; expected 401`,
    expected: ['401 with an Error body'],
    received: describeResponse(event.exchange),
  };
}

/** While no animal is known, any id will do: without the key, all reads are rejected alike. */
function isRight(event: Event, world: World): boolean {
  if (isRightButForKey(event, world)) return true;
  return event.intent.operation === 'getPet' && event.intent.petId !== undefined && world.known.seen.size === 0;
}

/**
 * Whether only the credential keeps the request from succeeding. Undocumented requests, and what a client carries over, belong to other
 * clauses.
 */
export function lacksOnlyKey(event: Event, world: World): boolean {
  const { credential, undocumented } = event.intent;
  return credential === 'refused' && undocumented !== true && isDecided(event) && isRight(event, world);
}

export function lacksMoreThanKey(event: Event, world: World): boolean {
  const { credential, undocumented } = event.intent;
  return credential === 'refused' && undocumented !== true && isDecided(event) && !isRight(event, world);
}

const NOTES: readonly string[] = [NO_CREDENTIAL.note, LIKE_THE_KEY];

/** Whether the request has no credential, or a key that shares nothing with the configured one: the plainest that must be rejected. */
export function hasPlainNote({ intent }: Event): boolean {
  return intent.credential === 'refused' && NOTES.includes(intent.credentialNote);
}

export function nameSent({ exchange: { request } }: Event): string | undefined {
  const reading = readJson(String(request.body ?? ''));
  const name = reading.ok && isJsonObject(reading.value) ? reading.value['name'] : undefined;
  return typeof name === 'string' ? name : undefined;
}

const isSameOperation = (one: Event, other: Event): boolean => one.intent.operation === other.intent.operation;

/** Whether both requests have a query, or neither has: routers and caches distinguish them. */
function hasQueryAsWell({ exchange: one }: Event, { exchange: other }: Event): boolean {
  return (one.request.query === '') === (other.request.query === '');
}

/** Whether two requests differ only in their credentials, where services distinguish them. */
function isSameRequest(simpler: Event, own: Event): boolean {
  const [one, other] = [simpler.exchange.request, own.exchange.request];
  const parts = ['operation', 'limit', 'status', 'petId'] as const;
  const saysStatus = ({ body }: typeof one): boolean => typeof body === 'string' && body.includes('"status"');
  const same = parts.every((part) => one.intent[part] === other.intent[part]) && saysStatus(one) === saysStatus(other);
  return same && hasQueryAsWell(simpler, own);
}

/** An earlier request may be the reason why the service accepts a credential that it rejects elsewhere. */
export const CARRIED_OVER = ['auth.every-request'] as const;

/**
 * What the rules of rejected credentials share. A crash does not count as a rejection, and neither does an error that the API key also
 * gets. The result of the same request without a credential, or with a plain wrong key, explains the rest.
 */
export function blameOf(...clauses: readonly ClauseId[]): Pick<Rule, 'layer' | 'contrasted' | 'after' | 'simpler'> {
  const isTwin = (simpler: Event, own: Event): boolean => hasPlainNote(simpler) && isSameOperation(simpler, own);
  return {
    layer: 'failure',
    contrasted: true,
    after: CARRIED_OVER,
    ...(clauses.length === 0 ? {} : { simpler: { clauses, isTwin, isCloser: isSameRequest } }),
  };
}

function hasSameCredential({ intent }: Event, own: Event): boolean {
  return intent.credential === 'refused' && intent.credentialNote === own.intent.credentialNote && intent.before !== 'the API key';
}

/** The simpler request with the same credential that breaks the rule in the same way or is accepted, whatever else is wrong with it. */
export const SAME_CREDENTIAL = {
  isTwin: (simpler: Event, own: Event): boolean => isSameOperation(simpler, own) && hasSameCredential(simpler, own),
  // If the operation was never requested validly, other operations explain it.
  isKin: hasSameCredential,
  isCloser: hasQueryAsWell,
  explains: (simpler: Case, own: Case): boolean => isSuccess(simpler.event.status) || simpler.event.status === own.event.status,
} as const;

/** Any otherwise valid request with a credential of the family gets 401. */
export function rejects(family: Family, blame: Pick<Rule, 'layer' | 'contrasted' | 'after' | 'simpler'>): Rule {
  return {
    ...blame,
    judge(event, world) {
      const { before, credentialNote } = event.intent;
      if (!lacksOnlyKey(event, world) || before === 'the API key' || familyOf(credentialNote) !== family) return 'not-applicable';
      return judgeRejection(event);
    },
  };
}

/**
 * A header that does not have the form `Bearer <API_KEY>` is not accepted. The document does not choose between 401 and 400 (RFC 6750,
 * section 3.1: invalid_request), so only a success is wrong, and a crash on a header that the HTTP layer may reject itself.
 */
export function rejectsMalformed(family: Family, blame: Pick<Rule, 'layer' | 'contrasted' | 'after' | 'simpler'>): Rule {
  return {
    ...blame,
    undocumented: true,
    judge(event) {
      const { status = 0, intent } = event;
      if (malformedFamilyOf(intent.credentialNote) !== family || !isDecided(event)) return 'not-applicable';
      const crashed = status >= LEAST_SERVER_ERROR && intent.undocumented === true;
      if (!crashed && !isSuccess(status)) return 'holds';
      return {
        summary: `${situation(event)} returned ${status}; expected 401 or 400`,
        expected: ['401 with an Error body', '400 with an Error body'],
        received: describeResponse(event.exchange),
      };
    },
  };
}
