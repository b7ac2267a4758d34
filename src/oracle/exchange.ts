// One exchange of the history: the bytes that were sent, the response to the letter, and what can be read of it.

import type { PetView } from '../schema/pet.ts';
import type { Received } from '../session/history.ts';
import type { Sent } from '../session/vector.ts';
import { type HttpResponse, shownBody } from '../wire/exchange.ts';
import { cleanText } from '../wire/redact.ts';
import type { Facts } from './facts.ts';

/** What can be read of a response, however it is worded (readers.ts). */
export type Read = {
  readonly response: HttpResponse | undefined;
  /** The animals of a list, and how many items it has, readable or not. */
  readonly pets: readonly PetView[] | undefined;
  readonly size: number;
  /** The animal of a read or a creation. */
  readonly pet: PetView | undefined;
  /** Whether it is read as the document words it although it is worded otherwise. */
  readonly hasDeparture: boolean;
};

export type Exchange = Received & { readonly facts: Facts; readonly status: number | undefined; readonly read: Read };

export const exchangeWithoutResponse = (sent: Sent, facts: Facts): Exchange => ({
  ...{ number: Number.POSITIVE_INFINITY, sent, facts, at: Number.POSITIVE_INFINITY, done: Number.POSITIVE_INFINITY },
  ...{ response: undefined, failure: undefined, isUnread: false, waits: 0, status: undefined },
  read: { response: undefined, pets: undefined, size: 0, pet: undefined, hasDeparture: false },
});

export const hasKey = ({ facts }: Exchange): boolean => facts.credential.kind === 'valid';

/** Whether the document shows such a request: other rules than those that name it do not judge any other. */
export const isDocumented = ({ facts }: Exchange): boolean => facts.path === 'documented' && facts.client.kind !== 'undocumented';

export const isCreation = ({ facts }: Exchange): boolean => facts.operation === 'createPet';

export const isSameOperation = (one: Exchange, other: Exchange): boolean => one.facts.operation === other.facts.operation;
export const isOverlapping = (one: Exchange, other: Exchange): boolean => one !== other && one.at < other.done && other.at < one.done;

export const animalsShownIn = ({ read: { pet, pets = [] } }: Exchange): readonly PetView[] => (pet === undefined ? pets : [pet]);

const SHORT = 160;

/** `GET /pets?limit=5`, as a person writes it. */
export const describe = ({ sent: { method, target } }: Exchange): string => cleanText(`${method} ${target}`, SHORT);

/** A text as JSON, with combining marks as escapes: texts that look the same may be spelled otherwise. */
export const quoted = (text: string): string =>
  JSON.stringify(text).replace(/\p{Mn}/gu, (mark) => `\\u${(mark.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);

/** The status and the start of the body, in one line. */
export function describeReceived({ response, failure }: Exchange): string {
  if (response === undefined) return `no complete response (${failure?.message ?? 'it was not read'})`;
  const text = shownBody(response);
  const body =
    text === undefined
      ? `${response.size} bytes that are not UTF-8`
      : text === ''
        ? 'no body'
        : cleanText(text, SHORT).replace(/\s+/g, ' ');
  return `${response.status} ${body}`;
}

export const bodyTextOf = ({ sent: { body } }: Exchange): string => (body === undefined ? '' : Buffer.from(body).toString('utf8'));

export const headersOf = (response: HttpResponse, wanted: string): readonly string[] =>
  response.headers.filter(([name]) => name === wanted).map(([, value]) => value.trim());
