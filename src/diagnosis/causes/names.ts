// Causes about what a service makes of a name on its way into the store or out of it.
import type { RedactedExchange } from '../../wire/redacted-exchange.ts';
import type { CauseRule, Failure, Sign } from '../cause.ts';
import { describeExchange, numberOf, sentObject, shownAnimals, shownObject, statusOf } from '../exchanges.ts';

type Names = { readonly sent: string; readonly shown: string };

const asName = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The name of the animal with that id where the response shows it: an animal alone, or one of a list. */
function nameIn(exchange: RedactedExchange, id: string): string | undefined {
  const pet = shownObject(exchange);
  if (pet !== undefined) return asName(pet['name']);
  const animal = shownAnimals(exchange).find((text) => numberOf(text, 'id') === id);
  try {
    return asName((JSON.parse(animal ?? '{}') as { readonly name?: unknown }).name);
  } catch {
    return undefined;
  }
}

/** Undefined where one of them can't be read, or they are the same. */
function namesIn({ finding, exchange }: Failure): Names | undefined {
  const creation = finding.exchanges.find((one) => one.method === 'POST' && statusOf(one) === 201);
  const sent = creation === undefined ? undefined : asName(sentObject(creation)?.['name']);
  const id = creation?.answer.kind === 'answered' ? numberOf(creation.answer.body, 'id') : undefined;
  const shown = id === undefined ? undefined : nameIn(exchange, id);
  return sent === undefined || shown === undefined || shown === sent ? undefined : { sent, shown };
}

/** What programs do to texts. `says` completes "Names are". */
type Change = { readonly says: string; readonly advice: string; readonly apply: (name: string) => string };

const decoded = (name: string): string => {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
};

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (name: string): string => name.replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign);

const AT_OUTPUT = 'Store names as they are sent, and escape them where a page or a query is made of them';
const NOT_FOR_NAMES = 'Compare and index a changed copy if you must, and keep the name itself as it was sent';
const UTF8 = 'Let the connection, the table, and the writer of responses use UTF-8 throughout (MySQL: utf8mb4)';

/** The narrower change stands before the wider one: of two that do the same to every name that was seen, the first is named. */
const CHANGES: readonly Change[] = [
  { says: 'trimmed of line ends and tabs at the end', advice: NOT_FOR_NAMES, apply: (name) => name.replace(/[\t\r\n]+$/, '') },
  { says: 'trimmed at the end', advice: 'Use a text column that keeps trailing spaces (CHAR does not)', apply: (name) => name.trimEnd() },
  { says: 'trimmed', advice: NOT_FOR_NAMES, apply: (name) => name.trim() },
  { says: 'shown with a space in place of each tab', advice: NOT_FOR_NAMES, apply: (name) => name.replaceAll('\t', ' ') },
  { says: 'shown with line feeds in place of other line ends', advice: NOT_FOR_NAMES, apply: (name) => name.replace(/\r\n?/g, '\n') },
  { says: 'shown with runs of white space as one space', advice: NOT_FOR_NAMES, apply: (name) => name.replace(/\s+/g, ' ') },
  { says: 'trimmed, and runs of white space become one space', advice: NOT_FOR_NAMES, apply: (name) => name.trim().replace(/\s+/g, ' ') },
  {
    says: "limited to Unicode's basic plane: emoji become question marks",
    advice: UTF8,
    apply: (name) => name.replace(/[\u{10000}-\u{10ffff}]/gu, '?'),
  },
  {
    says: "limited to Unicode's basic plane: emoji are removed",
    advice: UTF8,
    apply: (name) => name.replace(/[\u{10000}-\u{10ffff}]/gu, ''),
  },
  {
    says: 'limited to Latin-1: other characters become question marks',
    advice: UTF8,
    apply: (name) => name.replace(/[^\0-\xff]/gu, '?'),
  },
  { says: 'limited to ASCII: other characters become question marks', advice: UTF8, apply: (name) => name.replace(/[^\0-\x7f]/gu, '?') },
  { says: 'converted to lower case', advice: NOT_FOR_NAMES, apply: (name) => name.toLowerCase() },
  { says: 'converted to upper case', advice: NOT_FOR_NAMES, apply: (name) => name.toUpperCase() },
  {
    says: 'capitalized',
    advice: NOT_FOR_NAMES,
    apply: (name) => name.slice(0, 1).toUpperCase() + name.slice(1).toLowerCase(),
  },
  { says: 'normalized to Unicode form NFC', advice: NOT_FOR_NAMES, apply: (name) => name.normalize('NFC') },
  { says: 'normalized to Unicode form NFD', advice: NOT_FOR_NAMES, apply: (name) => name.normalize('NFD') },
  { says: 'normalized to Unicode form NFKC', advice: NOT_FOR_NAMES, apply: (name) => name.normalize('NFKC') },
  { says: 'stripped of accents', advice: NOT_FOR_NAMES, apply: (name) => name.normalize('NFD').replace(/\p{Mn}/gu, '') },
  { says: 'read as Latin-1 though they are UTF-8', advice: UTF8, apply: (name) => Buffer.from(name).toString('latin1') },
  { says: 'stripped of control characters', advice: NOT_FOR_NAMES, apply: (name) => name.replace(/\p{Cc}/gu, '') },
  {
    says: 'stripped of zero-width characters and direction marks',
    advice: NOT_FOR_NAMES,
    apply: (name) => name.replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, ''),
  },
  { says: 'stripped of invisible characters', advice: NOT_FOR_NAMES, apply: (name) => name.replace(/\p{Cf}/gu, '') },
  { says: 'truncated at a NUL character', advice: 'Handle names as texts with a length', apply: (name) => name.split('\0', 1)[0] ?? '' },
  { says: 'escaped for HTML', advice: AT_OUTPUT, apply: escaped },
  { says: 'escaped for HTML', advice: AT_OUTPUT, apply: (name) => escaped(name).replaceAll("'", '&#39;') },
  {
    says: 'decoded from HTML',
    advice: AT_OUTPUT,
    apply: (name) => name.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
  },
  { says: 'stripped of what looks like tags', advice: AT_OUTPUT, apply: (name) => name.replace(/<[^>]*>/g, '') },
  { says: 'percent-decoded', advice: 'Decode paths and queries only, never values from a JSON body', apply: decoded },
  {
    says: 'decoded like a form: a plus sign becomes a space',
    advice: 'Decode paths and queries only, never values from a JSON body',
    apply: (name) => name.replaceAll('+', ' '),
  },
  { says: 'shown with doubled single quotes', advice: AT_OUTPUT, apply: (name) => name.replaceAll("'", "''") },
  { says: 'shown with a backslash before each quote', advice: AT_OUTPUT, apply: (name) => name.replace(/['"]/g, '\\$&') },
  { says: 'stripped of backslashes', advice: AT_OUTPUT, apply: (name) => name.replaceAll('\\', '') },
  {
    says: 'shown with straight quotes in place of curly ones',
    advice: NOT_FOR_NAMES,
    apply: (name) => name.replace(/[\u201c\u201d]/g, '"').replace(/[\u2018\u2019]/g, "'"),
  },
  {
    says: 'shown with an apostrophe before what a spreadsheet takes for a formula',
    advice: 'Guard against formulas where a spreadsheet is written',
    apply: (name) => name.replace(/^[=@+-]/, "'$&"),
  },
];

const MEASURES: readonly { readonly of: string; readonly length: (name: string) => number }[] = [
  { of: 'characters', length: (name) => name.length },
  { of: 'characters', length: (name) => [...name].length },
  { of: 'bytes', length: (name) => Buffer.byteLength(name) },
];

/** What a cut leaves behind: half a character, or dots in place of the rest. */
const LOOSE_END = /(?:[\ufffd\ud800-\udbff]+|\.\.\.|\u2026)$/;
/** A character has at most four bytes. */
const MOST_LOST = 3;

/** That all are truncated to the same length. */
function cutOf(all: readonly Names[]): Change | undefined {
  const cuts = all.map(({ sent, shown }) => ({ sent, kept: shown.replace(LOOSE_END, ''), isWhole: !LOOSE_END.test(shown) }));
  if (cuts.some(({ sent, kept }) => kept === '' || !sent.startsWith(kept))) return undefined;
  for (const { of, length } of MEASURES) {
    const most = Math.max(...cuts.map(({ kept }) => length(kept)));
    if (!cuts.every(({ kept, isWhole }) => length(kept) === most || (!isWhole && length(kept) >= most - MOST_LOST))) continue;
    const advice = `Store names whole, or reject those of more than ${most} ${of} with 400`;
    return { says: `truncated to ${most} ${of}`, advice, apply: (name) => name };
  }
  return undefined;
}

function changeOf(signs: readonly Sign[]): Change | undefined {
  const all = signs.flatMap(({ failure }) => namesIn(failure) ?? []);
  return CHANGES.find(({ apply }) => all.every(({ sent, shown }) => apply(sent) === shown)) ?? cutOf(all);
}

/** One name may be as it is by chance. */
const LEAST_NAMES = 2;

export const namesAltered: CauseRule = {
  id: 'names-altered',
  title: (signs) => `Names are ${changeOf(signs)?.says}`,
  advice: (signs) => changeOf(signs)?.advice ?? NOT_FOR_NAMES,
  clauses: ['create.unusual-names', 'create.round-trip', 'create.answer', 'record.same-animal', 'get.agrees-with-list'],
  sign: (failure) => (namesIn(failure) === undefined ? undefined : describeExchange(failure.exchange)),
  suffices: (signs) => {
    const sent = new Set(signs.map(({ failure }) => namesIn(failure)?.sent));
    return sent.size >= LEAST_NAMES && changeOf(signs) !== undefined;
  },
};
