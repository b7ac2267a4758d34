// Errors, and requests that get no response.

import type { StatedKind } from '../../src/clause/failure-kind.ts';
import { describe, describeReceived, type Exchange, hasKey } from '../../src/oracle/exchange.ts';
import { type FormProblem, form } from '../../src/oracle/mechanisms.ts';
import type { Breach, Case, JudgedClause, Must, Rule } from '../../src/oracle/rule.ts';
import { isRejectedByStop, loadOf, standingOf } from '../../src/oracle/standing.ts';
import type { World } from '../../src/oracle/world.ts';
import { kindsOfProblems, type SchemaProblem, schemaProblems } from '../../src/schema/validators.ts';
import { isJsonObject } from '../../src/wire/json.ts';
import { postponement } from '../../src/wire/rate-limit.ts';
import { BAD_REQUEST, LEAST_ERROR, LEAST_SERVER_ERROR, UNAVAILABLE } from '../../src/wire/statuses.ts';
import { isInfrastructure, mediaTypeOf, NO_BODY, notJson, otherType } from './responses.ts';

const OTHER_STATUS: StatedKind = { place: 'status', expected: 'the HTTP status', received: 'another number' };

/** Whether nothing listened any more right after a kept connection ended: the service may have crashed at what was in flight on it. */
const hasEndedWith = ({ done, failure }: Exchange, { all }: World): boolean =>
  failure?.stale === true && all.find(({ at }) => at >= done)?.failure?.reason === 'connect';

/** Not judged: a kept connection that the service closes at that moment, a busy machine of ours, a proxy or settings of ours, a limit of our own. */
const ANSWERS: Rule = {
  layer: 'transport',
  judge(exchange, _standing, world) {
    const { failure, isUnread } = exchange;
    if (failure === undefined) return 'holds';
    const hasEnded = hasEndedWith(exchange, world);
    if ((failure.stale && !hasEnded) || failure.heldUp === true || failure.party !== undefined || isUnread) return undefined;
    const why = hasEnded ? 'it was in flight when the service ended' : failure.message;
    const summary = `${describe(exchange)} got no complete response: ${why}`;
    const failureKinds = [{ place: 'response', expected: 'a complete response', received: failure.reason }];
    return { summary, expected: ['a complete HTTP response within the deadline'], received: failure.message, failureKinds };
  },
};

const serverError = (exchange: Exchange): Breach => ({
  summary: `${describe(exchange)} returned ${exchange.status}`,
  expected: ['a status below 500', '503 with Retry-After'],
  received: describeReceived(exchange),
  failureKinds: [{ place: 'HTTP status', expected: 'a status below 500' }],
});

const NOT_IMPLEMENTED = 501;

/** A 5xx says that the server failed; 501 is deliberate, and 507 may be a quota. */
const CRASH: Rule = {
  layer: 'failure',
  judge(exchange, _standing, world) {
    const { response } = exchange;
    if (response === undefined || postponement(response, 0) !== undefined) return undefined;
    if (response.status < LEAST_SERVER_ERROR) return 'holds';
    return response.status === NOT_IMPLEMENTED || isRejectedByStop(exchange, world) ? undefined : serverError(exchange);
  },
};

/** The operation does not exist. getPet may have been removed, which deprecation.still-works judges. */
const UNSUPPORTED: Rule = {
  layer: 'status',
  judge: (exchange, told) =>
    exchange.status === NOT_IMPLEMENTED && exchange.facts.operation !== 'getPet' && !told.mayRejectClient
      ? serverError(exchange)
      : undefined,
};

const TIMES_TOLD = 2;

/** A service that keeps asking to wait until the end of the run, without ever creating an animal, accepts no creations. */
function deferred({ creations }: World): readonly Case[] {
  const [accepted, ...alsoAccepted] = creations.filter((one) => hasKey(one) && one.read.pet !== undefined);
  if (accepted !== undefined) return [{ exchange: accepted, others: alsoAccepted }];
  const told = creations.filter(({ status, waits }) => status === UNAVAILABLE && waits >= TIMES_TOLD);
  // The last try of each.
  const [first, ...others] = new Map(told.map((one) => [one.sent, one])).values();
  if (first === undefined || others.length === 0) return [];
  const summary = `creations returned 503 until the end of the run, although the suite waited and retried ${first.waits} times as told`;
  const received = describeReceived(others.at(-1) ?? first);
  return [
    {
      exchange: first,
      others,
      breach: { summary, expected: ['201 after the delay in Retry-After'], received, shown: [first, ...others.slice(-1)] },
    },
  ];
}

const NO_FIELD = 'has no field ';
const EITHER = new Intl.ListFormat('en', { type: 'disjunction' });
const WANTED = ['a JSON object with code (string), message (string), and status (integer)'];

/** What is wrong in one sentence: an Error has three fields, so all missing ones are named. */
function problemText(first: SchemaProblem, problems: readonly SchemaProblem[]): string {
  const missing = problems.flatMap(({ pointer, problem }) =>
    pointer === first.pointer && problem.startsWith(NO_FIELD) ? [problem.slice(NO_FIELD.length)] : [],
  );
  const said = missing.length > 1 && first.problem.startsWith(NO_FIELD) ? NO_FIELD + EITHER.format(missing) : first.problem;
  const hidden = problems.length - (said === first.problem ? 1 : missing.length);
  return `${first.pointer === '' ? 'the body' : first.pointer} ${said}${hidden > 0 ? ` (and ${hidden} more)` : ''}`;
}

/** The HTTP layer may reject a malformed credential, or a client that is not usual, with 400 before the service sees the request. */
const mayBeOfHttpLayer = (exchange: Exchange, world: World): boolean =>
  exchange.status === BAD_REQUEST && (exchange.facts.credential.kind === 'malformed' || standingOf(exchange, world).mayRejectClient);

/** What a crash has in its body, no handler of errors wrote. */
const OF_CRASH = { blame: { after: ['errors.no-server-error'] } } as const;

/** media.json and media.well-formed judge a body that is not JSON, but not an empty one. */
const SHAPE = form(
  'schema',
  (exchange, world) => {
    const { response } = exchange;
    if (response.status < LEAST_ERROR || isInfrastructure(response)) return 'no matter';
    if (response.size === 0 && mayBeOfHttpLayer(exchange, world)) return 'no matter';
    if (response.size === 0) return { what: 'has no body', expected: WANTED, failureKinds: [NO_BODY] };
    if (!response.json.ok) return 'no matter';
    const problems = schemaProblems('error', response.json.value);
    const [first] = problems;
    return first === undefined
      ? undefined
      : {
          what: `is not an Error: ${problemText(first, problems)}`,
          ...{ expected: WANTED, pointer: first.pointer, failureKinds: kindsOfProblems(problems) },
        };
  },
  OF_CRASH,
);

/** errors.shape judges a status that is not an integer. */
const AGREES = form(
  'values',
  ({ response }) => {
    if (response.status < LEAST_ERROR || isInfrastructure(response)) return 'no matter';
    const status = response.json.ok && isJsonObject(response.json.value) ? response.json.value['status'] : undefined;
    if (typeof status !== 'bigint' && !Number.isInteger(status)) return 'no matter';
    if (status === response.status) return undefined;
    return {
      what: `has "status": ${String(status)}`,
      ...{ expected: [`"status": ${response.status}`], pointer: '/status', failureKinds: [OTHER_STATUS] },
    };
  },
  OF_CRASH,
);

const OF_ERRORS = ['application/json with code (string), message (string) and status (the HTTP status)'];

const INFRASTRUCTURE = form(
  'schema',
  ({ response }): FormProblem | 'no matter' | undefined => {
    if (!isInfrastructure(response)) return 'no matter';
    const wrong = (what: string, failureKinds: readonly StatedKind[], pointer?: string): FormProblem => ({
      ...{ what, expected: OF_ERRORS, failureKinds },
      ...(pointer === undefined ? {} : { pointer }),
    });
    if (response.size === 0) return wrong('has no body', [NO_BODY]);
    const type = mediaTypeOf(response);
    if (type !== 'application/json')
      return wrong(type === undefined ? 'has a body without a Content-Type' : `has a body of ${type}`, [otherType(type !== undefined)]);
    if (!response.json.ok) return wrong(`has a body that is not JSON: ${response.json.problem}`, [notJson('something else')]);
    const { value } = response.json;
    const problems = schemaProblems('error', value);
    const [first] = problems;
    if (first !== undefined) {
      const what = `is not an Error: ${first.pointer === '' ? 'the body' : first.pointer} ${first.problem}`;
      return wrong(what, kindsOfProblems(problems), first.pointer);
    }
    const status = isJsonObject(value) ? value['status'] : undefined;
    return Number(status) === response.status ? undefined : wrong(`has "status": ${String(status)}`, [OTHER_STATUS], '/status');
  },
  {
    blame: {
      simpler: {
        clauses: ['errors.shape'],
        isTwin: () => true,
        explains: ({ breach: theirs }, { breach: own }) => own?.pointer !== undefined && theirs?.pointer === own.pointer,
      },
    },
  },
);

const ofStatus = (title: string, operation: Exchange['facts']['operation'], ...statuses: readonly number[]): Must => ({
  title,
  accepts: operation,
  meets: ({ exchange }) => exchange.facts.operation === operation && statuses.includes(exchange.status ?? 0),
});
const DOCUMENTED = [
  ...[ofStatus('401 of listPets', 'listPets', 401), ofStatus('401 of getPet', 'getPet', 401), ofStatus('404 of getPet', 'getPet', 404)],
  ...[ofStatus('401 of createPet', 'createPet', 401), ofStatus('400 of createPet', 'createPet', 400)],
];
const OPERATIONS: readonly Must[] = (['listPets', 'getPet', 'createPet'] as const).map((operation) => ({
  title: operation,
  accepts: operation,
  meets: ({ exchange }) => exchange.facts.operation === operation,
  unmet: `no ${operation} request succeeded, so that little of the operation was seen`,
}));
const MANY = 3;
const PAUSE = 1_000;
const IN_COMPANY: readonly Must[] = [
  { title: 'at the same time as others', meets: ({ exchange }, world) => loadOf(exchange, world).inFlight >= MANY },
  { title: 'after a pause', meets: ({ exchange }, world) => loadOf(exchange, world).idle >= PAUSE },
];
const ANY: readonly Must[] = [{ title: 'responses', meets: () => true }];

export const errors: readonly JudgedClause[] = [
  { id: 'errors.answers', rules: [ANSWERS], must: OPERATIONS },
  {
    id: 'errors.no-server-error',
    rules: [CRASH, UNSUPPORTED, { layer: 'history', judgeAll: deferred }],
    must: [...OPERATIONS, ...IN_COMPANY],
  },
  { id: 'errors.shape', rules: [SHAPE], must: DOCUMENTED },
  { id: 'errors.status-agrees', rules: [AGREES], must: DOCUMENTED },
  { id: 'errors.infrastructure-errors', rules: [INFRASTRUCTURE], must: ANY },
];
