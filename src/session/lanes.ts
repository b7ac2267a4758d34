// The cut between what decides about requests and what sends them: below it are connections, the rate, and the waits that a service asks for.

import type { Dispatcher } from 'undici';
import type { Attempted, Client } from '../wire/client.ts';
import type { Outgoing } from '../wire/exchange.ts';
import { createTraceparents } from '../wire/traceparent.ts';
import type { Received } from './history.ts';
import type { Sent } from './vector.ts';

/** A connection of its own, for requests that follow each other on it. */
export type Lane = { readonly connection: Dispatcher; close(): Promise<void> };

export type SendOptions = {
  /** By default, any of the kept connections. */
  readonly lane?: Lane | undefined;
  /** With as many others as the user allows, even where the service was seen to serve fewer. */
  readonly atOnce?: boolean;
  /** Sent once, and not counted among the requests in flight. */
  readonly isUncounted?: boolean;
  /** Called when it is the turn of a try; an exception is passed on, and nothing is sent. */
  readonly admit?: () => Promise<void>;
  /** Called with each try, and with how many requests were in flight with it, itself included. */
  readonly onReceived?: (received: Received, inFlight: number) => void;
};

export type Lanes = {
  open(): Lane;
  /** Sends the bytes until a response does not ask to wait: each try is an exchange, the last one is the result. A POST without a response is not sent again. */
  send(sent: Sent, options?: SendOptions): Promise<readonly Received[]>;
};

const outgoingOf = ({ method, target, headers, body, framing }: Sent, trace: string | undefined): Outgoing => ({
  ...{ method, path: target, query: '', body },
  headers: trace === undefined ? headers : [...headers, ['traceparent', trace]],
  ...(framing === 'length' ? {} : { [framing]: true }),
});

type Before = { readonly waits: number; readonly trace: string | undefined };

function receivedOf(sent: Sent, { number, timings, outcome, retried }: Attempted, { waits, trace }: Before): Received {
  const times = { at: timings.startedAt, done: timings.startedAt + timings.duration };
  const base = {
    number,
    sent,
    ...times,
    waits,
    ...(retried ? { isRetried: true as const } : {}),
    ...(trace === undefined ? {} : { trace }),
  };
  if (outcome.kind === 'failed') {
    const { failure } = outcome;
    return { ...base, response: undefined, failure, isUnread: failure.reason === 'too_large' };
  }
  const { json } = outcome.answer;
  return { ...base, response: outcome.answer, failure: undefined, isUnread: !json.ok && json.unread === true };
}

export function createLanes(client: Pick<Client, 'connect' | 'send'>): Lanes {
  /** The connection of the last `young` request, which the next one uses up. */
  let youngLane: Lane | undefined;
  const nextTrace = createTraceparents();

  function open(): Lane {
    const connection = client.connect();
    return { connection, close: () => connection.close() };
  }

  async function onYoung<Result>(send: (lane: Lane) => Promise<Result>): Promise<Result> {
    const second = youngLane;
    youngLane = undefined;
    const own = second ?? open();
    try {
      return await send(own);
    } finally {
      if (second === undefined && youngLane === undefined) youngLane = own;
      else await own.close();
    }
  }

  return {
    open,
    async send(sent, { lane, atOnce = false, isUncounted = false, admit, onReceived }: SendOptions = {}) {
      const tries: Received[] = [];
      const trace = nextTrace();
      const sendOn = (where: { readonly kept: boolean } | { readonly connection: Dispatcher }): Promise<unknown> =>
        client.send(outgoingOf(sent, trace), {
          ...where,
          ...{ atOnce, isUncounted, once: isUncounted },
          ...(admit === undefined ? {} : { admit }),
          onAttempt(attempted) {
            const received = receivedOf(sent, attempted, { waits: tries.length, trace });
            tries.push(received);
            onReceived?.(received, attempted.inFlight);
          },
        });
      if (sent.connection === 'young') await onYoung(({ connection }) => sendOn({ connection }));
      else if (sent.connection === 'fresh') await sendOn({ kept: false });
      else await sendOn(lane === undefined ? { kept: true } : { connection: lane.connection });
      return tries;
    },
  };
}
