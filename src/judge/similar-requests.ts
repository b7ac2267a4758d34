// Requests like earlier ones of the run: reads as they were, and creations each for another animal, so that none is sent twice.

import type { Event } from '../oracle/world.ts';
import type { NewPetInput } from '../schema/pet.ts';
import type { CallOptions } from '../session/client/api.ts';
import { COUNTER_LETTERS, plainNameIn } from '../session/names.ts';
import type { OpenSession } from '../session/open-session.ts';
import type { Exchange, WireRequest } from '../wire/exchange.ts';
import { writeJson } from '../wire/json.ts';

/** Sends a request unless the time for follow-up requests is over. */
export type Send = (what: WireRequest, asker: string, options?: Pick<CallOptions, 'connection'>) => Promise<Exchange | undefined>;

export type Asking = {
  readonly open: OpenSession;
  readonly events: readonly Event[];
  readonly send: Send;
  readonly isBroken: (exchange: Exchange) => boolean;
  readonly isMostly: boolean;
};

/** The plainest request of a kind: the one with the fewest header fields; the first of several. */
export function plainest(events: readonly Event[]): Event | undefined {
  const plain = events.filter(
    ({ intent, exchange: { request } }) => intent.undocumented !== true && request.chunked !== true && request.divided !== true,
  );
  return plain.toSorted((a, b) => a.exchange.request.headers.length - b.exchange.request.headers.length || a.number - b.number)[0];
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';
function ordersOf(letters: string): readonly string[] {
  if (letters.length < 2) return [letters];
  return [...letters].flatMap((first, place) => ordersOf(letters.slice(0, place) + letters.slice(place + 1)).map((rest) => first + rest));
}

/** Four letters for the end of a name: those of the name in another order, or else others. */
function* countersLike(counter: string): Generator<string> {
  yield* ordersOf(counter.toLowerCase());
  for (const letter of ALPHABET)
    for (const other of ALPHABET) yield `${letter}${counter.slice(1, -2).toLowerCase()}${other}${counter.slice(-1)}`;
}

/** The name of the run in the body of a creation, if another can replace it. */
export function nameIn({ exchange: { request }, intent: { sent } }: Event, open: OpenSession): string | undefined {
  const plain = sent === undefined ? undefined : plainNameIn(sent.name, open.session.options.runTag);
  return plain !== undefined && typeof request.body === 'string' && request.body.includes(plain) ? plain : undefined;
}

export function namesIn(events: readonly Event[], open: OpenSession): Set<string> {
  const names = events.map(({ intent: { sent } }) =>
    sent === undefined ? undefined : plainNameIn(sent.name, open.session.options.runTag),
  );
  return new Set(names.flatMap((name) => name?.toLowerCase() ?? []));
}

/** A name that the run has not used, with the same letters if possible; undefined if it has used all of them. */
export function otherName(plain: string, used: Set<string>): string | undefined {
  const stem = plain.slice(0, -COUNTER_LETTERS);
  const isUpper = plain === plain.toUpperCase();
  const other = countersLike(plain.slice(-COUNTER_LETTERS))
    .map((counter) => `${stem}${isUpper ? counter.toUpperCase() : counter}`)
    .find((name) => !used.has(name.toLowerCase()));
  if (other !== undefined) used.add(other.toLowerCase());
  return other;
}

/** The creation of another animal whose name has the same letters if possible; undefined if the run has used all such names. */
export function creationLike(
  event: Event,
  { open, used }: { readonly open: OpenSession; readonly used: Set<string> },
): WireRequest | undefined {
  const { request } = event.exchange;
  const { sent } = event.intent;
  const plain = nameIn(event, open);
  if (plain === undefined || sent === undefined || typeof request.body !== 'string') return undefined;
  const other = otherName(plain, used);
  if (other === undefined) return undefined;
  const intent = { ...request.intent, sent: { ...sent, name: sent.name.replace(plain, other) } };
  return { ...request, body: request.body.replace(plain, other), intent };
}

export function creationOf({ exchange: { request } }: Event, sent: NewPetInput): WireRequest {
  const { bodyNote: _note, ...intent } = request.intent;
  return { ...request, body: writeJson(sent), intent: { ...intent, sent } };
}
