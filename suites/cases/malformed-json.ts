import type { NewPetInput } from '../../src/schema/pet.ts';
import { writeJson } from '../../src/wire/json.ts';
import type { InvalidBody } from './invalid-body.ts';

function text(what: string, make: (json: string, valid: NewPetInput) => string): InvalidBody {
  return { what, body: (valid) => ({ raw: make(writeJson(valid), valid) }) };
}

export const NO_BODIES: readonly InvalidBody[] = [
  { what: 'of zero bytes', body: () => ({ raw: undefined }) },
  text('of spaces only', () => '   '),
];

/** The start of a valid body, up to the end of the piece. */
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
 * These are the forms in which lenient parsers differ: numbers, literals, escapes, separators.
 */
const NO_VALUES: readonly (readonly [what: string, value: string])[] = [
  ['a number with a leading zero', '[012]'],
  ['a number that ends in an exponent', '[1e]'],
  ['a number that ends in a decimal point', '[-2.]'],
  ['a minus sign without a number', '[-]'],
  ['a number with an underscore', '[1_000]'],
  ['a number with a suffix', '[1f]'],
  ['minus Infinity', '[-Infinity]'],
  ['a literal in capitals', '[True]'],
  ['a literal that is cut off', '[nul]'],
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
