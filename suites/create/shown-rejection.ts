import type { InvariantJudgement } from '../../src/clause/clause.ts';
import { describeRequest, statusOf } from '../../src/expect/expect.ts';
import { petView, petViews } from '../../src/schema/pet.ts';
import type { RunState } from '../../src/session/state/run-state.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { describeBody } from '../judging/creations/describe-body.ts';
import { showName } from '../judging/creations/show-name.ts';

/** No response may show an animal with a name that was sent in a single creation, which was rejected. */
export function judgeShownRejection(exchange: Exchange, { refusedNames, created }: RunState): InvariantJudgement {
  const { outcome, request } = exchange;
  if (outcome.kind === 'failed' || request.intent.operation === 'createPet' || refusedNames.size === 0) return 'not-applicable';
  const { status, json } = outcome.answer;
  if (status !== 200 || !json.ok) return 'not-applicable';
  for (const pet of Array.isArray(json.value) ? petViews(json.value) : [petView(json.value)]) {
    const refusal = pet?.name === undefined ? undefined : refusedNames.get(pet.name);
    if (pet === undefined || refusal === undefined || created.has(String(pet.id))) continue;
    return {
      summary: `${describeRequest(exchange)} shows animal ${pet.id}, ${showName(pet.name)}, although its creation (${describeBody(refusal)}) was rejected with ${statusOf(refusal)}`,
      expected: ['no animal from a rejected creation'],
      received: `animal ${pet.id}, ${showName(pet.name)}`,
    };
  }
  return 'holds';
}
