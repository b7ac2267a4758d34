import type { InvariantJudgement } from '../../../src/clause/clause.ts';
import { knownStatus, type RunState } from '../../../src/session/state/run-state.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';
import { hasRoom } from './has-room.ts';
import { hasItemsWithoutId, idsIn } from './ids-in.ts';
import { itemsOf } from './items-of.ts';
import { type PlainList, plainList, situationOf } from './plain-list.ts';

/** Other clients may have removed or bought one or two. */
const LEAST = 3;

/**
 * Created animals that must be in the list: a response has shown them, and they were older than the consistency window at the time of the
 * request. A filter can only omit what some list has shown; list.complete has the others.
 */
function due({ status }: PlainList, exchange: Exchange, { created, seen, listed, consistencyWindow }: RunState): readonly bigint[] {
  const before = exchange.timings.startedAt - consistencyWindow;
  const animals = [...created.values()].filter((animal) => {
    const shown = seen.get(String(animal.id));
    if (shown === undefined || animal.createdAt >= before) return false;
    return status === 'absent' || (listed.has(String(animal.id)) && shown.status === status && knownStatus(animal) === status);
  });
  return animals.map(({ id }) => id);
}

/** `whole` judges lists without status, `filtered` those with one. */
export function noneMissed(kind: 'whole' | 'filtered'): (exchange: Exchange, knowledge: RunState) => InvariantJudgement {
  return (exchange, knowledge) => {
    const list = plainList(exchange);
    if (list === undefined || itemsOf(list.answer) === undefined || (list.status === 'absent') !== (kind === 'whole'))
      return 'not-applicable';
    if (hasItemsWithoutId(exchange)) return 'not-applicable';
    const ids = idsIn(exchange);
    // Without a limit it may be the default that is wrong: list.limit-default.
    const missed = list.limit !== 'absent' && hasRoom(exchange) ? due(list, exchange, knowledge).filter((id) => !ids.has(String(id))) : [];
    if (missed.length < LEAST) return [...ids].some((id) => knowledge.created.has(id)) ? 'holds' : 'not-applicable';
    return {
      summary: `${situationOf(list)} returned ${ids.size} animals and omits ${missed.length} that were created well before and that other responses show`,
      expected: [`animals ${missed.slice(0, LEAST).join(', ')} and more: the page has room`],
      received: `${ids.size} other animals`,
    };
  };
}
