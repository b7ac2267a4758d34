// Sends rows: from bytes to what came off the wire.

import { setTimeout as pause } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import type { Received } from '../oracle/rows/exchange.ts';
import type { Client, Sent as SentBy } from '../wire/client.ts';
import { type Outgoing, unreadReason } from '../wire/exchange.ts';
import type { Sent } from './rows.ts';

/** One kept connection: what is sent over it follows each other. */
export type Lane = { readonly connection: Dispatcher; readonly busy: { until: Promise<unknown> } };

const outgoingOf = ({ method, target, headers, body, framing }: Sent): Outgoing => ({
  ...{ method, path: target, query: '', headers, body },
  ...(framing === 'length' ? {} : { [framing]: true }),
});

/** The exchange, after the response that asked to wait, if there was one. */
function receivedOf(sent: Sent, exchange: SentBy<Outgoing>): readonly Received[] {
  const { number, timings, putOff, postponed, outcome } = exchange;
  const at = timings.startedAt;
  const base = { number, sent, at, done: at + timings.duration, isUnread: false, failure: undefined };
  const reason = unreadReason({ ...exchange, request: { ...exchange.request, intent: undefined as never } });
  return [
    ...(putOff === undefined ? [] : [{ ...base, number: number - 0.5, response: putOff, waits: 0 }]),
    {
      ...base,
      isUnread: reason !== undefined,
      waits: postponed,
      response: outcome.kind === 'answered' ? outcome.answer : undefined,
      failure: outcome.kind === 'failed' ? outcome.failure : undefined,
    },
  ];
}

export type Lanes = {
  open(): Lane;
  /** Sends on the lane, or on a connection of its own if the row says so, and enters what came into the history. */
  send(sent: Sent, lane: Lane, atOnce?: boolean): Promise<Received>;
  idle(milliseconds: number): Promise<void>;
};

export function createLanes(client: Client, enter: (received: Received) => void): Lanes {
  return {
    open: () => ({ connection: client.connect(), busy: { until: Promise.resolve() } }),
    async send(sent, lane, atOnce = false) {
      const where = sent.connection === 'fresh' ? { fresh: true } : { connection: lane.connection };
      const exchange = await client.send(outgoingOf(sent), { ...where, atOnce });
      const all = receivedOf(sent, exchange);
      for (const one of all) enter(one);
      const last = all.at(-1);
      if (last === undefined) throw new Error('a request was sent and nothing is known of it');
      return last;
    },
    idle: (milliseconds) => pause(milliseconds),
  };
}
