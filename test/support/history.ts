// Histories for tests of rules over rows.

import type { Exchange } from '../../src/oracle/exchange.ts';
import { createWorld, type Run, type World } from '../../src/oracle/world.ts';
import type { Received, Unsent } from '../../src/session/history.ts';
import type { Header, Sent } from '../../src/session/vector.ts';
import { readBody } from '../../src/wire/body.ts';
import { type HttpResponse, type TransportFailure, USER_AGENT } from '../../src/wire/exchange.ts';
import { writeJson } from '../../src/wire/json.ts';

export const KEY = 'pk-7Hq2XvR9sLmT4wZa';
const JSON_TYPE: Header = ['content-type', 'application/json'];

export type Asked = {
  readonly target?: string;
  /** A creation: a value, a text, or bytes. */
  readonly body?: unknown;
  /** In place of the usual ones with these names, or in addition. */
  readonly headers?: readonly Header[];
  /** Undefined for no Authorization header. */
  readonly credential?: string | undefined;
  readonly client?: { readonly without: readonly string[] };
  readonly framing?: Sent['framing'];
};
/** A body as a value, or as it is written. */
export type Answered = {
  readonly status: number;
  readonly body?: unknown;
  readonly text?: string | Uint8Array;
  readonly headers?: readonly Header[];
  readonly connection?: number;
};
/** What came instead of a response, where it is not that none came in time. */
export type Failed = { readonly failure: Partial<TransportFailure> };

const USUAL: readonly Header[] = [
  ['accept', 'application/json'],
  ['user-agent', USER_AGENT],
];

function bytesOf(body: unknown): Uint8Array | undefined {
  if (body === undefined || body instanceof Uint8Array) return body;
  return new TextEncoder().encode(typeof body === 'string' ? body : writeJson(body));
}

function sentOf({ target = '/pets', body, headers = [], client, framing = 'length', ...asked }: Asked): Sent {
  const credential = 'credential' in asked ? asked.credential : `Bearer ${KEY}`;
  const own = headers.map(([name]) => name);
  return {
    method: body === undefined ? 'GET' : 'POST',
    target,
    headers: [
      ...USUAL.filter(([name]) => !own.includes(name) && client?.without.includes(name) !== true),
      ...(body === undefined || own.includes('content-type') || client?.without.includes('content-type') === true ? [] : [JSON_TYPE]),
      ...(credential === undefined ? [] : [['authorization', credential] as const]),
      ...headers,
    ],
    body: bytesOf(body),
    framing,
    connection: 'kept',
  };
}

function responseOf({
  status,
  body,
  text = body === undefined ? '' : writeJson(body),
  headers = [JSON_TYPE],
  connection,
}: Answered): HttpResponse {
  const facts = connection === undefined ? {} : { connection: { id: connection, turn: 1 } };
  return { status, headers, ...readBody(Buffer.from(text)), ...facts };
}

const NO_RESPONSE: TransportFailure = { reason: 'timeout', message: 'no response within 3 s', stale: false };

const SECOND = 1_000;

/** A history, one exchange a second unless `at` says when; each takes 10 ms. */
export function history(run: Partial<Run> = {}) {
  const world = createWorld({
    apiKey: KEY,
    baseUrl: 'http://localhost/v1',
    now: new Date('2026-01-01'),
    window: 500,
    leftoverIds: [],
    ...run,
  });
  let number = 0;
  return {
    /** Undefined for no response. */
    add(asked: Asked, answered: Answered | Failed | undefined, at = number * SECOND): void {
      number += 1;
      const received: Received = {
        number,
        sent: sentOf(asked),
        at,
        done: at + 10,
        ...(answered !== undefined && 'status' in answered
          ? { response: responseOf(answered), failure: undefined }
          : { response: undefined, failure: { ...NO_RESPONSE, ...answered?.failure } }),
        isUnread: false,
        waits: 0,
      };
      world.add(received);
    },
    /** A row that is not sent. */
    skip: (asked: Asked, why: Unsent['why'], missing: string, needs?: number): void =>
      world.skip({ vector: { op: 'list' }, sent: sentOf(asked), why, missing, ...(needs === undefined ? {} : { needs }) }),
    now: (): World => world.now(),
    /** The last exchange. */
    last(): Exchange {
      const last = world.now().all.at(-1);
      if (last === undefined) throw new Error('nothing was sent');
      return last;
    },
  };
}

export const NAME = 'ConformanceTestAaaa';
export const error = (status: number): Answered => ({ status, body: { code: 'x', message: 'x', status } });
export const pet = (id: number, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => ({
  id,
  name: NAME,
  categoryId: 3,
  status: 'sold',
  ...more,
});
