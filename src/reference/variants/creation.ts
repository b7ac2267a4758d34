import { isObject, type Json, NumberText, parseJson } from '../core/json.ts';
import type { Parts } from '../core/parts.ts';
import { type NewPet, type Status, statuses } from '../core/pet.ts';
import { invalid, Problem } from '../core/problem.ts';
import { problemReply } from '../core/replies.ts';
import { type Variant, type VariantSetting, variant } from './variant.ts';

const names = 'length, character and uniqueness rules of name: not shown';
const categories = 'the category record is not shown';
const members = 'create.unknown-members';

/** Refuses some names with 400. */
function nameRule(name: string, summary: string, allows: (text: string) => boolean): Variant {
  const replace = (parts: Parts): Partial<Parts> => ({
    readName: (value) =>
      typeof value === 'string' && !allows(value) ? invalid('name is not allowed', 'name_rule') : parts.readName(value),
  });
  return variant(name, names, summary, replace);
}

/** Refuses some categories with 400. */
function categoryRule(name: string, summary: string, allows: (id: bigint) => boolean, setting: VariantSetting = {}): Variant {
  const replace = (parts: Parts): Partial<Parts> => ({
    readCategory: (value) => {
      const id = parts.readCategory(value);
      return typeof id === 'bigint' && !allows(id) ? invalid('The category does not exist', 'no_category') : id;
    },
  });
  return variant(name, categories, summary, replace, setting);
}

/** Refuses an animal that stands against those already there. */
function storeRule(
  name: string,
  leaves: string,
  summary: string,
  status: number,
  conflicts: (one: NewPet, other: NewPet) => boolean,
): Variant {
  const replace = (parts: Parts): Partial<Parts> => ({
    createPet: (context) => {
      const readNewPet: Parts['readNewPet'] = (body, all) => {
        const newPet = parts.readNewPet(body, all);
        const taken = !(newPet instanceof Problem) && context.store.animals.some((pet) => conflicts(newPet, pet));
        return taken ? new Problem(status, 'name_taken', 'The name is taken') : newPet;
      };
      return parts.createPet({ ...context, parts: { ...context.parts, readNewPet } });
    },
  });
  return variant(name, leaves, summary, replace);
}

function defaultStatus(name: string, status: Status | undefined, summary: string): Variant {
  return variant(name, 'create.default-status', summary, () => ({ defaultStatus: () => status }), { seedAnimals: 14 });
}

/** Refuses bodies by their members. */
function memberRule(name: string, leaves: string, summary: string, strange: (member: string) => boolean): Variant {
  const replace = (parts: Parts): Partial<Parts> => ({
    readNewPet: (body, all) =>
      isObject(body) && Object.keys(body).some(strange)
        ? invalid('The body has an unknown member', 'unknown_member')
        : parts.readNewPet(body, all),
  });
  return variant(name, leaves, summary, replace);
}

function mediaType(name: string, summary: string, allows: (type: string) => boolean): Variant {
  const replace = (parts: Parts): Partial<Parts> => ({
    createPet: (context) =>
      allows(String(context.call.headers['content-type'] ?? '').toLowerCase())
        ? parts.createPet(context)
        : problemReply(context, new Problem(415, 'unsupported_media_type', 'Send application/json')),
  });
  return variant(name, 'create.request-media-type', summary, replace);
}

/** Whether a member name is written twice anywhere at the top; good enough for flat bodies. */
function repeatsMember(text: string): boolean {
  const found = [...text.matchAll(/"(name|categoryId|status)"\s*:/g)].map(([, member]) => member);
  return new Set(found).size < found.length;
}

function wholeNumber(value: Json | undefined): Json | undefined {
  if (!(value instanceof NumberText) || !/[.eE]/.test(value.text)) return value;
  const number = Number(value.text);
  return Number.isSafeInteger(number) ? new NumberText(String(number)) : value;
}

/** Rules for names. */
export const nameVariants: readonly Variant[] = [
  nameRule('name-at-most-20', 'Names have at most 20 characters.', (text) => text.length <= 20),
  nameRule('name-at-most-255', 'Names have at most 255 characters.', (text) => text.length <= 255),
  nameRule('name-letters-only', 'Names are ASCII letters only.', (text) => /^[A-Za-z]+$/.test(text)),
  nameRule('name-not-empty', 'Names are not empty.', (text) => text !== ''),
  nameRule('name-without-outer-blanks', 'Names neither begin nor end with white space.', (text) => text === text.trim()),
  nameRule('name-without-controls', 'Names have no control characters.', (text) => !/\p{Cc}/u.test(text)),
  nameRule('name-of-basic-plane', 'Names have no emoji.', (text) => !/[\u{10000}-\u{10FFFF}]/u.test(text)),
  nameRule('name-well-formed', 'Names are valid Unicode: no half surrogates.', (text) => text.isWellFormed()),
  storeRule('name-unique-409', 'create.duplicate-names', 'A taken name is answered 409.', 409, (one, other) => one.name === other.name),
  storeRule('name-unique-400', 'create.duplicate-names', 'A taken name is answered 400.', 400, (one, other) => one.name === other.name),
  storeRule(
    'name-unique-without-letter-case',
    'create.duplicate-names',
    'A name that is taken in any letter case is answered 409.',
    409,
    (one, other) => one.name.toLowerCase() === other.name.toLowerCase(),
  ),
  variant(
    'name-taken-answers-existing',
    'create.duplicate-names',
    'A NewPet that is there already is answered 200 with the animal there.',
    (parts) => ({
      createPet: (context) => {
        let taken = false;
        const insert: Parts['insert'] = (store, pet) => {
          const same = store.animals.find((other) => other.name === pet.name && other.categoryId === pet.categoryId);
          taken = same !== undefined;
          return same ?? parts.insert(store, pet);
        };
        return parts.createPet({
          ...context,
          parts: { ...context.parts, insert, createdStatus: () => (taken ? 200 : parts.createdStatus()) },
        });
      },
    }),
  ),
  storeRule(
    'name-unique-in-category',
    'create.duplicate-names',
    'A name taken within the category is answered 409.',
    409,
    (one, other) => one.name === other.name && one.categoryId === other.categoryId,
  ),
];

/** Rules for categories and default statuses. */
export const categoryVariants: readonly Variant[] = [
  categoryRule('categories-3-and-7', 'Only the categories 3 and 7 exist.', (id) => id === 3n || id === 7n, {
    seedAnimals: 6,
    categories: [3n, 7n],
  }),
  categoryRule(
    'categories-3-and-7-of-empty-store',
    'Only the categories 3 and 7 exist, and no animal tells so.',
    (id) => id === 3n || id === 7n,
  ),
  categoryRule('categories-closed', 'Some categories of listed animals are closed for new ones.', (id) => id === 3n, {
    seedAnimals: 12,
    categories: [1001n, 1002n, 1003n, 3n],
  }),
  categoryRule('categories-all-closed', 'All categories of listed animals are closed; category 2 is open.', (id) => id === 2n, {
    seedAnimals: 6,
    categories: [71n, 72n],
  }),
  categoryRule('category-large-only', 'The one category is 9007199254740993.', (id) => id === 9007199254740993n, {
    seedAnimals: 4,
    categories: [9007199254740993n],
  }),
  categoryRule('category-positive', 'Categories are positive.', (id) => id > 0n),
  categoryRule('category-not-negative', 'Categories are not negative.', (id) => id >= 0n),
  categoryRule('category-within-int32', 'Categories beyond 32 bits do not exist.', (id) => BigInt.asIntN(32, id) === id),
  categoryRule('category-within-2-53', 'Categories beyond 2^53 do not exist.', (id) => id <= 2n ** 53n && id >= -(2n ** 53n)),
  defaultStatus('default-status-pending', 'pending', 'Without a status an animal is pending.'),
  defaultStatus('default-status-sold', 'sold', 'Without a status an animal is sold.'),
  variant(
    'default-status-goes-round',
    'create.default-status',
    'Without a status an animal has the next of the three in turn.',
    () => {
      let turn = 0;
      return { defaultStatus: () => statuses[turn++ % statuses.length] };
    },
    { seedAnimals: 14 },
  ),
  defaultStatus('default-status-none', undefined, 'Without a status an animal has none.'),
];

/** Treatments of bodies outside the document. */
export const bodyVariants: readonly Variant[] = [
  memberRule('client-id-refused', 'create.client-id', 'A body with an id is answered 400.', (member) => member === 'id'),
  memberRule(
    'unknown-members-refused',
    members,
    'A body with unknown members is answered 400.',
    (member) => !['name', 'categoryId', 'status'].includes(member),
  ),
  mediaType('json-media-type-required', 'A body without application/json is answered 415.', (type) => /^application\/json\b/.test(type)),
  mediaType(
    'json-or-nothing',
    'A body of another media type is answered 415; none is good.',
    (type) => type === '' || /\bjson\b/.test(type),
  ),
  mediaType(
    'media-type-without-parameters',
    'A body of application/json with parameters is answered 415.',
    (type) => type === 'application/json',
  ),
  variant('duplicate-members-refused', 'create.duplicate-members', 'A member that is written twice is answered 400.', (parts) => ({
    readBody: (bytes, call) =>
      repeatsMember(Buffer.from(bytes).toString()) ? invalid('A member is repeated') : parts.readBody(bytes, call),
  })),
  variant('bom-accepted', 'create.text-encoding', 'A byte order mark before the body is skipped.', (parts) => ({
    readBody: (bytes, call) =>
      parts.readBody(bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes, call),
  })),
  variant('broken-utf8-replaced', 'create.text-encoding', 'Bytes that are not UTF-8 become replacement characters.', (parts) => ({
    readBody: (bytes, call) => parts.readBody(Buffer.from(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)), call),
  })),
  variant('utf16-accepted', 'create.text-encoding', 'A body in UTF-16 is accepted.', (parts) => ({
    readBody: (bytes, call) => {
      const body = parts.readBody(bytes, call);
      if (!(body instanceof Problem) || bytes[1] !== 0) return body;
      try {
        return parseJson(Buffer.from(bytes).toString('utf16le'));
      } catch {
        return body;
      }
    },
  })),
  variant('integer-spelling-free', 'create.integer-spelling', 'categoryId 1.0 and 1e0 are accepted as 1.', (parts) => ({
    readCategory: (value) => parts.readCategory(wholeNumber(value)),
  })),
];
