import fc from 'fast-check';
import type { ClauseId } from '../clause/clause.ts';
import type { NewPetInput } from '../schema/pet.ts';
import { INT64_MAX, INT64_MIN } from '../schema/validators.ts';
import { PET_STATUSES } from '../wire/exchange.ts';
import { writeJson } from '../wire/json.ts';

/** A way to make a valid NewPet invalid. The caller chooses the name in it, so that an animal that was stored anyway can be found. */
export type Mutation = {
  /** The clause that says that the body is invalid. */
  readonly clause: ClauseId;
  /** In words, for the summary: "a categoryId that is not an integer". */
  readonly what: string;
  body(valid: NewPetInput): string;
};

/** How the unmodified part of the body is spelled: the spelling makes no body valid or invalid. */
type Spelling = { readonly reversed: boolean; readonly indent: string; readonly extra: string | undefined };

const EXTRA_MEMBERS = ['id2', 'Name', 'constructor', 'toString', 'tags', 'photoUrls', 'category'] as const;

function spellings(): fc.Arbitrary<Spelling> {
  return fc.record({
    reversed: fc.boolean(),
    indent: fc.constantFrom('', ' ', '\n', '\t'),
    extra: fc.option(fc.constantFrom(...EXTRA_MEMBERS), { nil: undefined, freq: 3 }),
  });
}

/** An object of JSON texts by member name; undefined leaves a member out. */
function spell(members: Readonly<Record<string, string | undefined>>, { reversed, indent, extra }: Spelling): string {
  const all = extra === undefined ? members : { ...members, [extra]: '[]' };
  const parts = Object.entries(all)
    .filter(([, text]) => text !== undefined)
    .map(([name, text]) => `${indent}${JSON.stringify(name)}:${indent}${text}`);
  return `{${(reversed ? parts.reverse() : parts).join(',')}${indent}}`;
}

function membersOf(valid: NewPetInput): { name: string; categoryId: string; status: string | undefined } {
  return {
    name: JSON.stringify(valid.name),
    categoryId: String(valid.categoryId),
    status: valid.status === undefined ? undefined : JSON.stringify(valid.status),
  };
}

type Field = 'name' | 'categoryId' | 'status';

type Kind = Pick<Mutation, 'clause' | 'what'> & { readonly field: Field };

const kind = (clause: ClauseId, field: Field, what: string): Kind => ({ clause, field, what: `whose ${field} ${what}` });

const KINDS = {
  missingName: kind('create.name-required', 'name', 'is missing or null'),
  missingCategory: kind('create.category-required', 'categoryId', 'is missing or null'),
  wrongName: kind('create.name-type', 'name', 'is not a string'),
  wrongCategory: kind('create.category-type', 'categoryId', 'is not an integer'),
  hugeCategory: kind('create.category-range', 'categoryId', 'is outside int64'),
  wrongStatus: kind('create.status-invalid', 'status', 'is not one of the three'),
} as const;

/** Replaces the field's valid value with a generated JSON text; undefined leaves the field out. */
function replacing({ clause, field, what }: Kind, texts: fc.Arbitrary<string | undefined>): fc.Arbitrary<Mutation> {
  return fc.record({ text: texts, spelling: spellings() }).map(({ text, spelling }) => ({
    clause,
    what,
    body: (valid) => spell({ ...membersOf(valid), [field]: text }, spelling),
  }));
}

const fractions = (): fc.Arbitrary<string> =>
  fc.tuple(fc.integer(), fc.integer({ min: 1, max: 9 })).map(([whole, tenths]) => `${whole}.${tenths}`);
const json = (arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<string> => arbitrary.map(writeJson);
const containers = (): fc.Arbitrary<string> =>
  json(
    fc.oneof(
      fc.array(fc.oneof(fc.integer(), fc.string()), { maxLength: 3 }),
      fc.dictionary(fc.string({ maxLength: 6 }), fc.integer(), { maxKeys: 3 }),
    ),
  );
const booleans = (): fc.Arbitrary<string> => fc.constantFrom('true', 'false');

export function missingFields(field: 'name' | 'categoryId'): fc.Arbitrary<Mutation> {
  return replacing(field === 'name' ? KINDS.missingName : KINDS.missingCategory, fc.constantFrom(undefined, 'null'));
}

export function wrongNames(): fc.Arbitrary<Mutation> {
  return replacing(KINDS.wrongName, fc.oneof(fc.integer().map(String), fractions(), booleans(), containers()));
}

export function wrongCategories(): fc.Arbitrary<Mutation> {
  const digits = fc.oneof(fc.integer(), fc.bigInt({ min: INT64_MIN, max: INT64_MAX })).map((value) => JSON.stringify(String(value)));
  return replacing(KINDS.wrongCategory, fc.oneof(digits, json(fc.string({ maxLength: 12 })), fractions(), booleans(), containers()));
}

/** An integer beyond int64, from one step to hundreds of digits, also in exponent notation. */
export function hugeCategories(): fc.Arbitrary<Mutation> {
  const beyond = fc.bigInt({ min: 1n, max: 2n ** 200n });
  const wrapping = fc.bigInt({ min: 1n, max: 5n }).map((value) => String(2n ** 64n + value));
  const exponents = fc
    .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 20, max: 400 }))
    .map(([digit, power]) => `${digit}e${power}`);
  const texts = fc.oneof(
    wrapping,
    beyond.map((by) => String(INT64_MAX + by)),
    beyond.map((by) => String(INT64_MIN - by)),
    exponents,
  );
  return replacing(KINDS.hugeCategory, texts);
}

/** Texts that are none of the statuses, mostly near one of them. */
export function wrongStatusTexts(): fc.Arbitrary<string> {
  const status = fc.constantFrom(...PET_STATUSES);
  return fc.oneof(
    status.map((word) => word.toUpperCase()),
    status.map((word) => word.charAt(0).toUpperCase() + word.slice(1)),
    status.map((word) => word.slice(0, -1)),
    status.map((word) => `${word} `),
    status.map((word) => ` ${word}`),
    status.map((word) => `${word}\n`),
    fc.tuple(status, status).map((words) => words.join(',')),
    fc.string({ maxLength: 12 }).filter((text) => !PET_STATUSES.some((word) => word === text)),
  );
}

export function wrongStatuses(): fc.Arbitrary<Mutation> {
  const near = wrongStatusTexts();
  const other = fc.oneof(fc.integer().map(String), booleans(), containers(), fc.constant('null'));
  return replacing(KINDS.wrongStatus, fc.oneof({ arbitrary: json(near), weight: 2 }, other));
}

export function nonObjects(): fc.Arbitrary<Mutation> {
  const around = fc.constantFrom('array', 'nested', 'text').map((kind): Mutation['body'] => (valid) => {
    const object = spell(membersOf(valid), { reversed: false, indent: '', extra: undefined });
    if (kind === 'text') return JSON.stringify(object);
    return kind === 'array' ? `[${object}]` : `[[${object}]]`;
  });
  const plain = fc
    .oneof(
      fc.integer().map(String),
      fractions(),
      booleans(),
      fc.constant('null'),
      json(fc.string({ maxLength: 12 })),
      json(fc.array(fc.integer(), { maxLength: 3 })),
    )
    .map(
      (text): Mutation['body'] =>
        () =>
          text,
    );
  return fc.oneof(around, plain).map((body) => ({ clause: 'create.body-object', what: 'that is not a JSON object', body }));
}

const BODY_JSON = 'create.body-json';

function position(share: number, length: number): number {
  return Math.min(length - 1, Math.floor(share * length));
}

/** A valid body whose end is cut off: no prefix of an object is JSON. */
function cutBodies(): fc.Arbitrary<Mutation> {
  return fc.record({ share: fc.nat({ max: 999 }), spelling: spellings() }).map(({ share, spelling }) => ({
    clause: BODY_JSON,
    what: 'that is truncated',
    body: (valid) => {
      const text = spell(membersOf(valid), spelling);
      return text.slice(0, Math.max(1, position(share / 1000, text.length)));
    },
  }));
}

/** A valid body without one of its structural characters, or with an extra letter where none is allowed. */
function damagedBodies(): fc.Arbitrary<Mutation> {
  return fc.record({ share: fc.nat({ max: 999 }), remove: fc.boolean(), spelling: spellings() }).map(({ share, remove, spelling }) => ({
    clause: BODY_JSON,
    what: 'that is not JSON',
    body: (valid) => {
      const text = spell(membersOf(valid), spelling);
      const marks = [...text.matchAll(/[{}:,]/g)].map((match) => match.index);
      const at = marks[position(share / 1000, marks.length)] ?? 0;
      return remove ? text.slice(0, at) + text.slice(at + 1) : `${text.slice(0, at)}x${text.slice(at)}`;
    },
  }));
}

/**
 * Bodies that are not JSON text. They do not include forms that a lenient reader could read as the same animal (comments, single quotes).
 */
export function brokenBodies(): fc.Arbitrary<Mutation> {
  return fc.oneof({ arbitrary: cutBodies(), weight: 2 }, damagedBodies());
}

export function anyInvalidBody(): fc.Arbitrary<Mutation> {
  return fc.oneof(
    missingFields('name'),
    missingFields('categoryId'),
    wrongNames(),
    wrongCategories(),
    hugeCategories(),
    wrongStatuses(),
    nonObjects(),
    brokenBodies(),
  );
}
