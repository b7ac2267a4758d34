// Add an animal: which bodies are accepted, and which rejected.

import type { ClauseId } from '../../src/clause/clause.ts';
import { INVALID_BODY_CLAUSES } from '../../src/clause/clause-ids.ts';
import type { BodyClause, SentPet } from '../../src/oracle/body-facts.ts';
import { headersNamed } from '../../src/oracle/client-facts.ts';
import { bodyTextOf, describeReceived, type Exchange, hasKey, isCreation } from '../../src/oracle/exchange.ts';
import { expects } from '../../src/oracle/mechanisms.ts';
import type { Breach, Case, JudgedClause, Must, Rule } from '../../src/oracle/rule.ts';
import { type Standing, saysNothingOfRequest, standingOf } from '../../src/oracle/standing.ts';
import { isErrorBody, type World } from '../../src/oracle/world.ts';
import { petView } from '../../src/schema/pet.ts';
import { PET_STATUSES } from '../../src/wire/exchange.ts';
import { oncePerObject } from '../../src/wire/once.ts';
import { cleanText } from '../../src/wire/redact.ts';
import { BAD_REQUEST, CREATED, LEAST_REJECTION } from '../../src/wire/statuses.ts';
import { AFTER } from './after.ts';
import { isEmpty } from './records.ts';
import { NO_BODY } from './responses.ts';

const LONGEST_BODY = 120;

export function describeBody(exchange: Exchange): string {
  const text = bodyTextOf(exchange);
  return text === '' ? '(empty)' : cleanText(text, LONGEST_BODY).replace(/\s+/g, ' ');
}

/** What a plain NewPet says, of a creation with the key. */
export function plainIn(exchange: Exchange, told: Pick<Standing, 'body'>): SentPet | undefined {
  const { body } = exchange.facts;
  return hasKey(exchange) && told.body === 'plain' && body?.kind === 'plain' ? body.sent : undefined;
}

/** A creation is read as one where its success is worded otherwise. */
const isMade = ({ status = 0, read }: Exchange): boolean => read.pet !== undefined || (status >= 200 && status < 300);

type Owner = 'create.success' | 'create.status-values' | 'create.status-optional';
type Attempt = { readonly status: SentPet['status']; readonly isMade: boolean };

const attemptsIn = oncePerObject((world: World): readonly Attempt[] =>
  world.creations.flatMap((one) => {
    const sent = plainIn(one, standingOf(one, world));
    return sent === undefined || saysNothingOfRequest(one) ? [] : [{ status: sent.status, isMade: isMade(one) }];
  }),
);

/** The clause of a plain NewPet that was not created: its status makes the difference where others were created and none with that status. */
function ownerOf({ status }: SentPet, world: World): Owner {
  const all = attemptsIn(world);
  const isNowAndThen = all.some((one) => one.status === status && one.isMade);
  const rejected = all.filter((one) => !one.isMade);
  const isOfStatus = isNowAndThen
    ? status === undefined && rejected.length > 1 && rejected.every((one) => one.status === status)
    : all.some((one) => one.isMade);
  if (!isOfStatus) return 'create.success';
  return status === undefined ? 'create.status-optional' : 'create.status-values';
}

/** Every plain NewPet sent with the key is created, as far as the clause is the one that says so. `isSimpler`: which of them explain its rejection. */
export function plain(clause: Owner, isSimpler?: (sent: SentPet) => boolean): Rule {
  const isTwin = (one: Exchange, _own: Exchange, world: World): boolean => {
    const sent = plainIn(one, standingOf(one, world));
    return sent !== undefined && isSimpler?.(sent) === true;
  };
  const judge: NonNullable<Rule['judge']> = (exchange, told, world) => {
    const sent = plainIn(exchange, told);
    if (sent === undefined || saysNothingOfRequest(exchange) || told.mayRejectClient) return undefined;
    if (clause !== 'create.success' && clause !== (sent.status === undefined ? 'create.status-optional' : 'create.status-values'))
      return undefined;
    const wrong = notCreated(exchange, `a plain NewPet ${sent.status === undefined ? 'without a status' : `with status "${sent.status}"`}`);
    if (wrong === undefined) return 'holds';
    // A 201 has accepted the status, whatever is wrong with its body.
    if (exchange.status === CREATED) return clause === 'create.success' ? wrong : 'holds';
    return ownerOf(sent, world) === clause ? wrong : undefined;
  };
  const of = (exchange: Exchange, told: Standing): boolean => plainIn(exchange, told) !== undefined;
  return {
    ...{ layer: 'status', judge, of },
    ...(isSimpler === undefined ? {} : { blame: { simpler: { clauses: ['create.success'], isTwin } } }),
  };
}

/** What is wrong where the response is not 201 with a Pet. record.pet judges everything else about the Pet. */
function notCreated(exchange: Exchange, what: string): Breach | undefined {
  const { status } = exchange;
  const rest = { expected: ['201 with the created Pet'], received: describeReceived(exchange) };
  if (status !== CREATED) return { summary: `POST /pets with ${what} returned ${status}; expected 201`, ...rest };
  const summary = `POST /pets with ${what} returned 201 without the created Pet`;
  return isEmpty(exchange) ? { summary, failureKinds: [NO_BODY], ...rest } : undefined;
}

/** A creation that the service may reject does not succeed without a 201 that shows the created Pet. */
const NO_OTHER_SUCCESS: Rule = {
  // Nothing in a body that is no JSON can be read.
  ...{ layer: 'status', blame: { after: AFTER['create.success'] } },
  of: (exchange, { body }) => hasKey(exchange) && (body === 'open' || body === 'unusual'),
  judge(exchange, { body }, { animals, creations, shownFirst }) {
    const { status = 0, response, facts } = exchange;
    if (!hasKey(exchange) || response === undefined || (body !== 'open' && body !== 'unusual')) return undefined;
    if (facts.client.kind === 'unusual' && status !== CREATED) return undefined;
    const what = `the body ${describeBody(exchange)}`;
    if (status === CREATED) return notCreated(exchange, what) ?? 'holds';
    // The clause of the unusual value judges any other status.
    if (body === 'unusual' || status >= LEAST_REJECTION) return undefined;
    // The response shows an animal that was there, and nothing is created: the document does not rule that out.
    const pet = response.json.ok ? petView(response.json.value) : undefined;
    const isOther = (one: Exchange): boolean => one !== exchange && one.read.pet?.id === pet?.id && one.at < exchange.done;
    const wasThere = (id: bigint): boolean => creations.some(isOther) || (shownFirst.get(id) ?? exchange.at) < exchange.at;
    if (status === 200 && pet !== undefined && animals.has(pet.id) && wasThere(pet.id)) return undefined;
    const expected = ['201 with the created Pet', 'a rejection'];
    return {
      summary: `POST /pets with ${what} returned ${status}; the only success status is 201`,
      expected,
      received: describeReceived(exchange),
      failureKinds: [{ place: 'HTTP status', expected: '201' }],
    };
  },
};

/**
 * Whether the client asks for JSON and nothing else, and sends a body of known length whose media type has no parameter: what another one is rejected for
 * is for media.json and media.any-client to judge, or open.
 */
function isUsual({ sent: { headers }, facts }: Exchange): boolean {
  const isJson = (value: string): boolean => value === 'application/json';
  return headersNamed(headers, 'accept').some(isJson) && headersNamed(headers, 'content-type').every(isJson) && facts.framing !== 'chunked';
}

const propertyOf = (clause: string): string | undefined => /^create\.([a-z]+)-/.exec(clause)?.[1];
/** The simplest bodies that must be rejected lack a property. */
const SIMPLEST = ['create.name-required', 'create.category-required'] as const;

/** The simplest invalid bodies in which another property is wrong: what rejects these the same way does not look at the property. */
const simplerThan = (clause: BodyClause): readonly ClauseId[] =>
  clause === SIMPLEST[0] ? [] : SIMPLEST.filter((one) => propertyOf(one) !== propertyOf(clause));

/** Whether it was rejected: that one body is accepted does not explain that another one is. */
const isRejection = ({ response, status = 0 }: Exchange): boolean =>
  status >= LEAST_REJECTION || (response !== undefined && isErrorBody(response));

/** What happens to creations with an unusual value says nothing about simpler ones. */
export const isSimplerCreation = (one: Exchange, _own: Exchange, world: World): boolean =>
  isCreation(one) && standingOf(one, world).body !== 'unusual';

const rejects = (clause: BodyClause): Rule =>
  expects({
    of: (x, { body }) => hasKey(x) && body === 'invalid' && x.facts.body?.kind === 'invalid' && x.facts.body.clause === clause,
    ...{ statuses: [BAD_REQUEST], expected: ['400 with an Error body'], note: (x) => `with the invalid body ${describeBody(x)}` },
    isIgnored: (x) => (x.status ?? 0) >= LEAST_REJECTION && !isUsual(x),
    blame: {
      after: AFTER['create.invalid'],
      // A service that rejects plain NewPets the same way, as a full one does, rejects these for the same reason.
      simpler: {
        clauses: ['create.success', ...simplerThan(clause)],
        isTwin: (simpler, own, world) => isSimplerCreation(simpler, own, world) && isRejection(own),
      },
    },
  });

const statusSent = ({
  exchange: {
    facts: { body },
  },
}: Case): string | undefined => (body === undefined || body.kind === 'invalid' ? undefined : body.sent?.status);
const isPlain = ({ exchange }: Case, world: World): boolean => standingOf(exchange, world).body === 'plain';
export const STATUSES: readonly Must[] = PET_STATUSES.map((status) => ({
  title: `status ${status}`,
  meets: (one, world) => isPlain(one, world) && statusSent(one) === status,
}));
export const WITHOUT_STATUS: Must = { title: 'no status', meets: (one, world) => isPlain(one, world) && statusSent(one) === undefined };
const INVALID: readonly Must[] = [{ title: 'bodies that must be rejected', accepts: 'createPet', meets: () => true }];

export const create: readonly JudgedClause[] = [
  {
    id: 'create.success',
    rules: [plain('create.success'), NO_OTHER_SUCCESS],
    must: [
      { title: 'plain bodies', meets: isPlain },
      { title: 'bodies that may be rejected', meets: (one, world) => !isPlain(one, world) },
    ],
  },
  ...INVALID_BODY_CLAUSES.map((id): JudgedClause => ({ id, rules: [rejects(id)], must: INVALID })),
];
