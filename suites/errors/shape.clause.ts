import type { InvariantJudgement } from '../../src/clause/clause.ts';
import { describeAnswer, describeRequest } from '../../src/expect/expect.ts';
import { schemaProblems } from '../../src/schema/validators.ts';
import { asReceived, type Exchange } from '../../src/wire/exchange.ts';
import { defineClause } from '../define.ts';
import { documentedReads } from './documented-reads.ts';
import { documentedWrites } from './documented-writes.ts';
import { isInfrastructure } from './infrastructure.ts';
import { judgeDocumented } from './judge-documented.ts';

const WANTED = ['a JSON object with code (string), message (string), and status (integer)'];

/** An error body is an Error. media.json and media.well-formed judge a body that is not JSON, but not an empty one. */
function judgeShape(exchange: Exchange): InvariantJudgement {
  const { outcome } = asReceived(exchange);
  if (outcome.kind === 'failed') return 'not-applicable';
  const { answer } = outcome;
  if (answer.status < 400 || isInfrastructure(answer)) return 'not-applicable';
  const situation = `the ${answer.status} response to ${describeRequest(exchange)}`;
  if (answer.size === 0) return { summary: `${situation} has no body`, expected: WANTED, received: describeAnswer(exchange) };
  if (!answer.json.ok) return 'not-applicable';
  const problems = schemaProblems('error', answer.json.value);
  const [first] = problems;
  if (first === undefined) return 'holds';
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  const where = first.pointer === '' ? 'the body' : first.pointer;
  return {
    summary: `${situation} is not an Error: ${where} ${first.problem}${more}`,
    expected: WANTED,
    received: describeAnswer(exchange),
    pointer: first.pointer,
  };
}

export const errorsShape = defineClause({
  id: 'errors.shape',
  chapter: 'errors',
  section: 'Errors',
  quote: ['Errors are returned as an Error body (fields code, message, status) with `application/json`.'],
  level: 'required',
  requirement: 'The body of every error is an Error: code and message are strings, status is an integer, and all three are present.',
  likelyCause: 'Errors from the framework, a gateway, or the authentication layer bypass the handler that writes Error bodies.',
  checks: [
    {
      id: 'list-and-get',
      title: 'The 401 of listPets and the 401 and 404 of getPet have an Error body',
      step: 'read',
      given: ['animal', 'read', 'rejection', 'get.not-found'],
      fault: 'unauthorized-without-code',
      run: async (s) => {
        const documented = (await documentedReads(s)).filter(({ status }) => status >= 400);
        return judgeDocumented(s, { documented, judge: judgeShape, evidence: 'with an Error body' });
      },
    },
    {
      id: 'create',
      title: 'The 400 and 401 of createPet have an Error body',
      step: 'first-page',
      given: ['pets', 'rejection', 'create.name-required'],
      effect: 'write',
      fault: 'bad-request-code-as-number',
      run: async (s) => {
        const documented = (await documentedWrites(s)).filter(({ status }) => status >= 400);
        return judgeDocumented(s, { documented, judge: judgeShape, evidence: 'with an Error body' });
      },
    },
  ],
  invariants: [{ id: 'every-error', title: 'Every error body is an Error', fault: 'error-message-as-array', judge: judgeShape }],
});
