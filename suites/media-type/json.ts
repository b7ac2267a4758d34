import type { InvariantJudgement } from '../../src/clause/clause.ts';
import { describeRequest } from '../../src/expect/expect.ts';
import type { Answer, Exchange } from '../../src/wire/exchange.ts';
import { defineClause } from '../define.ts';
import { documentedReads, documentedWrites } from '../errors/documented-answers.ts';
import { isInfrastructure } from '../errors/infrastructure.ts';
import { judgeDocumented } from '../errors/judge-documented.ts';

/** The media type without parameters, in lower case (RFC 9110, section 8.3.1), or undefined when there is no header. */
export function mediaTypeOf(answer: Answer): string | undefined {
  const value = answer.headers.find(([name]) => name === 'content-type')?.[1];
  return value?.split(';')[0]?.trim().toLowerCase();
}

/** A body of the interface, as opposed to none, to a redirect's and to those of the infrastructure in front of it. */
export function hasOwnBody(answer: Answer): boolean {
  return answer.size > 0 && !isInfrastructure(answer) && (answer.status < 300 || answer.status >= 400);
}

function judgeMediaType(exchange: Exchange): InvariantJudgement {
  if (exchange.outcome.kind === 'failed' || !hasOwnBody(exchange.outcome.answer)) return 'not-applicable';
  const { answer } = exchange.outcome;
  const sent = answer.headers.filter(([name]) => name === 'content-type').map(([, value]) => value);
  if (mediaTypeOf(answer) === 'application/json' && sent.length === 1) return 'holds';
  const came = sent.length === 0 ? 'no Content-Type' : `Content-Type ${sent.join(' and ')}`;
  return {
    summary: `the ${answer.status} to ${describeRequest(exchange)} has a body with ${came}`,
    wanted: ['Content-Type: application/json'],
    came,
  };
}

export const mediaJson = defineClause({
  id: 'media.json',
  chapter: 'media-type',
  section: 'What the service does',
  level: 'required',
  demands: 'Every body of an answer, success or error, has the media type application/json; parameters and letter case are free.',
  hint: 'Errors of the framework or of a proxy come as HTML or text, or a handler writes JSON without setting the header.',
  checks: [
    {
      id: 'reads',
      title: 'Successes and errors of listPets and getPet are application/json',
      step: 'read',
      fault: 'content-type-html-on-404',
      run: async (s) =>
        judgeDocumented(s, { documented: await documentedReads(s), judge: judgeMediaType, evidence: 'as application/json' }),
    },
    {
      id: 'writes',
      title: 'Successes and errors of createPet are application/json',
      step: 'write',
      effect: 'write',
      fault: 'content-type-plain-on-400',
      run: async (s) =>
        judgeDocumented(s, { documented: await documentedWrites(s), judge: judgeMediaType, evidence: 'as application/json' }),
    },
  ],
  invariants: [{ id: 'always', title: 'Every body is application/json', fault: 'content-type-sometimes-html', judge: judgeMediaType }],
});
