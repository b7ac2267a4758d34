// What creations with parts of a name show: which of its characters a service changes, rejects, or loses.

import { affixesOf } from '../../session/names.ts';
import type { BlamedCase } from '../blame.ts';
import type { Event, World } from '../world.ts';
import type { Contrast } from './contrast.ts';
import { FOLLOW_UP } from './follow-up-evidence.ts';

/** Characters that a reader does not see, in words. */
const UNSEEN: Readonly<Record<string, string>> = {
  ' ': 'a space',
  '\t': 'a tab',
  '\n': 'a line feed',
  '\r': 'a carriage return',
  '`': 'a backtick',
};

const isVisible = (character: string): boolean =>
  /[\p{L}\p{N}\p{P}\p{S}]/u.test(character) && !/\p{Default_Ignorable_Code_Point}/u.test(character) && character !== '`';

function shown(characters: string): string {
  const all = Array.from(characters);
  if (all.every((one, place) => isVisible(one) || (one === ' ' && place > 0 && place < all.length - 1))) return `\`${characters}\``;
  const codeOf = (one: string): string => `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  return all.map((one) => (isVisible(one) ? `\`${one}\`` : (UNSEEN[one] ?? codeOf(one)))).join(' and ');
}

/** A creation with the API key, and whether its response, or what was read of its animal, is broken. */
type Named = { readonly event: Event; readonly name: string; readonly broken: boolean };

/** Creations that tell something about names: with a response and, if the broken ones made animals, only those that made one. */
function namedIn(events: readonly Event[], cases: readonly BlamedCase[]): readonly Named[] {
  const breaches = cases.filter(({ breach }) => breach !== undefined);
  const broken = new Set(breaches.map(({ event }) => event.number));
  const animals = new Set(
    breaches.flatMap(({ event, animal }) => animal ?? (event.intent.operation === 'getPet' ? (event.intent.petId ?? []) : [])),
  );
  const all = events.flatMap((event): Named[] => {
    const { operation, credential, sent } = event.intent;
    if (operation !== 'createPet' || credential !== 'valid' || sent === undefined || event.response === undefined) return [];
    return [{ event, name: sent.name, broken: broken.has(event.number) || (event.pet !== undefined && animals.has(event.pet.id)) }];
  });
  const areAnimals = all.every((one) => !one.broken || one.event.pet !== undefined);
  return areAnimals ? all.filter(({ event }) => event.pet !== undefined) : all;
}

type Affix = { readonly characters: string; readonly says: string; readonly holds: (name: string) => boolean };

/** More than so many characters are no reason that a reader understands. */
const MOST_CHARACTERS = 8;

function affixOf({ name }: Named, tag: string): Affix | undefined {
  const { before = '', after = '' } = affixesOf(name, tag) ?? {};
  const characters = `${before}${after}`;
  const length = [...characters].length;
  if (length === 0 || length > MOST_CHARACTERS) return undefined;
  const edges = [...(before === '' ? [] : [`begins with ${shown(before)}`]), ...(after === '' ? [] : [`ends with ${shown(after)}`])];
  return {
    characters,
    says: `with a name that ${edges.join(' and ')}`,
    holds: (other) => other.startsWith(before) && other.endsWith(after),
  };
}

function isBetween(characters: string, { name }: Named): boolean {
  const [one, other, ...more] = name.split(characters);
  return one !== '' && one === other && more.length === 0;
}

/** Creations and reads of their animals show what is wrong, as they do where names are sent once more. */
const SHOWN_AGAIN: readonly string[] = ['createPet', 'getPet'];

/** Whether animals with a name that was broken are all right where they are created once more, as their responses and reads show. */
export function isRefutedByNames(cases: readonly BlamedCase[], { events, known: { runTag } }: World): boolean {
  if (cases.some(({ breach, event }) => breach !== undefined && !SHOWN_AGAIN.includes(event.intent.operation))) return false;
  const around = ({ name }: Named): string => {
    const { before, after } = affixesOf(name, runTag) ?? {};
    return JSON.stringify([before, after]);
  };
  const all = namedIn(events, cases);
  const wrong = new Set(all.flatMap((one) => (one.broken && one.event.asker !== FOLLOW_UP.name ? [around(one)] : [])));
  const read = new Set(events.flatMap(({ intent, pet, asker }) => (asker === FOLLOW_UP.name && pet !== undefined ? [intent.petId] : [])));
  const again = all.filter((one) => one.event.asker === FOLLOW_UP.name && wrong.has(around(one)));
  return again.length > 1 && again.every(({ broken, event: { pet } }) => !broken && pet !== undefined && read.has(pet.id));
}

/**
 * For which characters of names a clause is broken, as creations with parts of a name show it. Undefined if they do not, or if the run contradicts them:
 * each broken name of the run has these characters there, and no other has.
 */
export function contrastOfNames(cases: readonly BlamedCase[], world: World): Contrast | undefined {
  const { runTag } = world.known;
  const all = namedIn(world.events, cases);
  const asked = all.filter(({ event }) => event.asker === FOLLOW_UP.name);
  // Each part that is broken is shorter than the one before.
  const shortest = asked.findLast((one) => one.broken && affixOf(one, runTag) !== undefined);
  const affix = shortest && affixOf(shortest, runTag);
  if (shortest === undefined || affix === undefined) return undefined;
  const { characters } = affix;
  const isAnywhere = asked.some((one) => one.broken && isBetween(characters, one));
  const { says, holds } = isAnywhere
    ? { says: `with ${shown(characters)} in the name`, holds: (name: string) => name.includes(characters) }
    : affix;
  const countOf = (some: readonly Named[]) => ({ broken: some.filter(({ broken }) => broken).length, of: some.length });
  const [there, elsewhere] = [countOf(all.filter(({ name }) => holds(name))), countOf(all.filter(({ name }) => !holds(name)))];
  if (there.broken < there.of || elsewhere.broken > 0) return undefined;
  const right = asked.filter(({ broken }) => !broken).toSorted((a, b) => a.name.length - b.name.length);
  const twin = right[0] ?? all.find(({ event, broken }) => event.intent.body === 'plain' && !broken);
  return { when: says, there, elsewhere, unit: 'response', broken: shortest.event, twin: twin?.event, asked: true };
}
