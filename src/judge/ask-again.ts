// Whether a failure goes away when its request is repeated: then the part is flaky.

import type { ClauseId } from '../clause/clause.ts';
import { expectedStatuses } from '../clause/failure-kind.ts';
import { Halt } from '../clause/halt.ts';
import type { Finding } from '../clause/outcome.ts';
import type { OpenSession } from '../session/open-session.ts';
import type { Exchange } from '../wire/exchange.ts';
import { statusIn } from './failure-kinds.ts';

export type AskAgain = {
  /** The exchange of the repeated request: at most once per clause, for a GET only. Undefined if nothing was sent. */
  ask(clause: ClauseId, exchange: Exchange): Promise<Exchange | undefined>;
};

export function createAskAgain(open: OpenSession): AskAgain {
  const asked = new Set<ClauseId>();
  const known = new Map<number, Promise<Exchange | undefined>>();
  async function send(exchange: Exchange): Promise<Exchange | undefined> {
    try {
      return await open.again(exchange);
    } catch (error) {
      // A service that gets no more requests, or asks to wait, says nothing about the finding.
      if (error instanceof Halt) return undefined;
      throw error;
    }
  }
  return {
    async ask(clause, exchange) {
      if (exchange.request.method !== 'GET') return undefined;
      const before = known.get(exchange.number);
      if (before !== undefined) return before;
      if (asked.has(clause)) return undefined;
      asked.add(clause);
      const second = send(exchange);
      known.set(exchange.number, second);
      const made = await second;
      // A finding about the repeated exchange is not repeated again.
      if (made !== undefined) known.set(made.number, Promise.resolve(undefined));
      return made;
    },
  };
}

type Asking = {
  readonly clause: ClauseId;
  readonly again: AskAgain;
  /** For a finding that a single response shows: whether another response to its request breaks nothing. */
  readonly isRight?: ((second: Exchange) => boolean) | undefined;
};

/** Whether a finding is gone when its last request is repeated, if a status, the presence of a response, or `isRight` can tell. */
export async function isGone(finding: Finding, { clause, again, isRight }: Asking): Promise<boolean> {
  const exchange = finding.exchanges.at(-1);
  if (exchange === undefined) return false;
  const expected = expectedStatuses(finding);
  const received = statusIn(exchange);
  const isOfStatus = received === undefined || (expected !== undefined && !expected.includes(received));
  if (!isOfStatus && isRight === undefined) return false;
  const second = await again.ask(clause, exchange);
  if (second === undefined) return false;
  if (!isOfStatus) return isRight?.(second) ?? false;
  const status = statusIn(second);
  return status !== undefined && (expected === undefined || expected.includes(status));
}
