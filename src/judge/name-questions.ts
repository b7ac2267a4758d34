// Which characters of an unusual name matter: creations with fewer and fewer of them, as one would send them by hand.

import { FOLLOW_UP } from '../oracle/contrast/follow-up-evidence.ts';
import type { Wrong } from '../oracle/oracle.ts';
import { type Event, eventOf } from '../oracle/world.ts';
import { affixesOf } from '../session/names.ts';
import type { WireRequest } from '../wire/exchange.ts';
import { type Asking, creationOf, namesIn, otherName, plainest } from './similar-requests.ts';

/** Animals that one name may take; the last one has in the middle of its name what is left. */
const MOST_ANIMALS = 12;
/** A longer name is a question of its length. */
const MOST_CHARACTERS = 128;

type Sign = { readonly text: string; readonly isBefore: boolean };

/** Of more characters only halves are tried. */
const FEW = 6;

/**
 * What is tried in place of a name, each shorter than it: the edges, because the names of the suite have signs there; halves, also the middle, because
 * several characters may matter that halves cut apart; and in the end all but the first or the last character.
 */
function partsOf(signs: readonly Sign[], isWhole = false): readonly (readonly Sign[])[] {
  const size = Math.ceil(signs.length / 2);
  const [quarter, from] = [signs.length >> 2, signs.length - size];
  const parts = [
    ...(isWhole ? [[...signs.slice(0, 1), ...signs.slice(-1)]] : []),
    ...[signs.slice(0, size), signs.slice(from), signs.slice(quarter, quarter + size)],
    ...(signs.length > FEW ? [] : [signs.slice(1), signs.slice(0, -1)]),
  ];
  const keyOf = (some: readonly Sign[]): string => some.map(({ text, isBefore }) => `${text}${isBefore}`).join();
  const shorter = parts.filter((some) => some.length > 0 && some.length < signs.length);
  return [...new Map(shorter.map((some) => [keyOf(some), some])).values()];
}

function birthOf({ event }: Wrong, { open }: Asking): Event | undefined {
  const { operation, petId } = event.intent;
  if (operation === 'createPet') return event;
  const created = petId === undefined ? undefined : open.session.knowledge.created.get(String(petId));
  return created === undefined ? undefined : eventOf(created.exchange);
}

function readOf(events: readonly Event[], petId: bigint): WireRequest | undefined {
  const { request } = plainest(events.filter(({ intent, status }) => intent.operation === 'getPet' && status === 200))?.exchange ?? {};
  return request && { ...request, path: request.path.replace(/[^/]+$/, String(petId)), intent: { ...request.intent, petId } };
}

/**
 * Looks for the characters of an unusual name that matter: halves the name while a half is broken by itself, and sends what is left between two names.
 * The names of these creations are the evidence.
 */
export async function askAboutName(wrong: readonly Wrong[], asking: Asking): Promise<void> {
  const { open, events, send, isBroken } = asking;
  const [like] = wrong.flatMap((one) => {
    const birth = birthOf(one, asking);
    const { body, sent } = birth?.intent ?? {};
    const affixes = body === 'unusual' && sent !== undefined ? affixesOf(sent.name, open.session.options.runTag) : undefined;
    return birth === undefined || sent === undefined || affixes === undefined ? [] : [{ birth, sent, ...affixes }];
  });
  if (like === undefined) return;
  const { birth, sent, before, plain, after } = like;
  const all: readonly Sign[] = [
    ...Array.from(before, (text) => ({ text, isBefore: true })),
    ...Array.from(after, (text) => ({ text, isBefore: false })),
  ];
  const used = namesIn(events, open);
  let left = MOST_ANIMALS;
  let isRead = false;

  /** Whether an animal of that name is broken; undefined if nothing was sent. */
  const isBrokenAs = async (nameOf: (other: string) => string): Promise<boolean | undefined> => {
    const other = left === 0 ? undefined : otherName(plain, used);
    if (other === undefined) return undefined;
    left -= 1;
    isRead = false;
    const name = nameOf(other);
    const creation = await send(creationOf(birth, { ...sent, name }), FOLLOW_UP.name);
    if (creation === undefined) return undefined;
    const { pet } = eventOf(creation);
    if (isBroken(creation)) return true;
    if (pet === undefined) return false;
    const request = readOf(events, pet.id);
    const read = request === undefined ? undefined : await send(request, FOLLOW_UP.name);
    // A store may lag, so an animal that is not there says nothing.
    const shown = read && eventOf(read).pet;
    isRead = shown !== undefined;
    return shown !== undefined && shown.name !== name;
  };
  const textOf = (signs: readonly Sign[], isBefore: boolean): string =>
    signs
      .filter((sign) => sign.isBefore === isBefore)
      .map(({ text }) => text)
      .join('');
  const around = (signs: readonly Sign[]) => (other: string) => `${textOf(signs, true)}${other}${textOf(signs, false)}`;

  // The whole name once more: if that is right, and again, the name was not the reason.
  const isRightAs = async (nameOf: (other: string) => string): Promise<boolean> => (await isBrokenAs(nameOf)) === false && isRead;
  if (((await isRightAs(around(all))) && (await isRightAs(around(all)))) || all.length > MOST_CHARACTERS) return;
  let some = all;
  let [part, ...others] = partsOf(all, true);
  while (part !== undefined && left > 1) {
    const isOfPart = await isBrokenAs(around(part));
    if (isOfPart === undefined) break;
    if (isOfPart) some = part;
    [part, ...others] = isOfPart ? partsOf(part) : others;
  }
  if (some.length === all.length && all.length > 1) return;
  const text = some.map((sign) => sign.text).join('');
  await isBrokenAs((other) => `${other}${text}${other}`);
}
