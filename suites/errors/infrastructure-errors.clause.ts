import type { Breach } from '../../src/clause/clause.ts';
import type { StatedKind } from '../../src/clause/failure-kind.ts';
import type { Case, Event } from '../../src/oracle/world.ts';
import { kindsOfProblems, schemaProblems } from '../../src/schema/validators.ts';
import { describeRequest, describeResponse } from '../../src/session/read-exchange.ts';
import { asReceived, type Exchange, type HttpResponse } from '../../src/wire/exchange.ts';
import { isJsonObject } from '../../src/wire/json.ts';
import { defineRules } from '../define.ts';
import { isInfrastructure, mediaTypeOf, NO_BODY } from '../responses.ts';

type Problem = { readonly what: string; readonly pointer?: string; readonly failureKinds: readonly StatedKind[] };

function problemOf(response: HttpResponse): Problem | undefined {
  if (response.size === 0) return { what: 'has no body', failureKinds: [NO_BODY] };
  const type = mediaTypeOf(response);
  if (type !== 'application/json') {
    const received = type === undefined ? 'missing' : 'another value';
    const failureKinds = [{ place: 'header Content-Type', expected: 'application/json', received }];
    return { what: type === undefined ? 'has a body without a Content-Type' : `has a body of ${type}`, failureKinds };
  }
  if (!response.json.ok)
    return {
      what: `has a body that is not JSON: ${response.json.problem}`,
      failureKinds: [{ place: 'body', expected: 'JSON in UTF-8', received: 'something else' }],
    };
  const { value } = response.json;
  const problems = schemaProblems('error', value);
  const [first] = problems;
  if (first !== undefined) {
    const where = first.pointer === '' ? 'the body' : first.pointer;
    return { what: `is not an Error: ${where} ${first.problem}`, pointer: first.pointer, failureKinds: kindsOfProblems(problems) };
  }
  const status = isJsonObject(value) ? value['status'] : undefined;
  if (Number(status) === response.status) return undefined;
  const failureKinds = [{ place: 'status', expected: 'the HTTP status', received: 'another number' }];
  return { what: `has "status": ${String(status)}`, pointer: '/status', failureKinds };
}

/** The exchange before the suite waited: the response that asked it to wait counts too. */
function beforeWaiting({ received: _received, ...exchange }: Exchange): Exchange | undefined {
  const { putOff } = exchange;
  return putOff === undefined ? undefined : { ...exchange, outcome: { kind: 'answered', answer: putOff } };
}

function judgeOne(exchange: Exchange): 'not-applicable' | 'holds' | Breach {
  const { outcome } = exchange;
  if (outcome.kind === 'failed' || !isInfrastructure(outcome.answer)) return 'not-applicable';
  const problem = problemOf(outcome.answer);
  if (problem === undefined) return 'holds';
  const { what, ...where } = problem;
  return {
    summary: `the ${outcome.answer.status} response to ${describeRequest(exchange)} ${what}`,
    expected: ['application/json with code (string), message (string) and status (the HTTP status)'],
    received: describeResponse(exchange),
    ...where,
  };
}

function judgeBodies({ exchange }: Event): 'not-applicable' | 'holds' | Breach {
  const before = beforeWaiting(exchange);
  const early = before === undefined ? 'not-applicable' : judgeOne(before);
  if (before !== undefined && typeof early === 'object') return { ...early, exchanges: [before] };
  const last = judgeOne(asReceived(exchange));
  return last === 'not-applicable' ? early : last;
}

const AS_ALL_ERRORS = {
  clauses: ['errors.shape'],
  isTwin: () => true,
  explains: ({ breach: theirs }: Case, { breach: own }: Case): boolean => own?.pointer !== undefined && theirs?.pointer === own.pointer,
} as const;

export const errorsInfrastructureErrors = defineRules({
  id: 'errors.infrastructure-errors',
  chapter: 'errors',
  section: 'Errors; RFC 9110, section 15.5',
  quote: ['Errors are returned as an Error body (fields code, message, status) with `application/json`.'],
  level: 'advised',
  requirement:
    'Errors that are usually written in front of a service (408, 413, 414, 429, 431, 502, 503, 504) are Errors too: application/json with code, message and status.',
  likelyCause:
    'A gateway, a load balancer or the HTTP layer of the framework writes its own page. Most let you set the bodies of errors; clients then need one reader for all of them.',
  rules: [{ layer: 'schema', letter: true, simpler: AS_ALL_ERRORS, judge: judgeBodies }],
  met: [
    {
      id: 'every-response',
      title: 'Every error of the HTTP layer or of a gateway is an Error',
    },
  ],
});
