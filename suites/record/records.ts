import type { Breach, ClauseId } from '../../src/clause/clause.ts';
import type { Event, World } from '../../src/oracle/world.ts';
import { isPet } from '../../src/schema/pet.ts';
import { kindsOfProblems, schemaProblems } from '../../src/schema/validators.ts';
import { describeRequest, describeResponse } from '../../src/session/read-exchange.ts';
import type { RunState } from '../../src/session/state/run-state.ts';
import type { Json } from '../../src/wire/json.ts';
import { NO_BODY } from '../responses.ts';

const SHOWN = 3;
/** The number would be taken for a status. */
const OF_ITEM = /^\/(\d+)(?:\/|$)/;

/** The clauses that forbid what is wrong with the body, if earlier runs left all of it; undefined if they did not. */
function leftBy(body: Json, { leftovers }: RunState): readonly ClauseId[] | undefined {
  const records = Array.isArray(body) ? body : [body];
  const clauses = records.filter((record) => !isPet(record)).map((record) => leftovers.clausesOf(record));
  // Each record is a Pet, so the problem is around them, and no earlier run left that.
  return clauses.length === 0 || clauses.some((of) => of.length === 0) ? undefined : [...new Set(clauses.flat())];
}

/**
 * Whether the body satisfies Pet or Pets, with types and int64 judged by their exact digits. media.json or media.well-formed judges a body
 * that is not JSON; no other clause judges an empty one.
 */
export function judgeRecord(
  { response, exchange, intent }: Event,
  message: 'pet' | 'pets',
  { known }: World,
): 'not-applicable' | 'holds' | Breach {
  if (response === undefined) return 'not-applicable';
  const situation = `the ${response.status} response to ${describeRequest(exchange)}`;
  const expected = [
    message === 'pet' ? 'a Pet: int64 id and categoryId, string name, and optionally a status from PetStatus' : 'an array of Pets',
  ];
  // create.success judges a creation whose response has no Pet, or null in place of one.
  const isCreation = intent.operation === 'createPet';
  if (isCreation && (response.size === 0 || response.text?.trim() === '' || (response.json.ok && response.json.value === null)))
    return 'not-applicable';
  if (response.size === 0)
    return { summary: `${situation} has no body`, expected, received: describeResponse(exchange), failureKinds: [NO_BODY] };
  if (!response.json.ok) return 'not-applicable';
  const problems = schemaProblems(message, response.json.value);
  const [first] = problems;
  if (first === undefined) return 'holds';
  const shown = problems
    .slice(0, SHOWN)
    .map(({ pointer, problem }) => `${pointer === '' ? 'the body' : pointer.replace(OF_ITEM, 'item $1: ')} ${problem}`);
  const more = problems.length > SHOWN ? ` (and ${problems.length - SHOWN} more)` : '';
  const name = message === 'pet' ? 'a Pet' : 'an array of Pets';
  const left = isCreation ? undefined : leftBy(response.json.value, known);
  return {
    summary: `${situation} is not ${name}: ${shown.join('; ')}${more}`,
    expected,
    received: describeResponse(exchange),
    pointer: first.pointer,
    failureKinds: kindsOfProblems(problems),
    ...(left === undefined ? {} : { leftBy: left }),
  };
}
