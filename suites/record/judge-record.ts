import type { InvariantJudgement } from '../../src/clause/clause.ts';
import { describeAnswer, describeRequest } from '../../src/expect/expect.ts';
import { schemaProblems } from '../../src/schema/validators.ts';
import { asReceived, type Exchange } from '../../src/wire/exchange.ts';

const SHOWN = 3;

/**
 * Whether the body satisfies Pet or Pets, types and int64 by their exact digits. A body that is not JSON is judged by
 * media.json or media.well-formed; no other clause judges an empty one.
 */
export function judgeRecord(exchange: Exchange, message: 'pet' | 'pets'): InvariantJudgement {
  const { outcome } = asReceived(exchange);
  if (outcome.kind === 'failed') return 'not-applicable';
  const { answer } = outcome;
  const situation = `the ${answer.status} response to ${describeRequest(exchange)}`;
  const expected = [
    message === 'pet' ? 'a Pet: int64 id and categoryId, string name, and optionally a status from PetStatus' : 'an array of Pets',
  ];
  // create.success judges a creation whose response has no Pet, or null in place of one.
  const isCreation = exchange.request.intent.operation === 'createPet';
  if (isCreation && ((answer.text ?? '').trim() === '' || (answer.json.ok && answer.json.value === null))) return 'not-applicable';
  if (answer.size === 0) return { summary: `${situation} has no body`, expected, received: describeAnswer(exchange) };
  if (!answer.json.ok) return 'not-applicable';
  const problems = schemaProblems(message, answer.json.value);
  const [first] = problems;
  if (first === undefined) return 'holds';
  const shown = problems.slice(0, SHOWN).map(({ pointer, problem }) => `${pointer === '' ? 'the body' : pointer} ${problem}`);
  const more = problems.length > SHOWN ? ` (and ${problems.length - SHOWN} more)` : '';
  const name = message === 'pet' ? 'a Pet' : 'an array of Pets';
  return {
    summary: `${situation} is not ${name}: ${shown.join('; ')}${more}`,
    expected,
    received: describeAnswer(exchange),
    pointer: first.pointer,
  };
}
