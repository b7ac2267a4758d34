// How what the document leaves open is asked: by requests that are plain in all else, whatever other rows have made of it before.

import { type Exchange, hasKey } from '../../src/oracle/exchange.ts';
import type { Open } from '../../src/oracle/rule.ts';
import type { World } from '../../src/oracle/world.ts';
import type { Sent } from '../../src/session/vector.ts';
import { USER_AGENT } from '../../src/wire/exchange.ts';
import type { Json } from '../../src/wire/json.ts';
import { oncePerObject } from '../../src/wire/once.ts';

export type Observe = Open['observe'];
export type Asks = (exchange: Exchange, world: World) => boolean;
export type AnswerOf = (exchange: Exchange) => string;

/** Its name in behavior.json, which request asks it, and what the response answers, if it answers in words of its own. */
export type Question = readonly [name: string, asks: Asks, answerOf?: AnswerOf];

export const NO_RESPONSE = 'no complete response';

/** The answer to each question, of the first or the last request that asks it: one that got a response before one that got none. */
export const answersOf =
  (questions: readonly Question[], usual: AnswerOf, place: 'first' | 'last'): Observe =>
  (exchanges, world) =>
    questions.flatMap(([question, asks, answerOf = usual]) => {
      const asking = exchanges.filter((one) => asks(one, world));
      const answered = asking.filter(({ response }) => response !== undefined);
      const exchange = (answered.length > 0 ? answered : asking).at(place === 'first' ? 0 : -1);
      return exchange === undefined ? [] : [{ question, answer: answerOf(exchange) }];
    });

const HEADERS = /^accept user-agent(?: content-type)?(?: authorization)?$/;
export const headerOf = ({ headers }: Sent, wanted: string): string | undefined => headers.find(([name]) => name === wanted)?.[1];

/** Whether nothing about the client is special, apart from its credential and the media type of its body. */
export const isPlain = oncePerObject(
  (sent: Sent): boolean =>
    HEADERS.test(sent.headers.map(([name]) => name).join(' ')) &&
    headerOf(sent, 'accept') === 'application/json' &&
    headerOf(sent, 'user-agent') === USER_AGENT &&
    sent.framing === 'length',
);

export const isPlainGet = ({ sent }: Exchange): boolean => sent.method === 'GET' && isPlain(sent);

/** A plain GET with the key for that target. */
export const asksFor =
  (target: string): Asks =>
  (one) =>
    one.sent.target === target && isPlainGet(one) && hasKey(one);

export const jsonOf = ({ read: { response } }: Exchange): Json | undefined =>
  response?.json.ok === true ? response.json.value : undefined;
export const statusOf = ({ read: { response } }: Exchange): number | undefined => response?.status;
