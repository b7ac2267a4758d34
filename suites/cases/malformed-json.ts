import type { NewPetInput } from '../../src/schema/pet.ts';
import { writeJson } from '../../src/wire/json.ts';
import type { InvalidBody } from './invalid-new-pets.ts';

function text(what: string, make: (json: string, valid: NewPetInput) => string): InvalidBody {
  return { what, body: (valid) => ({ raw: make(writeJson(valid), valid) }) };
}

export const NO_BODIES: readonly InvalidBody[] = [
  { what: 'of no bytes', body: () => ({ raw: undefined }) },
  text('of spaces only', () => '   '),
];

/** The beginning of a valid body up to where the piece ends. */
function cutBehind(what: string, piece: (valid: NewPetInput) => string): InvalidBody {
  return text(`that is cut off ${what}`, (json, valid) => json.slice(0, json.indexOf(piece(valid)) + piece(valid).length));
}

export const CUT_BODIES: readonly InvalidBody[] = [
  cutBehind('after the opening brace', () => '{'),
  cutBehind('after the first colon', () => '"name":'),
  cutBehind('in the middle of the name', ({ name }) => name.slice(0, -3)),
  cutBehind('after the name', ({ name }) => `${name}"`),
  cutBehind('after the second colon', () => '"categoryId":'),
  text('that lacks the closing brace only', (json) => json.slice(0, -1)),
];

export const TRAILING_BODIES: readonly InvalidBody[] = [
  text('with a word behind the JSON', (json) => `${json} x`),
  text('with a second closing brace', (json) => `${json}}`),
  text('with U+0000 behind the JSON', (json) => `${json}\0`),
  text('of two documents', (json) => json + json),
  text('of two documents on two lines', (json) => `${json}\n{}`),
  text('with a word in front of the JSON', (json) => `x ${json}`),
  text("behind the prefix )]}'", (json) => `)]}'\n${json}`),
];

/** What a reader of JavaScript or JSON5 would take; RFC 8259 has none of it. */
export const LENIENT_BODIES: readonly InvalidBody[] = [
  text('with a comma before the closing brace', (json) => json.replace(/\}$/, ',}')),
  text('in single quotes', (json) => json.replaceAll('"', "'")),
  text('with member names without quotes', (json) => json.replace(/"(\w+)":/g, '$1:')),
  text('with a comment', (json) => json.replace('{', '{/* a comment */')),
  text('with a comment behind', (json) => `${json} // a comment`),
  text('whose categoryId has a zero in front', (json, { categoryId }) => json.replace(`:${categoryId}`, `:0${categoryId}`)),
  text('whose categoryId has a plus sign', (json, { categoryId }) => json.replace(`:${categoryId}`, `:+${categoryId}`)),
  text('whose categoryId is hexadecimal', (json, { categoryId }) => json.replace(`:${categoryId}`, `:0x${categoryId.toString(16)}`)),
  text('whose categoryId ends in a point', (json, { categoryId }) => json.replace(`:${categoryId}`, `:${categoryId}.`)),
  text('whose categoryId begins with a point', (json, { categoryId }) => json.replace(`:${categoryId}`, `:.${categoryId}`)),
  text('with an escape that JSON does not have in the name', (json, { name }) => json.replace(name, `${name}\\q`)),
  text('with U+0001 in the name', (json, { name }) => json.replace(name, `${name}\u0001`)),
  text('with an equals sign instead of a colon', (json) => json.replace('":', '"=')),
  text('with a tab in the name', (json, { name }) => json.replace(name, `${name.slice(0, -2)}\t${name.slice(-2)}`)),
  text('with a line feed in the name', (json, { name }) => json.replace(name, `${name.slice(0, -2)}\n${name.slice(-2)}`)),
];

export const FOREIGN_BODIES: readonly InvalidBody[] = [
  text('that is a word', () => 'hello'),
  text('of a form (name=…&categoryId=…)', (_json, { name, categoryId }) => `name=${name}&categoryId=${categoryId}`),
  text('of XML', (_json, { name, categoryId }) => `<pet><name>${name}</name><categoryId>${categoryId}</categoryId></pet>`),
  text('of YAML', (_json, { name, categoryId }) => `name: ${name}\ncategoryId: ${categoryId}\n`),
  text('with None, as Python writes null', (_json, { name }) => `{"name":"${name}","categoryId":None}`),
  text('whose categoryId is NaN', (_json, { name }) => `{"name":"${name}","categoryId":NaN}`),
  text('whose categoryId is Infinity', (_json, { name }) => `{"name":"${name}","categoryId":Infinity}`),
];
