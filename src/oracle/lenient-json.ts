// What can be read of a body that a strict reader of JSON rejects.

import { type Json, readJson } from '../wire/json.ts';

const TRAILING_COMMA = /,(?=\s*[}\]])/g;
const NOT_A_NUMBER = /(?<=[:,[]\s*)-?(?:NaN|Infinity)\b/g;
const PYTHON: Readonly<Record<string, string>> = { None: 'null', True: 'true', False: 'false' };
const OF_PYTHON = /(?<=[:,[]\s*)(?:None|True|False)\b/g;
const LINE_COMMENT = /^\s*\/\/.*$/gm;
const BLOCK_COMMENT = /\/\*.*?\*\//gs;

/** From the first opening bracket to the last closing one: what surrounds it (a byte order mark, a prefix, a warning) is left out. */
function inBrackets(text: string): string | undefined {
  const begin = text.search(/[[{]/);
  const end = Math.max(text.lastIndexOf(']'), text.lastIndexOf('}'));
  return begin === -1 || end < begin ? undefined : text.slice(begin, end + 1);
}

function undoubled(text: string): string {
  const half = text.slice(0, text.length / 2);
  return text === half + half ? half : text;
}

/** The value in a body that is JSON except for something that a strict reader rejects; undefined if there is none. */
export function readLenientJson(text: string | undefined): Json | undefined {
  const whole = text === undefined ? undefined : inBrackets(text);
  if (whole === undefined) return undefined;
  const plain = whole.replace(BLOCK_COMMENT, '').replace(LINE_COMMENT, '').replace(TRAILING_COMMA, '').replace(NOT_A_NUMBER, 'null');
  const python = plain.replace(OF_PYTHON, (literal) => PYTHON[literal] ?? literal);
  const quoted = whole.includes('"') ? whole : whole.replaceAll("'", '"');
  const lines = `[${whole.trim().split('\n').join(',')}]`;
  for (const candidate of new Set([whole, plain, python, quoted, undoubled(whole), lines])) {
    const read = readJson(candidate);
    if (read.ok) return read.value;
  }
  return undefined;
}
