import type { InvariantJudgement } from '../../src/clause/clause.ts';
import { describeAnswer, describeRequest } from '../../src/expect/expect.ts';
import { asReceived, type Exchange } from '../../src/wire/exchange.ts';
import { isJsonObject } from '../../src/wire/json.ts';
import { defineClause } from '../define.ts';
import { documentedReads } from './documented-reads.ts';
import { documentedWrites } from './documented-writes.ts';
import { isInfrastructure } from './infrastructure.ts';
import { judgeDocumented } from './judge-documented.ts';

/** The `status` of an Error is the HTTP status. errors.shape judges one that is not an integer. */
function judgeAgreement(exchange: Exchange): InvariantJudgement {
  const { outcome } = asReceived(exchange);
  if (outcome.kind === 'failed') return 'not-applicable';
  const { answer } = outcome;
  if (answer.status < 400 || isInfrastructure(answer) || !answer.json.ok || !isJsonObject(answer.json.value)) return 'not-applicable';
  const { status } = answer.json.value;
  if (typeof status !== 'bigint' && !Number.isInteger(status)) return 'not-applicable';
  if (status === answer.status) return 'holds';
  return {
    summary: `the ${answer.status} response to ${describeRequest(exchange)} has "status": ${String(status)}`,
    expected: [`"status": ${answer.status}`],
    received: describeAnswer(exchange),
    pointer: '/status',
  };
}

export const errorsStatusAgrees = defineClause({
  id: 'errors.status-agrees',
  chapter: 'errors',
  section: 'Errors',
  quote: ['The `status` field of the body equals the HTTP status code.'],
  level: 'required',
  requirement: 'The status field of an Error equals the HTTP status code of its response.',
  likelyCause: 'Each handler sets the status by hand, an error object is shared, or a gateway changes the HTTP status later.',
  checks: [
    {
      id: 'list-and-get',
      title: 'The 401 of listPets and the 401 and 404 of getPet state their own status',
      step: 'read',
      given: ['animal', 'read', 'rejection', 'get.not-found'],
      fault: 'not-found-says-400',
      run: async (s) => {
        const documented = (await documentedReads(s)).filter(({ status }) => status >= 400);
        return judgeDocumented(s, { documented, judge: judgeAgreement, evidence: 'that state their own status' });
      },
    },
    {
      id: 'create',
      title: 'The 400 and 401 of createPet state their own status',
      step: 'first-page',
      given: ['pets', 'rejection', 'create.name-required'],
      effect: 'write',
      fault: 'bad-request-says-422',
      run: async (s) => {
        const documented = (await documentedWrites(s)).filter(({ status }) => status >= 400);
        return judgeDocumented(s, { documented, judge: judgeAgreement, evidence: 'that state their own status' });
      },
    },
  ],
  invariants: [
    {
      id: 'every-error',
      title: 'Every Error states the HTTP status code of its response',
      fault: 'bad-request-after-401-status',
      judge: judgeAgreement,
    },
  ],
});
