// Names of animals that no run uses twice.

import { oncePer } from '../wire/once.ts';

const LONGEST = 20;
/** Matches every plain name, and some names that are unusual as a whole. */
export const PLAIN_NAME = /^[A-Za-z]{1,20}$/;
const LETTERS = 26;
/** Letters at the end of a name of the run. */
export const COUNTER_LETTERS = 4;
const A = 'a'.charCodeAt(0);
/** A number that no run reaches by counting. */
export const SPARE_NAMES = LETTERS ** COUNTER_LETTERS - 1_000;

/** The letter case of plain names: a capital, then small letters, which most services accept and none that folds case keeps; or the one that a service requires. */
export type NameForm = 'capitalized' | 'lower' | 'upper';

export function inForm(text: string, form: NameForm): string {
  switch (form) {
    case 'capitalized':
      return `${text.charAt(0).toUpperCase()}${text.slice(1).toLowerCase()}`;
    case 'lower':
      return text.toLowerCase();
    case 'upper':
      return text.toUpperCase();
    default:
      return form satisfies never;
  }
}

/** The other letter case that all names share: the service may require it. Undefined if they share none, or are not of letters. */
export function otherFormOf(names: readonly string[]): NameForm | undefined {
  const spelled = names.filter((name) => /\p{Lu}|\p{Ll}/u.test(name));
  const shares = (form: NameForm): boolean => spelled.length > 0 && spelled.every((name) => name === inForm(name, form));
  return (['lower', 'upper'] as const).find(shares);
}

function letters(value: number, length: number): string {
  let text = '';
  for (let rest = value, place = 0; place < length; place += 1) {
    text = String.fromCharCode(A + (rest % LETTERS)) + text;
    rest = Math.floor(rest / LETTERS);
  }
  return text;
}

/** Lists of thousands of animals are searched for them. */
const ofRun = oncePer((tag: string) => new RegExp(`${tag}[a-z]{${COUNTER_LETTERS}}`, 'i'));

/** The first plain name of the run with this tag in a text, whatever surrounds it, with all letters before the tag. */
export function plainNameIn(text: string, tag: string): string | undefined {
  const match = ofRun(tag).exec(text);
  if (match === null) return undefined;
  // Found first, and extended backwards: a pattern that begins with letters takes quadratic time on a name of a hundred thousand letters.
  let start = match.index;
  while (start > 0 && /[a-z]/i.test(text.charAt(start - 1))) start -= 1;
  return text.slice(start, match.index + match[0].length);
}

export type Affixes = { readonly before: string; readonly plain: string; readonly after: string };

export function affixesOf(text: string, tag: string): Affixes | undefined {
  const plain = plainNameIn(text, tag);
  if (plain === undefined) return undefined;
  const start = text.indexOf(plain);
  return { before: text.slice(0, start), plain, after: text.slice(start + plain.length) };
}

const LONGEST_TAG = 5;
const LETTERS_ONLY = /^[A-Za-z]+$/;
/** How the names of all runs begin. */
export const PREFIX = 'conformance';

const stemOf = (prefix: string, tagLetters: number): string => prefix.slice(0, LONGEST - COUNTER_LETTERS - tagLetters);

const ofAnyRun = oncePer((prefix: string) => {
  const stem = stemOf(prefix, LONGEST_TAG);
  const most = LONGEST_TAG + COUNTER_LETTERS;
  // A short prefix begins many a word.
  const least = stem.length + most === LONGEST ? 1 + COUNTER_LETTERS : most;
  return new RegExp(`${stem}[a-z]{${least},${most}}`, 'gi');
});

/** The plain names in a text that are of whatever run had this prefix: its tag is unknown, and its letter case too (up to 2.0, capitals were in the middle). */
export const plainNamesWith = (prefix: string, text: string): readonly string[] =>
  LETTERS_ONLY.test(prefix) ? [...new Set(text.match(ofAnyRun(prefix)))] : [];

/** Whether a name is, or contains, a plain one from another run than the one with this tag. */
export function isNameOfEarlierRun(name: string, runTag: string): boolean {
  return plainNameIn(name, runTag) === undefined && plainNamesWith(PREFIX, name).length > 0;
}

/**
 * Names of the plain domain: ASCII letters only, at most 20, beginning with the prefix, never twice in a run, also when case is ignored.
 * The tag makes them unique to this run; `first` is the number at which they start.
 */
export function createNames({ tag, first = 0 }: { tag: string; first?: number }): (form: NameForm) => string {
  const stem = stemOf(PREFIX, tag.length);
  let count = first;
  return (form) => {
    const counter = letters(count, COUNTER_LETTERS);
    count += 1;
    return inForm(`${stem}${tag}${counter}`, form);
  };
}
