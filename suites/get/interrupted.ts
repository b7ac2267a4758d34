import type { InvariantJudgement } from '../../src/clause/clause.ts';
import { mayBeRemoved } from '../../src/clause/removal.ts';
import { describeAnswer, describeRequest, statusOf } from '../../src/expect/expect.ts';
import type { RunState } from '../../src/session/state/run-state.ts';
import type { Exchange } from '../../src/wire/exchange.ts';

/** What getPet has said of one animal: since when it is there, and the 404 that came after that. */
type History = { since: number; missed?: Exchange };

/** By the id of the animal. */
const noHistories = (): Map<string, History> => new Map();

const completedAt = ({ timings }: Exchange): number => timings.startedAt + timings.duration;

/** An animal that getPet has returned, does not find, and returns again: it was there all the time. Within the consistency window replicas may differ. */
export function judgeInterrupted(exchange: Exchange, knowledge: RunState): InvariantJudgement {
  const { operation, petId, credential } = exchange.request.intent;
  const status = statusOf(exchange);
  if (operation !== 'getPet' || petId === undefined || credential !== 'valid' || mayBeRemoved(knowledge.now)) return 'not-applicable';
  const id = String(petId);
  const all = knowledge.remember(noHistories);
  const history = all.get(id);
  if (history === undefined) {
    if (status === 200) all.set(id, { since: knowledge.created.get(id)?.createdAt ?? completedAt(exchange) });
    return 'not-applicable';
  }
  if (status === 404 && exchange.timings.startedAt > history.since + knowledge.consistencyWindow) history.missed ??= exchange;
  if (status !== 200) return 'not-applicable';
  const { missed } = history;
  if (missed === undefined || exchange.timings.startedAt < completedAt(missed)) return 'holds';
  delete history.missed;
  return {
    summary: `${describeRequest(missed)} returned 404 in request ${missed.number}, though the animal exists: it was read before and after`,
    expected: ['200 with the animal'],
    received: describeAnswer(missed),
  };
}
