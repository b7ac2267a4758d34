// Values that are rejected, or returned or kept otherwise than they were sent.

import { isObject, type Json, member } from '../../src/reference/core/json.ts';
import { invalid, type Patch } from '../../src/reference/core/parts.ts';
import type { Pet, Status } from '../../src/reference/core/store.ts';
import { faultsOf, needing, WRITES } from './fault.ts';
import { filterMisses, showPet } from './patches/animals.ts';
import { hasUnknownMember, readWith, rebind, storeName, storePet, storePetSilently } from './patches/creations.ts';
import { header, isProblem } from './patches/exchanges.ts';

/** 201s that show another animal than was sent. */
export const createAnswer = faultsOf(needing(WRITES, 'create.answer'), {
  'answer-name-upper-case': ['The 201 body shows the name in upper case.', showPet('create', (pet) => ({ name: pet.name.toUpperCase() }))],
  'answer-name-cut': [
    'The 201 body shows the first eight letters of the name.',
    showPet('create', (pet) => ({ name: pet.name.slice(0, 8) })),
  ],
  'answer-name-empty': ['The 201 body shows an empty name.', showPet('create', () => ({ name: '' }))],
  'answer-category-zero': [
    'The 201 body shows categoryId 0: the relation is not loaded yet.',
    showPet('create', () => ({ categoryId: 0n })),
  ],
  'answer-category-is-id': [
    'The 201 body shows the id in place of categoryId.',
    showPet('create', (pet) => ({ categoryId: pet.id + 7_000_000n })),
  ],
  'answer-without-status': ['The 201 body never shows the status.', showPet('create', () => ({ status: undefined }))],
  'answer-status-always-available': ['The 201 body always shows available.', showPet('create', () => ({ status: 'available' }))],
  'answer-shows-previous': [
    'The 201 body shows name and category of the previous creation.',
    (parts) => {
      let previous: Pet | undefined;
      return {
        petRecord: (pet, place) => {
          if (place !== 'create') return parts.petRecord(pet, place);
          const shown = previous ?? pet;
          previous = pet;
          return parts.petRecord({ ...shown, id: pet.id }, place);
        },
      };
    },
  ],
  'category-overridden-by-snake-case': [
    'The mapper has two names for categoryId, and the second one wins.',
    rebind((body) => ('category_id' in body ? { ...body, categoryId: body['category_id'] ?? null } : body)),
  ],
  'name-overridden-by-capital': [
    'The mapper ignores case, and the last member wins: Name overrides name.',
    rebind((body) => (typeof body['Name'] === 'string' ? { ...body, name: body['Name'] } : body)),
  ],
  'name-overridden-by-query': [
    'Query string and body are merged, and the query string wins: ?name= overrides name.',
    readWith(({ newPet, call }) => ({ ...newPet, name: call.query.get('name') ?? newPet.name })),
  ],
  'status-overridden-by-cookie': [
    'Parameters are read from query string, body and cookies, in this order, and the last one wins.',
    readWith(({ newPet, call }) => (/(?:^|; )status=sold/.test(header(call, 'cookie')) ? { ...newPet, status: 'sold' } : newPet)),
  ],
  'created-name-lower-case': [
    'The name is stored in lower case, and the 201 shows it in lower case.',
    storeName((text) => text.toLowerCase()),
  ],
  'duplicate-name-gets-number': [
    'A taken name gets a number appended: "Rex" becomes "Rex-2".',
    storePet((pet, { animals }) => (animals.some(({ name }) => name === pet.name) ? { name: `${pet.name}-2` } : {})),
  ],
  'unknown-member-drops-status': [
    'An unknown member activates the lenient mapper, which drops the status.',
    readWith(({ newPet, body }) => (hasUnknownMember(body) ? { ...newPet, status: undefined } : newPet)),
  ],
  'unknown-member-folds-name': [
    'An unknown member activates the lenient mapper, which lower-cases names.',
    readWith(({ newPet, body }) => (hasUnknownMember(body) ? { ...newPet, name: newPet.name.toLowerCase() } : newPet)),
  ],
  'client-id-cuts-name': [
    'A creation with an id goes through the update code, which truncates the name to ten characters.',
    readWith(({ newPet, body }) =>
      isObject(body) && member(body, 'id') !== undefined ? { ...newPet, name: newPet.name.slice(0, 10) } : newPet,
    ),
  ],
});

/** What is stored is not what was sent, in the plain domain. */
export const createRoundTrip = faultsOf(needing(WRITES, 'create.round-trip'), {
  'stored-name-lower-case': [
    'The name is stored in lower case; the 201 shows it as sent.',
    storePetSilently((pet) => ({ name: pet.name.toLowerCase() })),
  ],
  'stored-name-title-case': [
    'The name is stored Capitalized Like This; the 201 shows it as sent.',
    storePetSilently((pet) => ({ name: pet.name.slice(0, 1).toUpperCase() + pet.name.slice(1).toLowerCase() })),
  ],
  'stored-name-cut-at-10': [
    'The stored name is truncated to ten characters; the 201 shows it as sent.',
    storePetSilently((pet) => ({ name: pet.name.slice(0, 10) })),
  ],
  'stored-name-cut-at-16': [
    'The stored name is truncated to sixteen characters; the 201 shows it as sent.',
    storePetSilently((pet) => ({ name: pet.name.slice(0, 16) })),
  ],
  'stored-category-one': [
    'The stored category is always 1; the 201 shows it as sent.',
    storePetSilently((pet) => ({ categoryId: 1n + (pet.categoryId === 1n ? 1n : 0n) })),
  ],
  'stored-status-available': [
    'The stored status is always available; the 201 shows it as sent.',
    storePetSilently(() => ({ status: 'available' })),
  ],
  'stored-status-lost': ['The status is not stored; the 201 shows it as sent.', storePetSilently(() => ({ status: undefined }))],
});

/** Missing statuses that are rejected. */
export const createStatusOptional = faultsOf(needing(WRITES, 'create.status-optional'), {
  'status-sticks-to-next': [
    'The enum lookup rejects a body without status with 400 when the previous one had a status.',
    (parts) => {
      let before: Json | undefined;
      return {
        readNewPet: (body, all) => {
          const status = isObject(body) ? member(body, 'status') : undefined;
          const stale = before !== undefined && status === undefined;
          before = status;
          return stale ? parts.readNewPet({}, all) : parts.readNewPet(body, all);
        },
      };
    },
  ],
  'create-needs-status': [
    'A body without status returns 400.',
    (parts) => ({ readStatus: (value) => (value === undefined ? invalid('status is required') : parts.readStatus(value)) }),
  ],
});

function storeStatus(change: (status: Status | undefined) => Status | undefined): Patch {
  return (parts) => ({
    readNewPet: (body, all) => {
      const newPet = parts.readNewPet(body, all);
      return isProblem(newPet) ? newPet : { ...newPet, status: change(newPet.status) };
    },
  });
}

function rejectStatus(rejected: Status, message: string): Patch {
  return (parts) => ({ readStatus: (value) => (value === rejected ? invalid(message) : parts.readStatus(value)) });
}

/** Statuses that are not stored as sent, or rejected. */
export const createStatusValues = faultsOf(needing(WRITES, 'create.status-values'), {
  'create-status-ignored': ['The status in the request is ignored: every animal starts as available.', storeStatus(() => 'available')],
  'create-sold-becomes-available': [
    'An animal created as sold is stored as available.',
    storeStatus((status) => (status === 'sold' ? 'available' : status)),
  ],
  'create-sold-becomes-pending': [
    'An animal created as sold is stored as pending, for review.',
    storeStatus((status) => (status === 'sold' ? 'pending' : status)),
  ],
  'create-pending-becomes-available': [
    'Pending is confirmed immediately: the animal is stored as available.',
    storeStatus((status) => (status === 'pending' ? 'available' : status)),
  ],
  'create-status-dropped': [
    'The status in the request is not stored at all.',
    (parts) => ({ ...storeStatus(() => undefined)(parts), defaultStatus: () => undefined }),
  ],
  'create-pending-refused': ['Creating with status pending returns 400.', rejectStatus('pending', 'status must be available')],
  'create-sold-refused': [
    'Creating with status sold returns 400: a new animal cannot be sold yet.',
    rejectStatus('sold', 'status must not be sold'),
  ],
  'create-available-refused': [
    'Creating with status available returns 400: it is the default and must be omitted.',
    rejectStatus('available', 'status must be left out'),
  ],
});

const INT32_LARGEST = 2n ** 31n - 1n;

function storeCategory(change: (categoryId: bigint) => bigint): Patch {
  return storePet(({ categoryId }) => ({ categoryId: change(categoryId) }));
}

function clamp(value: bigint): bigint {
  return value > INT32_LARGEST ? INT32_LARGEST : value < -INT32_LARGEST - 1n ? -INT32_LARGEST - 1n : value;
}

/** Categories that are accepted with 201 but not kept as sent. */
export const createUnusualCategories = faultsOf(needing(WRITES, 'create.unusual-categories'), {
  'stored-category-through-double': [
    'categoryId passes through a JavaScript number: digits beyond 2^53 are lost.',
    storeCategory((id) => BigInt.asIntN(64, BigInt(Number(id)))),
  ],
  'shown-category-through-double': [
    'categoryId is stored exactly and written as a double.',
    (parts) => ({ petRecord: (pet, place) => ({ ...parts.petRecord(pet, place), categoryId: Number(pet.categoryId) }) }),
  ],
  'stored-category-wrapped-to-uint8': [
    'categoryId is a one-byte column: there used to be at most 256 categories.',
    storeCategory((id) => (id >= 0n && id < 2n ** 15n ? BigInt.asUintN(8, id) : id)),
  ],
  'stored-category-wrapped-to-int16': [
    'A smallint column: a positive categoryId below 2^24 wraps around at 16 bits.',
    storeCategory((id) => (id >= 0n && id < 2n ** 24n ? BigInt.asIntN(16, id) : id)),
  ],
  'stored-category-wrapped-to-int32': ['categoryId wraps around at 32 bits.', storeCategory((id) => BigInt.asIntN(32, id))],
  'stored-category-clamped-to-int32': ['categoryId is clamped to 32 bits.', storeCategory(clamp)],
  'stored-category-wrapped-to-uint32': [
    'categoryId is an unsigned 32-bit column: a negative number becomes a large one.',
    storeCategory((id) => BigInt.asUintN(32, id)),
  ],
  'stored-category-absolute': [
    'A negative categoryId loses its sign.',
    storeCategory((id) => (id < 0n ? (id === -(2n ** 63n) ? 2n ** 63n - 1n : -id) : id)),
  ],
  'stored-category-not-negative': ['A negative categoryId is stored as 0.', storeCategory((id) => (id < 0n ? 0n : id))],
  'stored-category-zero-as-one': [
    'categoryId 0 counts as missing and becomes the default category 1.',
    storeCategory((id) => (id === 0n ? 1n : id)),
  ],
  'stored-category-through-float': [
    'categoryId is a 32-bit float column: digits beyond 2^24 are lost.',
    storeCategory((id) => BigInt.asIntN(64, BigInt(Math.fround(Number(id))))),
  ],
  'stored-category-fifteen-digits': [
    'categoryId keeps fifteen digits; the rest become zeros.',
    storeCategory((id) => {
      const text = id.toString().replace('-', '');
      const kept = BigInt(text.slice(0, 15).padEnd(text.length, '0'));
      return id < 0n ? -kept : kept;
    }),
  ],
  'stored-category-largest-off-by-one': [
    'The largest int64 is reserved for "no category" and stored as one less.',
    storeCategory((id) => (id === 2n ** 63n - 1n ? id - 1n : id)),
  ],
  'stored-category-smallest-off-by-one': [
    'The smallest int64 has no absolute value and is stored as one more.',
    storeCategory((id) => (id === -(2n ** 63n) ? id + 1n : id)),
  ],
  'filter-misses-category-zero': [
    'The filter skips animals in category 0: zero counts as no category.',
    filterMisses((pet) => pet.categoryId === 0n),
  ],
  'filter-misses-negative-category': ['The filter skips animals in negative categories.', filterMisses((pet) => pet.categoryId < 0n)],
  'filter-misses-large-category': [
    'The filter joins categories by a 32-bit column and skips animals in larger ones.',
    filterMisses((pet) => BigInt.asIntN(32, pet.categoryId) !== pet.categoryId),
  ],
});

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
