import type { Breach } from '../../src/clause/clause.ts';
import type { Event } from '../../src/oracle/world.ts';
import { kindsOfProblems, type SchemaProblem, schemaProblems } from '../../src/schema/validators.ts';
import { describeRequest, describeResponse } from '../../src/session/read-exchange.ts';
import { defineRules } from '../define.ts';
import { isInfrastructure, NO_BODY } from '../responses.ts';
import {
  documentedReads,
  documentedWrites,
  isCreationWithDocumentedStatus,
  isReadWithDocumentedStatus,
  vagueReads,
} from '../stimuli/documented.ts';

const NO_FIELD = 'has no field ';
const EITHER = new Intl.ListFormat('en', { type: 'disjunction' });

/** What is wrong in one sentence: an Error has three fields, so all missing ones are named. */
function problemText(first: SchemaProblem, problems: readonly SchemaProblem[]): string {
  const missing = problems.flatMap(({ pointer, problem }) =>
    pointer === first.pointer && problem.startsWith(NO_FIELD) ? [problem.slice(NO_FIELD.length)] : [],
  );
  const said = missing.length > 1 && first.problem.startsWith(NO_FIELD) ? NO_FIELD + EITHER.format(missing) : first.problem;
  const hidden = problems.length - (said === first.problem ? 1 : missing.length);
  return `${first.pointer === '' ? 'the body' : first.pointer} ${said}${hidden > 0 ? ` (and ${hidden} more)` : ''}`;
}

const WANTED = ['a JSON object with code (string), message (string), and status (integer)'];

/** An error body is an Error. media.json and media.well-formed judge a body that is not JSON, but not an empty one. */
function judgeShape({ response, exchange }: Event): 'not-applicable' | 'holds' | Breach {
  if (response === undefined || response.status < 400 || isInfrastructure(response)) return 'not-applicable';
  const situation = `the ${response.status} response to ${describeRequest(exchange)}`;
  const received = describeResponse(exchange);
  if (response.size === 0) return { summary: `${situation} has no body`, expected: WANTED, received, failureKinds: [NO_BODY] };
  if (!response.json.ok) return 'not-applicable';
  const problems = schemaProblems('error', response.json.value);
  const [first] = problems;
  if (first === undefined) return 'holds';
  const summary = `${situation} is not an Error: ${problemText(first, problems)}`;
  return { summary, expected: WANTED, received, pointer: first.pointer, failureKinds: kindsOfProblems(problems) };
}

export const errorsShape = defineRules({
  id: 'errors.shape',
  chapter: 'errors',
  section: 'Errors',
  quote: ['Errors are returned as an Error body (fields code, message, status) with `application/json`.'],
  level: 'required',
  requirement: 'The body of every error is an Error: code and message are strings, status is an integer, and all three are present.',
  likelyCause:
    'The service writes errors in a form of its own, or those of the framework, a gateway, or the authentication layer bypass the handler that writes Error bodies.',
  rules: [{ layer: 'schema', letter: true, judge: judgeShape }],
  sent: [
    {
      id: 'list-and-get',
      title: 'The 401 of listPets and the 401 and 404 of getPet have an Error body',
      step: 'read',
      needs: ['pets'],
      send: documentedReads,
      cases: ({ event }) => isReadWithDocumentedStatus(event),
    },
    {
      id: 'other-clients',
      title: 'The errors that clients without a User-Agent or of another site get have an Error body',
      step: 'more-reads',
      needs: ['pets'],
      exhaustive: true,
      send: vagueReads,
    },
    {
      id: 'create',
      title: 'The 400 and 401 of createPet have an Error body',
      step: 'first-page',
      needs: ['pets'],
      accepts: 'createPet',
      effect: 'write',
      send: documentedWrites,
      cases: ({ event }) => isCreationWithDocumentedStatus(event),
    },
  ],
  met: [{ id: 'every-error', title: 'Every error body is an Error' }],
});
