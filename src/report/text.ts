import { cleanText } from '../wire/redact.ts';
import { inSeconds } from '../wire/wording.ts';

/** Characters of one text field; bodies have limits of their own. */
export const LONGEST_FIELD = 2_000;
/** A cut command would do something else. */
export const LONGEST_COMMAND = 10_000;

/** A text made safe and bounded, with its line breaks kept. Records are clean already, but a report does not rely on it. */
export function plain(text: string, longest = LONGEST_FIELD): string {
  return cleanText(text, longest).replace(/[\u2028\u2029]/g, '\n');
}

/** A text made safe and bounded, in one line. */
export function oneLine(text: string, longest = LONGEST_FIELD): string {
  return shorten(
    cleanText(text, longest * 2)
      .replace(/\s+/g, ' ')
      .trim(),
    longest,
  );
}

/** The start of a text, with an ellipsis when it is cut; never half a character. */
export function shorten(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `${text
    .slice(0, Math.max(0, longest - 1))
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd()}…`;
}

/** A text as prose and code in turn, prose first: code is between backticks. All of it is prose where one of them has no partner. */
export function codeSpans(text: string): readonly string[] {
  const parts = text.split('`');
  return parts.length % 2 === 1 ? parts : [text];
}

/** `1 animal`, `2 animals`, `12,000 animals`. */
export function count(amount: number, one: string, many = `${one}s`): string {
  return `${thousands(amount)} ${amount === 1 ? one : many}`;
}

/** Digits in groups of three, whatever the locale of the machine. */
export function thousands(amount: number): string {
  return String(amount).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Milliseconds for people: `12 ms`, `3.4 s`, `2 min 5 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 59_950) return inSeconds(milliseconds);
  const seconds = Math.round(milliseconds / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
