import type { InvariantJudgement } from '../../src/clause/clause.ts';
import { describeAnswer, describeRequest } from '../../src/expect/expect.ts';
import { asReceived, type Exchange } from '../../src/wire/exchange.ts';
import { isJsonObject } from '../../src/wire/json.ts';
import { defineClause } from '../define.ts';
import { documentedReads, documentedWrites } from './documented-answers.ts';
import { isInfrastructure } from './infrastructure.ts';
import { judgeDocumented } from './judge-documented.ts';

/** The member `status` of an error is the HTTP status. One that is no integer is the business of errors.shape. */
function judgeAgreement(exchange: Exchange): InvariantJudgement {
  const { outcome } = asReceived(exchange);
  if (outcome.kind === 'failed') return 'not-applicable';
  const { answer } = outcome;
  if (answer.status < 400 || isInfrastructure(answer) || !answer.json.ok || !isJsonObject(answer.json.value)) return 'not-applicable';
  const { status } = answer.json.value;
  if (typeof status !== 'bigint' && !Number.isInteger(status)) return 'not-applicable';
  if (status === answer.status) return 'holds';
  return {
    summary: `the ${answer.status} to ${describeRequest(exchange)} says status ${String(status)}`,
    expected: [`"status": ${answer.status}`],
    received: describeAnswer(exchange),
    pointer: '/status',
  };
}

export const errorsStatusAgrees = defineClause({
  id: 'errors.status-agrees',
  chapter: 'errors',
  section: 'Errors',
  level: 'required',
  requirement: 'The member status of an Error equals the HTTP status of its response.',
  likelyCause: 'The status is written by hand in each handler, kept in a shared object, or changed behind it by a gateway.',
  checks: [
    {
      id: 'reads',
      title: 'The 401 of listPets and the 401 and 404 of getPet say their own status',
      step: 'read',
      fault: 'not-found-says-400',
      run: async (s) => {
        const documented = (await documentedReads(s)).filter(({ status }) => status >= 400);
        return judgeDocumented(s, { documented, judge: judgeAgreement, evidence: 'that say their own status' });
      },
    },
    {
      id: 'writes',
      title: 'The 400 and the 401 of createPet say their own status',
      step: 'write',
      effect: 'write',
      fault: 'bad-request-says-422',
      run: async (s) => {
        const documented = (await documentedWrites(s)).filter(({ status }) => status >= 400);
        return judgeDocumented(s, { documented, judge: judgeAgreement, evidence: 'that say their own status' });
      },
    },
  ],
  invariants: [
    {
      id: 'always',
      title: 'Every Error says the HTTP status of its response',
      fault: 'bad-request-after-401-status',
      judge: judgeAgreement,
    },
  ],
});
