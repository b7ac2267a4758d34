import type { InvariantJudgement } from '../../../src/clause/clause.ts';
import { type Knowledge, knownStatus } from '../../../src/session/state/run-state.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';
import { hasRoom, idsIn } from './list-contents.ts';
import { itemsOf, type PlainList, plainList, situationOf } from './list-queries.ts';

/** One or two may have been taken away, or bought, by others. */
const LEAST = 3;

/** Created animals that must be in the list: a list or a read has shown them, and the consistency window was over when it was asked for. */
function due({ status }: PlainList, exchange: Exchange, { created, seen, consistencyWindow }: Knowledge): readonly bigint[] {
  const before = exchange.timings.startedAt - consistencyWindow;
  const animals = [...created.values()].filter((animal) => {
    const shown = seen.get(String(animal.id));
    if (shown === undefined || animal.createdAt >= before) return false;
    return status === 'absent' || (shown.status === status && knownStatus(animal) === status);
  });
  return animals.map(({ id }) => id);
}

/** Lists without status for `whole`, those with one for `filtered`. */
export function noneMissed(kind: 'whole' | 'filtered'): (exchange: Exchange, knowledge: Knowledge) => InvariantJudgement {
  return (exchange, knowledge) => {
    const list = plainList(exchange);
    if (list === undefined || itemsOf(list.answer) === undefined || (list.status === 'absent') !== (kind === 'whole'))
      return 'not-applicable';
    const ids = idsIn(exchange);
    // Without a limit it may be the default that is wrong: list.limit-default.
    const missed = list.limit !== 'absent' && hasRoom(exchange) ? due(list, exchange, knowledge).filter((id) => !ids.has(String(id))) : [];
    if (missed.length < LEAST) return [...ids].some((id) => knowledge.created.has(id)) ? 'holds' : 'not-applicable';
    return {
      summary: `${situationOf(list)} shows ${ids.size} animals and leaves out ${missed.length} that were created long before and that other answers show`,
      expected: [`animals ${missed.slice(0, LEAST).join(', ')} and others: the page has room`],
      received: `${ids.size} other animals`,
    };
  };
}
