import type { InvariantJudgement } from '../../src/clause/clause.ts';
import { describeAnswer, describeRequest } from '../../src/expect/expect.ts';
import { type Answer, asReceived, type Exchange } from '../../src/wire/exchange.ts';
import { duplicateMember } from '../../src/wire/json.ts';
import { defineClause } from '../define.ts';
import { documentedReads } from '../errors/documented-reads.ts';
import { documentedWrites } from '../errors/documented-writes.ts';
import { judgeDocumented } from '../judging/documented/judge-documented.ts';
import { hasOwnBody, mediaTypeOf } from './media-type.ts';

const BYTE_ORDER_MARK = '\ufeff';

/** What keeps the body from being strict JSON, or undefined. */
function problemOf({ text, json }: Answer): string | undefined {
  if (text === undefined) return 'is not UTF-8';
  if (text.startsWith(BYTE_ORDER_MARK)) return 'starts with a byte order mark';
  if (!json.ok) return `is not JSON: ${json.problem}`;
  const twice = duplicateMember(text);
  return twice === undefined ? undefined : `has an object with two different values for "${twice}"`;
}

/** Only media.json judges a body whose Content-Type is not JSON. */
function claimsJson(answer: Answer): boolean {
  const type = mediaTypeOf(answer);
  return type === undefined || type === '' || type.endsWith('json');
}

function judgeForm(exchange: Exchange): InvariantJudgement {
  const { outcome } = asReceived(exchange);
  if (outcome.kind === 'failed' || !hasOwnBody(outcome.answer)) return 'not-applicable';
  const { answer } = outcome;
  if (!claimsJson(answer)) return 'not-applicable';
  const problem = problemOf(answer);
  if (problem === undefined) return 'holds';
  return {
    summary: `the body of the ${answer.status} response to ${describeRequest(exchange)} ${problem}`,
    expected: ['JSON in UTF-8 (RFC 8259), without a byte order mark or duplicate object members'],
    received: describeAnswer(exchange),
  };
}

export const mediaWellFormed = defineClause({
  id: 'media.well-formed',
  chapter: 'media-type',
  section: 'What the service does',
  quote: [
    'The service is a pet store catalogue interface over HTTP with JSON bodies.',
    'All requests and responses that have a body use the media type `application/json`.',
  ],
  level: 'required',
  requirement:
    'Every application/json body is strict JSON in UTF-8: no byte order mark, no trailing comma, no NaN, nothing before or after it, and no object member that appears twice with different values.',
  likelyCause:
    'The JSON is assembled by hand or printed by the language instead of a serializer, or something is written before or after it.',
  checks: [
    {
      id: 'list-and-get',
      title: 'Successes and errors of listPets and getPet are strict JSON',
      step: 'read',
      given: ['animal', 'read', 'rejection', 'get.not-found'],
      fault: 'body-with-duplicate-members',
      run: async (s) => judgeDocumented(s, { documented: await documentedReads(s), judge: judgeForm, evidence: 'as strict JSON' }),
    },
    {
      id: 'create',
      title: 'Successes and errors of createPet are strict JSON',
      step: 'first-page',
      given: ['pets', 'rejection', 'create.name-required'],
      effect: 'write',
      fault: 'body-cut-on-error',
      run: async (s) => judgeDocumented(s, { documented: await documentedWrites(s), judge: judgeForm, evidence: 'as strict JSON' }),
    },
  ],
  invariants: [{ id: 'every-body', title: 'Every JSON body is strict JSON', fault: 'body-with-duplicate-members', judge: judgeForm }],
});
