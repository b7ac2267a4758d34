import type { CheckId } from '../../../src/clause/clause.ts';
import type { Sent } from '../../../src/judge/judging.ts';
import type { OpenSession } from '../../../src/session/open-session.ts';
import type { SessionOptions } from '../../../src/session/session.ts';
import { type Recorded, recordNow } from './exchange-lines.ts';

/** The results of a run that its exchanges do not contain. */
export type RunFacts = {
  readonly options: SessionOptions;
  /** Exchanges before the judging began. */
  readonly before: number;
  /** The results of the checks that only send. */
  readonly sent: ReadonlyMap<CheckId, Sent>;
};

/** A run as it was recorded. */
export type RunHistory = { readonly facts: RunFacts; readonly exchanges: readonly Recorded[] };

/** Keeps every exchange of a session from now on. `begin`: the judging begins. */
export function keepHistory(open: OpenSession) {
  const exchanges: Recorded[] = [];
  let before = 0;
  // The history of the session leaves out large bodies once there are many; a listener gets all of each exchange when it is recorded.
  open.recorder.onEveryExchange((exchange) => exchanges.push(recordNow(exchange)));
  return {
    begin(): void {
      before = exchanges.length;
    },
    end(sent: RunFacts['sent']): RunHistory {
      return { facts: { options: open.session.options, before, sent }, exchanges };
    },
  };
}
