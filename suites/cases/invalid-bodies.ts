import type { NewPetInput } from '../../src/schema/pet.ts';
import type { CreateBody } from '../../src/session/client/api.ts';
import { writeJson } from '../../src/wire/json.ts';

/** The name in it, if any, is unique in the run. */
export type InvalidBody = { /** Completes "a body …". */ readonly what: string; body(valid: NewPetInput): CreateBody };

/** A number with exactly these digits: JSON.stringify would round or reject some of them. */
const digits = (text: string): unknown => JSON.rawJSON(text);

type Field = 'name' | 'categoryId' | 'status';

function without(valid: NewPetInput, ...fields: readonly Field[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(valid).filter(([name]) => !fields.some((field) => field === name)));
}

function having(field: Field, what: string, value: unknown): InvalidBody {
  return { what: `whose ${field} is ${what}`, body: (valid) => ({ value: { ...valid, [field]: value } }) };
}

function made(what: string, make: (valid: NewPetInput) => unknown): InvalidBody {
  return { what, body: (valid) => ({ value: make(valid) }) };
}

/** An object that has the inherited properties only through a property named __proto__. */
function byPrototype(own: Record<string, unknown>, inherited: Record<string, unknown>): CreateBody {
  const members = Object.entries(own).map(([name, value]) => `${JSON.stringify(name)}:${writeJson(value)}`);
  return { raw: `{${[...members, `"__proto__":${writeJson(inherited)}`].join(',')}}` };
}

function text(what: string, make: (json: string, valid: NewPetInput) => string): InvalidBody {
  return { what, body: (valid) => ({ raw: make(writeJson(valid), valid) }) };
}

export const NO_BODIES: readonly InvalidBody[] = [
  { what: 'of zero bytes', body: () => ({ raw: undefined }) },
  text('of spaces only', () => '   '),
];

function cutBehind(what: string, piece: (valid: NewPetInput) => string): InvalidBody {
  return text(`that is cut off ${what}`, (json, valid) => json.slice(0, json.indexOf(piece(valid)) + piece(valid).length));
}

export const CUT_BODIES: readonly InvalidBody[] = [
  cutBehind('after the opening brace', () => '{'),
  cutBehind('after the first colon', () => '"name":'),
  cutBehind('in the middle of the name', ({ name }) => name.slice(0, -3)),
  cutBehind('after the name', ({ name }) => `${name}"`),
  cutBehind('after the second colon', () => '"categoryId":'),
  text('without the closing brace', (json) => json.slice(0, -1)),
];

export const TRAILING_BODIES: readonly InvalidBody[] = [
  text('with a word after the JSON', (json) => `${json} x`),
  text('with a second closing brace', (json) => `${json}}`),
  text('with U+0000 after the JSON', (json) => `${json}\0`),
  text('of two JSON documents', (json) => json + json),
  text('of two JSON documents on separate lines', (json) => `${json}\n{}`),
  text('with a word before the JSON', (json) => `x ${json}`),
  text("with the prefix )]}'", (json) => `)]}'\n${json}`),
];

/** What a JavaScript or JSON5 parser would accept; RFC 8259 allows none of it. */
export const LENIENT_BODIES: readonly InvalidBody[] = [
  text('with a comma before the closing brace', (json) => json.replace(/\}$/, ',}')),
  text('in single quotes', (json) => json.replaceAll('"', "'")),
  text('with unquoted property names', (json) => json.replace(/"(\w+)":/g, '$1:')),
  text('with a comment', (json) => json.replace('{', '{/* a comment */')),
  text('with a comment after the JSON', (json) => `${json} // a comment`),
  text('whose categoryId has a leading zero', (json, { categoryId }) => json.replace(`:${categoryId}`, `:0${categoryId}`)),
  text('whose categoryId has a plus sign', (json, { categoryId }) => json.replace(`:${categoryId}`, `:+${categoryId}`)),
  text('whose categoryId is hexadecimal', (json, { categoryId }) => json.replace(`:${categoryId}`, `:0x${categoryId.toString(16)}`)),
  text('whose categoryId ends in a decimal point', (json, { categoryId }) => json.replace(`:${categoryId}`, `:${categoryId}.`)),
  text('whose categoryId begins with a decimal point', (json, { categoryId }) => json.replace(`:${categoryId}`, `:.${categoryId}`)),
  text('with an invalid JSON escape in the name', (json, { name }) => json.replace(name, `${name}\\q`)),
  text('with U+0001 in the name', (json, { name }) => json.replace(name, `${name}\u0001`)),
  text('with an equals sign instead of a colon', (json) => json.replace('":', '"=')),
  text('with a tab in the name', (json, { name }) => json.replace(name, `${name.slice(0, -2)}\t${name.slice(-2)}`)),
  text('with a line feed in the name', (json, { name }) => json.replace(name, `${name.slice(0, -2)}\n${name.slice(-2)}`)),
];

/**
 * Values of a member that a service ignores: a parser that skips it without reading it, or that reads more than JSON, accepts the body.
 * These are the forms in which lenient parsers differ: numbers and literals alone, which a scan for the next comma skips, and in arrays, escapes,
 * separators.
 */
const NO_VALUES: readonly (readonly [what: string, value: string])[] = [
  // Python's json accepts these two: the first row is always sent.
  ['NaN and minus Infinity', '[NaN,-Infinity]'],
  ['a number with a leading zero', '012'],
  ['a number that ends in an exponent', '[1e]'],
  ['a number that ends in a decimal point', '-2.'],
  ['a minus sign without a number', '-'],
  ['a number with an underscore', '1_000'],
  ['a number with a suffix', '1f'],
  ['Infinity', 'Infinity'],
  ['a literal in capitals', 'True'],
  ['a literal that is cut off', 'nul'],
  ['an empty item', '[1,,2]'],
  ['a comma after the last item', '["",]'],
  ['a comma before the first item', '[,1]'],
  ['a colon in an array', '["x":1]'],
  ['a member without a colon', '{"a" "b"}'],
  ['a member without a value', '{"a":}'],
  ['a name of a member that is a number', '{1:1}'],
  ['an array that ends as an object', '["a"}'],
  ['a hexadecimal escape', '"\\x41"'],
  ['an escape that is cut off', '"\\u00A"'],
  ['an escaped single quote', '"it\\\'s"'],
  ['a text over two lines', '"one\ntwo"'],
];

export const IGNORED_BODIES: readonly InvalidBody[] = NO_VALUES.map(([what, value]) =>
  text(`with ${what} in a member that it does not need`, (json) => json.replace(/\}$/, () => `,"note":${value}}`)),
);

export const FOREIGN_BODIES: readonly InvalidBody[] = [
  text('that is a word', () => 'hello'),
  text('of letters beyond ASCII', () => 'γάτα 猫'),
  text('that is U+0000', () => '\u0000'),
  text('of form data (name=…&categoryId=…)', (_json, { name, categoryId }) => `name=${name}&categoryId=${categoryId}`),
  text('of XML', (_json, { name, categoryId }) => `<pet><name>${name}</name><categoryId>${categoryId}</categoryId></pet>`),
  text('of YAML', (_json, { name, categoryId }) => `name: ${name}\ncategoryId: ${categoryId}\n`),
  text('with None, the Python spelling of null', (_json, { name }) => `{"name":"${name}","categoryId":None}`),
  text('whose categoryId is NaN', (_json, { name }) => `{"name":"${name}","categoryId":NaN}`),
  text('whose categoryId is Infinity', (_json, { name }) => `{"name":"${name}","categoryId":Infinity}`),
];

/** Deeper than the stack of a recursive parser. */
const DEPTH = 2_000;

export const NO_OBJECTS: readonly InvalidBody[] = [
  made('that is an empty array', () => []),
  made('that is an array with one NewPet', (valid) => [valid]),
  { what: `that is ${DEPTH} nested arrays`, body: () => ({ raw: '['.repeat(DEPTH) + ']'.repeat(DEPTH) }) },
  made('that is an array with two NewPets', (valid) => [valid, { ...valid, name: `${valid.name.slice(0, -1)}z` }]),
  made('that is an array of the three field values', (valid) => [valid.name, valid.categoryId, 'sold']),
  made('that is a string', () => 'x'),
  { what: 'that is a string containing a NewPet as JSON', body: (valid) => ({ value: writeJson(valid) }) },
  made('that is 1', () => 1),
  made('that is true', () => true),
  made('that is null', () => null),
];

export const MISSING_NAMES: readonly InvalidBody[] = [
  made('without name', (valid) => without(valid, 'name')),
  made('without name, with a status', (valid) => ({ ...without(valid, 'name'), status: 'pending' })),
  made('without any properties', () => ({})),
  made('wrapped in a property named pet', (valid) => ({ pet: valid })),
  made('with Name instead of name', (valid) => ({ ...without(valid, 'name'), Name: valid.name })),
  made('with NAME and CategoryID instead of name and categoryId', ({ name, categoryId }) => ({ NAME: name, CategoryID: categoryId })),
  made('with a title instead of a name', (valid) => ({ ...without(valid, 'name'), title: valid.name })),
  made('with "name " instead of name', ({ name, categoryId }) => ({ 'name ': name, categoryId })),
  made('with a zero-width space in the property name', ({ name, categoryId }) => ({ 'na\u200bme': name, categoryId })),
  made('with properties named constructor and toString, but without name', (valid) => ({
    ...without(valid, 'name'),
    constructor: 'x',
    toString: 'x',
  })),
  { what: 'whose name is in a property named __proto__', body: (valid) => byPrototype(without(valid, 'name'), { name: valid.name }) },
];

export const NULL_NAMES: readonly InvalidBody[] = [
  having('name', 'null', null),
  made('whose properties are all null', () => ({ name: null, categoryId: null, status: null })),
];

export const WRONG_NAMES: readonly InvalidBody[] = [
  having('name', '42', 42),
  having('name', '1.5', 1.5),
  having('name', 'true', true),
  having('name', 'false', false),
  having('name', '[]', []),
  made('whose name is an array that contains the name', (valid) => ({ ...valid, name: [valid.name] })),
  having('name', '{}', {}),
  made('whose name is an object that contains the name', (valid) => ({ ...valid, name: { name: valid.name } })),
  made('in which every field has the wrong type', () => ({ name: 42, categoryId: 'dogs', status: 1 })),
];

export const MISSING_CATEGORIES: readonly InvalidBody[] = [
  made('without categoryId', (valid) => without(valid, 'categoryId')),
  made('without categoryId, with a status', (valid) => ({ ...without(valid, 'categoryId'), status: 'sold' })),
  made('with a category object instead of categoryId', (valid) => ({
    ...without(valid, 'categoryId'),
    category: { id: valid.categoryId },
  })),
  made('with CategoryID instead of categoryId', (valid) => ({ ...without(valid, 'categoryId'), CategoryID: valid.categoryId })),
  made('with category instead of categoryId', (valid) => ({ ...without(valid, 'categoryId'), category: valid.categoryId })),
  made('with " categoryId" instead of categoryId', ({ name, categoryId }) => ({ name, ' categoryId': categoryId })),
  made('with category_id instead of categoryId', (valid) => ({ ...without(valid, 'categoryId'), category_id: valid.categoryId })),
  {
    what: 'whose categoryId is in a property named __proto__',
    body: (valid) => byPrototype(without(valid, 'categoryId'), { categoryId: valid.categoryId }),
  },
];

export const NULL_CATEGORIES: readonly InvalidBody[] = [
  having('categoryId', 'null', null),
  made('whose categoryId is null, with a status', (valid) => ({ ...valid, categoryId: null, status: 'available' })),
];

const MANY_DECIMALS = 2_000;

export const WRONG_CATEGORIES: readonly InvalidBody[] = [
  made('whose categoryId is a string of digits', (valid) => ({ ...valid, categoryId: String(valid.categoryId) })),
  made('whose categoryId is a string of digits between spaces', (valid) => ({ ...valid, categoryId: ` ${valid.categoryId} ` })),
  having('categoryId', '"dogs"', 'dogs'),
  having('categoryId', '"0x1F"', '0x1F'),
  having('categoryId', '"12abc"', '12abc'),
  having('categoryId', '"1.0"', '1.0'),
  having('categoryId', '""', ''),
  having('categoryId', '1.5', 1.5),
  having('categoryId', '0.5', 0.5),
  // Validators allow a tolerance of a hundredth or of a millionth.
  having('categoryId', '1.0000001', 1.0000001),
  having('categoryId', '1e-1', digits('1e-1')),
  having('categoryId', `0.5 with ${MANY_DECIMALS} decimals`, digits(`0.${'5'.repeat(MANY_DECIMALS)}`)),
  having('categoryId', '-1.5', -1.5),
  having('categoryId', 'true', true),
  having('categoryId', 'false', false),
  having('categoryId', '[]', []),
  made('whose categoryId is an array that contains the id', (valid) => ({ ...valid, categoryId: [valid.categoryId] })),
  having('categoryId', '{}', {}),
  made('whose categoryId is an object that contains the id', (valid) => ({ ...valid, categoryId: { id: valid.categoryId } })),
  made('whose categoryId and status have the wrong types', (valid) => ({ ...valid, categoryId: 'dogs', status: true })),
];

const MANY_DIGITS = 5_000;

const HUGE_NUMBERS = [
  '9223372036854775808',
  '-9223372036854775809',
  '18446744073709551615',
  '18446744073709551617',
  '99999999999999999999',
  '1e19',
  '-1e19',
  '1e400',
  '123456789012345678901234567890123456789012345678901234567890',
];

export const HUGE_CATEGORIES: readonly InvalidBody[] = [
  ...HUGE_NUMBERS.map((text) => having('categoryId', text, digits(text))),
  // Some languages reject this many digits, which few services expect.
  having('categoryId', `a number of ${MANY_DIGITS} digits`, digits('9'.repeat(MANY_DIGITS))),
];

export const WRONG_STATUSES: readonly InvalidBody[] = [
  ...[
    'unknown',
    'Available',
    'SOLD',
    ' available',
    'sold ',
    'sold\n',
    '',
    'available,sold',
    'null',
    'avail',
    '0',
    '1',
    'constructor',
    'sold\u0000',
    // Copied into an Error message without escaping, it ends the string early.
    'so"ld\\',
    'ｓｏｌｄ',
    // A Cyrillic o.
    's\u043eld',
    'adopted',
    'a'.repeat(300),
  ].map((text) => having('status', JSON.stringify(text), text)),
  // Gateways inspect the first 8 KB of a body.
  text(
    'whose status "adopted" comes after 9,000 spaces',
    (_json, { name, categoryId }) => `{"name":"${name}","categoryId":${categoryId},${' '.repeat(9_000)}"status":"adopted"}`,
  ),
  having('status', '1', 1),
  having('status', '0', 0),
  having('status', '1.5', 1.5),
  having('status', 'true', true),
  having('status', 'false', false),
  having('status', '[]', []),
  having('status', '["sold"]', ['sold']),
  having('status', '{}', {}),
  having('status', '{"value":"sold"}', { value: 'sold' }),
  having('status', '{"sold":null}', { sold: null }),
];

export const NULL_STATUSES: readonly InvalidBody[] = [having('status', 'null', null)];
