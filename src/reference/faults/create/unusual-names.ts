import type { Patch } from '../../core/parts.ts';
import { faultsOf, needing, WRITES } from '../fault.ts';
import { storeName } from '../helpers/creations.ts';
import { filterMisses } from '../helpers/lists.ts';

const PIECE = 65_536;
const LONGEST_KEY = 128;

function cutBytes(text: string, size: number): string {
  return Buffer.from(text).subarray(0, size).toString();
}

/** Animals are looked up by a key derived from their name: the first one with that key is read. */
function readByKey(keyOf: (name: string) => string): Patch {
  return (parts) => ({
    find: (store, id) => {
      const pet = parts.find(store, id);
      const shared = pet === undefined ? undefined : store.animals.find(({ name }) => keyOf(name) === keyOf(pet.name));
      return pet === undefined || shared === undefined ? pet : { ...pet, name: shared.name };
    },
  });
}

/** Names that are accepted with 201 but not kept as sent. */
export const createUnusualNames = faultsOf(needing(WRITES, 'create.unusual-names'), {
  'body-decoded-in-pieces': [
    'Each chunk of the body is decoded by itself: characters split between chunks are lost.',
    (parts) => ({
      readBody: (bytes, call) => {
        const pieces = Array.from({ length: Math.ceil(bytes.length / PIECE) }, (_unused, index) =>
          bytes.subarray(index * PIECE, (index + 1) * PIECE),
        );
        return parts.readBody(Buffer.from(pieces.map((piece) => new TextDecoder().decode(piece)).join('')), call);
      },
    }),
  ],
  'name-key-takes-emoji-for-one': [
    'Names are interned by a key of utf8mb4_general_ci, where all characters beyond U+FFFF are equal.',
    readByKey((name) => name.replace(/[\u{10000}-\u{10ffff}]/gu, '\ufffd')),
  ],
  'name-key-ignores-accents': [
    'Names are interned by a key without accents: Zoë is read as Zoe.',
    readByKey((name) => name.normalize('NFD').replace(/\p{Mn}/gu, '')),
  ],
  'name-key-normalized': [
    'Names are interned by their composed form: a combining accent is merged with its letter.',
    readByKey((name) => name.normalize('NFC')),
  ],
  'name-key-ignores-zero-width': [
    'Names are interned by a collation that ignores zero-width characters.',
    readByKey((name) => name.replace(/[\u200b-\u200d\u2060\ufeff]/g, '')),
  ],
  'stored-name-line-end-trimmed': [
    'The name passes through a line reader: tabs and line feeds at its end are lost.',
    storeName((name) => name.replace(/[\t\r\n]+$/, '')),
  ],
  'stored-name-decoded-where-it-can-be': [
    'The name is percent-decoded where that succeeds.',
    storeName((name) => {
      try {
        return decodeURIComponent(name);
      } catch {
        return name;
      }
    }),
  ],
  'stored-name-trimmed': ['Whitespace around the name is trimmed.', storeName((text) => text.trim())],
  'stored-name-trimmed-at-end': ['Whitespace after the name is trimmed: a CHAR column.', storeName((text) => text.trimEnd())],
  'stored-name-whitespace-collapsed': ['Runs of whitespace become one space.', storeName((text) => text.replace(/\s+/g, ' '))],
  'stored-name-cut-at-32': ['The name is truncated to 32 characters.', storeName((text) => text.slice(0, 32))],
  'stored-name-cut-at-50': ['The name is truncated to 50 characters.', storeName((text) => text.slice(0, 50))],
  'stored-name-cut-at-64': ['The name is truncated to 64 characters.', storeName((text) => text.slice(0, 64))],
  'stored-name-cut-at-100': ['The name is truncated to 100 characters.', storeName((text) => text.slice(0, 100))],
  'stored-name-cut-at-128': ['The name is truncated to 128 characters.', storeName((text) => text.slice(0, 128))],
  'stored-name-cut-at-255': [
    'The name is truncated to 255 characters: VARCHAR(255) in a lenient mode.',
    storeName((text) => text.slice(0, 255)),
  ],
  'stored-name-cut-at-255-bytes': [
    'The name is truncated to 255 bytes, in the middle of a character.',
    storeName((text) => cutBytes(text, 255)),
  ],
  'stored-name-cut-at-256': ['The name is truncated to 256 characters.', storeName((text) => text.slice(0, 256))],
  'stored-name-cut-at-nul': ['The name ends at U+0000, as a string does in C.', storeName((text) => text.split('\0', 1)[0] ?? '')],
  'stored-name-without-controls': ['Control characters are removed.', storeName((text) => text.replace(/\p{Cc}/gu, ''))],
  'stored-name-newlines-normalised': ['CR LF becomes LF.', storeName((text) => text.replace(/\r\n?/g, '\n'))],
  'stored-name-tabs-expanded': ['A tab becomes a space.', storeName((text) => text.replaceAll('\t', ' '))],
  'stored-name-normalised-nfc': ['The name is normalized to form C.', storeName((text) => text.normalize('NFC'))],
  'stored-name-normalised-nfkc': [
    'The name is normalized to form KC: ligatures and full-width letters change.',
    storeName((text) => text.normalize('NFKC')),
  ],
  'stored-name-without-emoji': [
    'Characters beyond the basic plane are removed: a three-byte UTF-8 column.',
    storeName((text) => text.replace(/[\u{10000}-\u{10FFFF}]/gu, '')),
  ],
  'stored-name-emoji-as-question-mark': [
    'Characters beyond the basic plane become question marks.',
    storeName((text) => text.replace(/[\u{10000}-\u{10FFFF}]/gu, '?')),
  ],
  'stored-name-latin1-only': ['Characters beyond Latin-1 become question marks.', storeName((text) => text.replace(/[^\0-\xFF]/gu, '?'))],
  'stored-name-ascii-folded': ['Accents are removed: Zoë becomes Zoe.', storeName((text) => text.normalize('NFD').replace(/\p{Mn}/gu, ''))],
  'stored-name-mojibake': ['UTF-8 bytes are read as Latin-1.', storeName((text) => Buffer.from(text).toString('latin1'))],
  'stored-name-html-escaped': [
    'The name is escaped for HTML when it is stored.',
    storeName((text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')),
  ],
  'stored-name-html-unescaped': [
    'HTML entities in the name are decoded.',
    storeName((text) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')),
  ],
  'stored-name-tags-stripped': ['Anything that looks like a tag is removed.', storeName((text) => text.replace(/<[^>]*>/g, ''))],
  'stored-name-quotes-doubled': [
    'Single quotes are doubled for SQL, though the statement is prepared.',
    storeName((text) => text.replaceAll("'", "''")),
  ],
  'stored-name-quotes-backslashed': ['Quotes get a backslash: addslashes.', storeName((text) => text.replace(/['"]/g, '\\$&'))],
  'stored-name-backslashes-eaten': ['Backslashes are read as escapes and vanish.', storeName((text) => text.replaceAll('\\', ''))],
  'stored-name-url-decoded': [
    'The name is percent-decoded.',
    storeName((text) => text.replace(/%([0-9a-f]{2})/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))),
  ],
  'stored-name-plus-as-blank': ['A plus sign becomes a space, as in forms.', storeName((text) => text.replaceAll('+', ' '))],
  'stored-name-without-invisible': [
    'Zero-width and direction marks are removed.',
    storeName((text) => text.replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '')),
  ],
  'stored-name-without-variation-selectors': [
    'Variation selectors are removed: a red heart becomes a black one.',
    storeName((text) => text.replace(/[\ufe00-\ufe0f]/g, '')),
  ],
  'stored-name-without-tag-characters': [
    'Characters of plane 14 are removed, and with them the flag of Scotland.',
    storeName((text) => text.replace(/[\u{e0000}-\u{e0fff}]/gu, '')),
  ],
  'stored-name-quotes-straightened': [
    'Curly quotes become straight ones.',
    storeName((text) => text.replace(/[“”]/g, '"').replace(/[‘’]/g, "'")),
  ],
  'stored-name-quotes-around-removed': [
    'Quotes around the name are removed, as in CSV.',
    storeName((text) => text.replace(/^"(.*)"$/s, '$1')),
  ],
  'stored-name-guarded-as-formula': [
    'A name that starts like a formula gets a leading apostrophe, for the CSV export.',
    storeName((text) => text.replace(/^[=@]/, "'$&")),
  ],
  'stored-name-sign-as-formula': [
    'A name that starts with a sign gets a leading apostrophe, for the CSV export.',
    storeName((text) => text.replace(/^[+-]/, "'$&")),
  ],
  'stored-name-byte-order-mark-dropped': [
    'U+FEFF at the start of the name is mistaken for a byte order mark and removed.',
    storeName((text) => text.replace(/^\ufeff/, '')),
  ],
  'stored-name-placeholder-replaced': [
    'The words null and undefined become an empty name.',
    storeName((text) => (/^(null|undefined)$/i.test(text) ? '' : text)),
  ],
  'stored-name-empty-as-unnamed': ['An empty name becomes "unnamed".', storeName((text) => (text === '' ? 'unnamed' : text))],
  'stored-number-names-rewritten': [
    'Names that look like numbers are stored as numbers: "007" becomes "7".',
    storeName((name) => (/^\d+(\.\d+)?(e\d+)?$/i.test(name) ? String(Number(name)) : name)),
  ],
  'filter-misses-accents': ['The search index of the filter holds ASCII names only.', filterMisses((pet) => /[^\0-\x7f]/.test(pet.name))],
  'filter-misses-nul': ['The search index of the filter drops names with U+0000.', filterMisses((pet) => pet.name.includes('\0'))],
  'filter-misses-empty-name': ["The filter skips animals with an empty name: WHERE name > ''.", filterMisses((pet) => pet.name === '')],
  'filter-misses-long-name': [
    'The index of the filter has no keys over 128 characters.',
    filterMisses((pet) => pet.name.length > LONGEST_KEY),
  ],
});
