import type { Parts } from '../core/parts.ts';
import { type Fault, fault, writing } from './fault.ts';
import { storeName } from './helpers.ts';

const clause = 'create.unusual-names';

function stored(name: string, summary: string, change: (text: string) => string): Fault {
  return fault(`stored-name-${name}`, clause, summary, (parts: Parts) => storeName(parts, change), writing);
}

function cutBytes(text: string, size: number): string {
  return Buffer.from(text).subarray(0, size).toString();
}

/** Names that are answered 201 but kept otherwise than sent. */
export const createNameFaults: readonly Fault[] = [
  stored('trimmed', 'White space around the name is cut off.', (text) => text.trim()),
  stored('trimmed-at-end', 'White space behind the name is cut off: a CHAR column.', (text) => text.trimEnd()),
  stored('whitespace-collapsed', 'Runs of white space become one blank.', (text) => text.replace(/\s+/g, ' ')),
  stored('cut-at-32', 'The name is cut after 32 characters.', (text) => text.slice(0, 32)),
  stored('cut-at-50', 'The name is cut after 50 characters.', (text) => text.slice(0, 50)),
  stored('cut-at-64', 'The name is cut after 64 characters.', (text) => text.slice(0, 64)),
  stored('cut-at-100', 'The name is cut after 100 characters.', (text) => text.slice(0, 100)),
  stored('cut-at-128', 'The name is cut after 128 characters.', (text) => text.slice(0, 128)),
  stored('cut-at-255', 'The name is cut after 255 characters: VARCHAR(255) in a lenient mode.', (text) => text.slice(0, 255)),
  stored('cut-at-255-bytes', 'The name is cut after 255 bytes, in the middle of a character.', (text) => cutBytes(text, 255)),
  stored('cut-at-256', 'The name is cut after 256 characters.', (text) => text.slice(0, 256)),
  stored('cut-at-nul', 'The name ends at U+0000, as it does in C.', (text) => text.split('\0', 1)[0] ?? ''),
  stored('without-controls', 'Control characters are removed.', (text) => text.replace(/\p{Cc}/gu, '')),
  stored('newlines-normalised', 'CR LF becomes LF.', (text) => text.replace(/\r\n?/g, '\n')),
  stored('tabs-expanded', 'A tab becomes a blank.', (text) => text.replaceAll('\t', ' ')),
  stored('normalised-nfc', 'The name is brought into normal form C.', (text) => text.normalize('NFC')),
  stored('normalised-nfkc', 'The name is brought into normal form KC: ligatures and full-width letters change.', (text) =>
    text.normalize('NFKC'),
  ),
  stored('without-emoji', 'Characters beyond the basic plane are removed: a three-byte UTF-8 column.', (text) =>
    text.replace(/[\u{10000}-\u{10FFFF}]/gu, ''),
  ),
  stored('emoji-as-question-mark', 'Characters beyond the basic plane become question marks.', (text) =>
    text.replace(/[\u{10000}-\u{10FFFF}]/gu, '?'),
  ),
  stored('latin1-only', 'Characters beyond Latin-1 become question marks.', (text) => text.replace(/[^\0-\xFF]/gu, '?')),
  stored('ascii-folded', 'Accents are taken off: Zoë becomes Zoe.', (text) => text.normalize('NFD').replace(/\p{Mn}/gu, '')),
  stored('mojibake', 'UTF-8 bytes are read as Latin-1.', (text) => Buffer.from(text).toString('latin1')),
  stored('html-escaped', 'The name is escaped for HTML when it is stored.', (text) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  ),
  stored('html-unescaped', 'HTML entities in the name are decoded.', (text) =>
    text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
  ),
  stored('tags-stripped', 'Anything that looks like a tag is removed.', (text) => text.replace(/<[^>]*>/g, '')),
  stored('quotes-doubled', 'Single quotes are doubled for SQL, though the statement is prepared.', (text) => text.replaceAll("'", "''")),
  stored('quotes-backslashed', 'Quotes get a backslash: addslashes.', (text) => text.replace(/['"]/g, '\\$&')),
  stored('backslashes-eaten', 'Backslashes are taken for escapes and vanish.', (text) => text.replaceAll('\\', '')),
  stored('url-decoded', 'The name is percent-decoded.', (text) =>
    text.replace(/%([0-9a-f]{2})/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
  ),
  stored('plus-as-blank', 'A plus sign becomes a blank, as in forms.', (text) => text.replaceAll('+', ' ')),
  stored('without-invisible', 'Zero-width and direction marks are removed.', (text) =>
    text.replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, ''),
  ),
  stored('without-variation-selectors', 'Variation selectors are removed: a heart in red becomes one in black.', (text) =>
    text.replace(/[\ufe00-\ufe0f]/g, ''),
  ),
  stored('without-tag-characters', 'Characters of plane 14 are removed, and with them the flag of Scotland.', (text) =>
    text.replace(/[\u{e0000}-\u{e0fff}]/gu, ''),
  ),
  stored('quotes-straightened', 'Curly quotes become straight ones.', (text) => text.replace(/[“”]/g, '"').replace(/[‘’]/g, "'")),
  stored('quotes-around-removed', 'Quotes around the name are taken off, as in CSV.', (text) => text.replace(/^"(.*)"$/s, '$1')),
  stored('guarded-as-formula', 'A name that begins as a formula gets an apostrophe in front, for the CSV export.', (text) =>
    text.replace(/^[=@]/, "'$&"),
  ),
  stored('sign-as-formula', 'A name that begins with a sign gets an apostrophe in front, for the CSV export.', (text) =>
    text.replace(/^[+-]/, "'$&"),
  ),
  stored('byte-order-mark-dropped', 'U+FEFF in front of the name is taken for a byte order mark.', (text) => text.replace(/^\ufeff/, '')),
  stored('placeholder-replaced', 'The words null and undefined become an empty name.', (text) =>
    /^(null|undefined)$/i.test(text) ? '' : text,
  ),
  stored('empty-as-unnamed', 'An empty name becomes "unnamed".', (text) => (text === '' ? 'unnamed' : text)),
  fault(
    'created-name-lower-case',
    'create.answer',
    'The name is stored in small letters, and the 201 shows that.',
    (parts) => storeName(parts, (text) => text.toLowerCase()),
    writing,
  ),
];
