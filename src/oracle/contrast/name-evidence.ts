// What creations with parts of a name show: which of its characters a service changes, rejects, or loses.

import { plainNameIn } from '../../session/names.ts';
import type { BlamedCase } from '../blame.ts';
import type { Event, World } from '../world.ts';
import type { Contrast } from './contrast.ts';
import { FOLLOW_UP } from './follow-up-evidence.ts';

/** Characters that a reader does not see, in words. */
const UNSEEN: Readonly<Record<string, string>> = { ' ': 'a space', '\t': 'a tab', '\n': 'a line feed', '\r': 'a carriage return' };

/** Characters in words that complete "a name that begins with …". */
function shown(characters: string): string {
  const unseen = UNSEEN[characters];
  if (unseen !== undefined) return unseen;
  if (/^[\p{L}\p{N}\p{P}\p{S}](?:[\p{L}\p{N}\p{P}\p{S} ]*[\p{L}\p{N}\p{P}\p{S}])?$/u.test(characters))
    return characters.includes('`') ? JSON.stringify(characters) : `\`${characters}\``;
  return Array.from(characters, (one) => UNSEEN[one] ?? `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`).join(
    ' and ',
  );
}

/** A creation that made an animal or was rejected, and whether that, or what was read of the animal, is broken. */
type Named = { readonly event: Event; readonly name: string; readonly broken: boolean };

function namedIn(events: readonly Event[], cases: readonly BlamedCase[]): readonly Named[] {
  const breaches = cases.filter(({ breach }) => breach !== undefined);
  const broken = new Set(breaches.map(({ event }) => event.number));
  const animals = new Set(
    breaches.flatMap(({ event, animal }) => animal ?? (event.intent.operation === 'getPet' ? (event.intent.petId ?? []) : [])),
  );
  return events.flatMap((event): Named[] => {
    const { operation, sent } = event.intent;
    if (operation !== 'createPet' || sent === undefined) return [];
    return [{ event, name: sent.name, broken: broken.has(event.number) || (event.pet !== undefined && animals.has(event.pet.id)) }];
  });
}

type Place = { readonly characters: string; readonly says: string; readonly holds: (name: string) => boolean };

/** More than so many characters are no reason that a reader understands. */
const MOST_CHARACTERS = 8;

/** Which few characters a name has before and behind the letters of the run. */
function placeOf({ name }: Named, tag: string): Place | undefined {
  const plain = plainNameIn(name, tag);
  if (plain === undefined) return undefined;
  const start = name.indexOf(plain);
  const [before, behind] = [name.slice(0, start), name.slice(start + plain.length)];
  const characters = `${before}${behind}`;
  const length = [...characters].length;
  if (length === 0 || length > MOST_CHARACTERS) return undefined;
  const edges = [...(before === '' ? [] : [`begins with ${shown(before)}`]), ...(behind === '' ? [] : [`ends with ${shown(behind)}`])];
  return {
    characters,
    says: `with a name that ${edges.join(' and ')}`,
    holds: (other) => other.startsWith(before) && other.endsWith(behind),
  };
}

/** Whether the characters stand between two names. */
function isBetween(characters: string, { name }: Named): boolean {
  const [one, other, ...more] = name.split(characters);
  return one !== '' && one === other && more.length === 0;
}

/**
 * For which characters of names a clause is broken, as creations with parts of a name show it. Undefined if they do not, or if the run contradicts them:
 * each broken name of the run has these characters there, and no other has.
 */
export function contrastOfNames(cases: readonly BlamedCase[], world: World): Contrast | undefined {
  const { runTag } = world.known;
  const all = namedIn(world.events, cases);
  const asked = all.filter(({ event }) => event.asker === FOLLOW_UP.name);
  // The last one that is broken has the fewest.
  const whole = asked.findLast((one) => one.broken && placeOf(one, runTag) !== undefined);
  const at = whole && placeOf(whole, runTag);
  if (whole === undefined || at === undefined) return undefined;
  const { characters } = at;
  const isAnywhere = asked.some((one) => one.broken && isBetween(characters, one));
  const { says, holds } = isAnywhere
    ? { says: `with ${shown(characters)} in the name`, holds: (name: string) => name.includes(characters) }
    : at;
  const countOf = (some: readonly Named[]) => ({ broken: some.filter(({ broken }) => broken).length, of: some.length });
  const [there, elsewhere] = [countOf(all.filter(({ name }) => holds(name))), countOf(all.filter(({ name }) => !holds(name)))];
  if (there.broken < there.of || elsewhere.broken > 0) return undefined;
  const byLength = asked.filter(({ broken }) => !broken).toSorted((a, b) => a.name.length - b.name.length);
  const nearest = byLength[0] ?? all.find(({ event, broken }) => event.intent.body === 'plain' && !broken);
  return { when: says, there, elsewhere, unit: 'response', broken: whole.event, twin: nearest?.event, asked: true };
}
