import { randomBytes } from 'node:crypto';
import { INT64_RANGE, isObject, type Json, NumberText, parseJson } from '../../src/reference/core/json.ts';
import { invalid, type Parts, type Patch, Problem, problemReply, withParts } from '../../src/reference/core/parts.ts';
import { type NewPet, STATUSES, type Status } from '../../src/reference/core/store.ts';
import { seeded, variantsOf } from './variant.ts';

/** Rejects some names with 400. */
function nameRule(allows: (text: string) => boolean): Patch {
  return (parts) => ({
    readName: (value) =>
      typeof value === 'string' && !allows(value) ? invalid('name is not allowed', 'name_rule') : parts.readName(value),
  });
}

/** Rejects names that are not in a letter case, in which it shows those that it had from the beginning. */
function caseRule(inCase: (text: string) => string): Patch {
  return (parts) => ({
    ...nameRule((text) => text === inCase(text))(parts),
    petRecord: (pet, place) => parts.petRecord({ ...pet, name: inCase(pet.name) }, place),
  });
}

/** Rejects some categories, by default with 400. */
function categoryRule(allows: (id: bigint) => boolean, status = 400): Patch {
  return (parts) => ({
    readCategory: (value) => {
      const id = parts.readCategory(value);
      return typeof id === 'bigint' && !allows(id) ? new Problem(status, 'no_category', 'The category does not exist') : id;
    },
  });
}

/** Rejects an animal that conflicts with existing ones. */
function storeRule(status: number, conflicts: (one: NewPet, other: NewPet) => boolean): Patch {
  return (parts) => ({
    createPet: (context) => {
      const readNewPet: Parts['readNewPet'] = (body, all) => {
        const newPet = parts.readNewPet(body, all);
        const taken = !(newPet instanceof Problem) && context.store.animals.some((pet) => conflicts(newPet, pet));
        return taken ? new Problem(status, 'name_taken', 'The name is taken') : newPet;
      };
      return parts.createPet(withParts(context, { readNewPet }));
    },
  });
}

function defaultStatus(status: Status | undefined): Patch {
  return () => ({ defaultStatus: () => status });
}

/** Rejects bodies by their members. */
function memberRule(strange: (member: string) => boolean): Patch {
  return (parts) => ({
    readNewPet: (body, all) =>
      isObject(body) && Object.keys(body).some(strange)
        ? invalid('The body has an unknown member', 'unknown_member')
        : parts.readNewPet(body, all),
  });
}

function mediaType(allows: (type: string) => boolean): Patch {
  return (parts) => ({
    createPet: (context) =>
      allows(String(context.call.headers['content-type'] ?? '').toLowerCase())
        ? parts.createPet(context)
        : problemReply(context, new Problem(415, 'unsupported_media_type', 'Send application/json')),
  });
}

/** Whether a member name occurs twice at the top level; good enough for flat bodies. */
function repeatsMember(text: string): boolean {
  const found = [...text.matchAll(/"(name|categoryId|status)"\s*:/g)].map(([, member]) => member);
  return new Set(found).size < found.length;
}

function wholeNumber(value: Json | undefined): Json | undefined {
  if (!(value instanceof NumberText) || !/[.eE]/.test(value.text)) return value;
  const number = Number(value.text);
  return Number.isInteger(number) ? new NumberText(BigInt(number).toString()) : value;
}

/** Rules for names. */
export const nameVariants = {
  ...variantsOf('length, character and uniqueness rules of name: not shown', {
    'name-at-most-20': ['Names have at most 20 characters.', nameRule((text) => text.length <= 20)],
    'name-at-most-255': ['Names have at most 255 characters.', nameRule((text) => text.length <= 255)],
    'name-letters-only': ['Names are ASCII letters only.', nameRule((text) => /^[A-Za-z]+$/.test(text))],
    'name-capital-first': ['Names begin with a capital letter.', nameRule((text) => /^\p{Lu}/u.test(text))],
    'name-lower-case': [
      'Names have no capital letters, and neither have those of its animals.',
      caseRule((text) => text.toLowerCase()),
      { seedAnimals: 8 },
    ],
    'name-upper-case': [
      'Names have no small letters, and neither have those of its animals.',
      caseRule((text) => text.toUpperCase()),
      { seedAnimals: 8 },
    ],
    'name-not-empty': ['Names are not empty.', nameRule((text) => text !== '')],
    'name-without-outer-blanks': ['Names neither begin nor end with whitespace.', nameRule((text) => text === text.trim())],
    'name-without-controls': ['Names have no control characters.', nameRule((text) => !/\p{Cc}/u.test(text))],
    'name-of-basic-plane': ['Names have no emoji.', nameRule((text) => !/[\u{10000}-\u{10FFFF}]/u.test(text))],
    'name-well-formed': ['Names are valid Unicode: no lone surrogates.', nameRule((text) => text.isWellFormed())],
  }),
  ...variantsOf('create.duplicate-names', {
    'name-unique-409': ['A taken name returns 409.', storeRule(409, (one, other) => one.name === other.name)],
    'name-unique-400': ['A taken name returns 400.', storeRule(400, (one, other) => one.name === other.name)],
    'name-unique-without-letter-case': [
      'A name that is taken in any case returns 409.',
      storeRule(409, (one, other) => one.name.toLowerCase() === other.name.toLowerCase()),
    ],
    'name-taken-answers-existing': [
      'A NewPet equal to an existing animal returns 200 with that animal.',
      (parts) => ({
        createPet: (context) => {
          let taken = false;
          const insert: Parts['insert'] = (store, pet) => {
            const same = store.animals.find((other) => other.name === pet.name && other.categoryId === pet.categoryId);
            taken = same !== undefined;
            return same ?? parts.insert(store, pet);
          };
          return parts.createPet(withParts(context, { insert, createdStatus: () => (taken ? 200 : parts.createdStatus()) }));
        },
      }),
    ],
    'name-unique-in-category': [
      'A name taken within the category returns 409.',
      storeRule(409, (one, other) => one.name === other.name && one.categoryId === other.categoryId),
    ],
  }),
};

/** Rules for categories and default statuses. */
export const categoryVariants = {
  ...variantsOf('the category record is not shown', {
    'categories-3-and-7': [
      'Only the categories 3 and 7 exist.',
      categoryRule((id) => id === 3n || id === 7n),
      { seedAnimals: 6, categories: [3n, 7n] },
    ],
    'categories-3-and-7-of-empty-store': [
      'Only the categories 3 and 7 exist, and the store begins empty.',
      categoryRule((id) => id === 3n || id === 7n),
    ],
    'categories-closed': [
      'Some categories of listed animals are closed to new ones.',
      categoryRule((id) => id === 3n),
      { seedAnimals: 12, categories: [1001n, 1002n, 1003n, 3n] },
    ],
    'categories-all-closed': [
      'All categories of listed animals are closed; category 2 is open.',
      categoryRule((id) => id === 2n),
      { seedAnimals: 6, categories: [71n, 72n] },
    ],
    'category-large-only': [
      'The only category is 9007199254740993.',
      categoryRule((id) => id === 9007199254740993n),
      { seedAnimals: 4, categories: [9007199254740993n] },
    ],
    'category-negative-only': ['The only category is -17.', categoryRule((id) => id === -17n), { seedAnimals: 4, categories: [-17n] }],
    'unknown-category-404': [
      'A category other than 1 to 5 returns 404.',
      categoryRule((id) => id >= 1n && id <= 5n, 404),
      { seedAnimals: 6 },
    ],
    'unknown-category-404-of-empty-store': [
      'A category other than 7 returns 404, and the store begins empty.',
      categoryRule((id) => id === 7n, 404),
    ],
    'unknown-category-409': [
      'A category other than 1 to 5 returns 409.',
      categoryRule((id) => id >= 1n && id <= 5n, 409),
      { seedAnimals: 6 },
    ],
    'unknown-category-422': ['A category other than 3 returns 422, and the store begins empty.', categoryRule((id) => id === 3n, 422)],
    'category-positive': ['Categories are positive.', categoryRule((id) => id > 0n)],
    'category-not-negative': ['Categories are not negative.', categoryRule((id) => id >= 0n)],
    'category-within-int32': ['Categories beyond 32 bits do not exist.', categoryRule((id) => BigInt.asIntN(32, id) === id)],
    'category-within-2-53': ['Categories beyond 2^53 do not exist.', categoryRule((id) => id <= 2n ** 53n && id >= -(2n ** 53n))],
  }),
  ...variantsOf(seeded(14, 'create.default-status'), {
    'default-status-pending': ['An animal created without a status is pending.', defaultStatus('pending')],
    'default-status-sold': ['An animal created without a status is sold.', defaultStatus('sold')],
    'default-status-goes-round': [
      'An animal created without a status gets the three statuses in turn.',
      () => {
        let turn = 0;
        return { defaultStatus: () => STATUSES[turn++ % STATUSES.length] };
      },
    ],
    'default-status-none': ['An animal created without a status has none.', defaultStatus(undefined)],
  }),
};

/** Treatments of bodies outside the document. */
export const bodyVariants = {
  ...variantsOf('create.client-id', {
    'client-id-refused': ['A body with an id returns 400.', memberRule((member) => member === 'id')],
  }),
  ...variantsOf('create.unknown-members', {
    'unknown-members-refused': [
      'A body with unknown members returns 400.',
      memberRule((member) => !['name', 'categoryId', 'status'].includes(member)),
    ],
  }),
  ...variantsOf('create.request-media-type', {
    'json-media-type-required': ['A body without application/json returns 415.', mediaType((type) => /^application\/json\b/.test(type))],
    'json-or-nothing': [
      'A body of another media type returns 415; no media type is accepted.',
      mediaType((type) => type === '' || /\bjson\b/.test(type)),
    ],
    'media-type-without-parameters': [
      'A body of application/json with parameters returns 415.',
      mediaType((type) => type === 'application/json'),
    ],
  }),
  ...variantsOf('create.duplicate-members', {
    'duplicate-members-refused': [
      'A member that is written twice returns 400.',
      (parts) => ({
        readBody: (bytes, call) =>
          repeatsMember(Buffer.from(bytes).toString()) ? invalid('A member is repeated') : parts.readBody(bytes, call),
      }),
    ],
  }),
  ...variantsOf('create.text-encoding', {
    'bom-accepted': [
      'A byte order mark before the body is skipped.',
      (parts) => ({
        readBody: (bytes, call) =>
          parts.readBody(bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes, call),
      }),
    ],
    'broken-utf8-replaced': [
      'Bytes that are not UTF-8 become replacement characters.',
      (parts) => ({
        readBody: (bytes, call) => parts.readBody(Buffer.from(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)), call),
      }),
    ],
    'utf16-accepted': [
      'A body in UTF-16 is accepted.',
      (parts) => ({
        readBody: (bytes, call) => {
          const body = parts.readBody(bytes, call);
          if (!(body instanceof Problem) || bytes[1] !== 0) return body;
          try {
            return parseJson(Buffer.from(bytes).toString('utf16le'));
          } catch {
            return body;
          }
        },
      }),
    ],
  }),
  ...variantsOf('create.integer-spelling', {
    'integer-spelling-free': [
      'categoryId 1.0 and 1e0 are accepted as 1, and so is any fraction that a double loses.',
      (parts) => ({ readCategory: (value) => parts.readCategory(wholeNumber(value)) }),
    ],
  }),
};

/** Ids as a function of a counter that begins at 1. */
function idsBy(scheme: (count: bigint) => bigint): Patch {
  return (parts) => ({ assignId: (store, body) => scheme(parts.assignId(store, body)) });
}

function random64(): bigint {
  return randomBytes(8).readBigInt64BE();
}

/** Id schemes. */
export const idVariants = variantsOf(seeded(8, 'scheme of ids: any int64, in any order'), {
  'ids-random-int64': ['Ids are random int64, negative ones too.', idsBy(random64)],
  'ids-beyond-2-53': ['Ids are odd and begin at 2^53 + 1: no double holds them.', idsBy((count) => 2n ** 53n + 2n * count - 1n)],
  'ids-descending': ['Ids count down from a million.', idsBy((count) => 1_000_000n - count)],
  'ids-negative': ['Ids count down from -1.', idsBy((count) => -count)],
  'ids-snowflake': [
    'Ids are timestamps in milliseconds, shifted left, plus a counter.',
    idsBy((count) => (BigInt(Date.now()) << 20n) + count),
  ],
  'ids-from-zero': ['The first id is 0.', idsBy((count) => count - 1n)],
  'ids-from-smallest': ['Ids begin at the smallest int64.', idsBy((count) => INT64_RANGE.smallest + count - 1n)],
  'ids-from-largest': ['Ids count down from the largest int64.', idsBy((count) => INT64_RANGE.largest - count + 1n)],
  'ids-with-gaps': ['Ids grow by steps of 7919.', idsBy((count) => count * 7919n)],
  'ids-around-zero': ['Ids alternate in sign: 1, -1, 2, -2.', idsBy((count) => (count % 2n === 1n ? (count + 1n) / 2n : -count / 2n))],
});
