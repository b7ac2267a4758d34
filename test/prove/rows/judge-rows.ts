// Judges a recorded history by the rules over rows.

import { judge, type Verdict } from '../../../src/oracle/rows/verdicts.ts';
import { createWorld, type World } from '../../../src/oracle/rows/world.ts';
import type { Received } from '../../../src/session/rows-history.ts';
import { asReceived, type Exchange, type HttpResponse, unreadReason } from '../../../src/wire/exchange.ts';
import { clauses } from '../../../suites/rows/index.ts';
import { sentOf } from '../facts/sent-of.ts';
import type { ReadRun } from '../recorded/history-file.ts';

/** An exchange of a recorded run, each of its tries as one of its own. */
function receivedOf(exchange: Exchange): readonly Received[] {
  const { number, request, timings, firstTry, putOff, postponed } = exchange;
  const { outcome } = asReceived(exchange);
  const base = {
    number,
    sent: sentOf(request),
    at: timings.startedAt,
    done: timings.startedAt + timings.duration,
    isUnread: false,
    waits: postponed,
  };
  const waited = (response: HttpResponse): Received => ({ ...base, number: number - 0.5, response, failure: undefined, waits: 0 });
  return [
    ...(firstTry === undefined ? [] : receivedOf(firstTry)),
    ...(putOff === undefined ? [] : [waited(putOff)]),
    {
      ...{ ...base, isUnread: unreadReason(exchange) !== undefined },
      response: outcome.kind === 'answered' ? outcome.answer : undefined,
      failure: outcome.kind === 'failed' ? outcome.failure : undefined,
    },
  ];
}

export function worldOf({ facts: { options }, exchanges, end }: ReadRun): World {
  end();
  const { apiKey, baseUrl, now, consistencyWindow: window, leftoverIds = [] } = options;
  const world = createWorld({ apiKey, baseUrl, now, window, leftoverIds });
  for (const exchange of exchanges) for (const received of receivedOf(exchange)) world.add(received);
  return world.now();
}

export const judgeRows = (run: ReadRun): readonly Verdict[] => judge(clauses, worldOf(run));
