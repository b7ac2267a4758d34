import { isRecord } from './parse-json.ts';
import { messageOf } from './wording.ts';

/**
 * JSON with every digit kept (RFC 8259, section 6: numbers have no stated precision).
 *
 * Integers beyond 2^53 become bigint; a fraction that a double would round to an integer becomes NaN, so that it is not taken for one.
 */

export type Json = null | boolean | number | bigint | string | Json[] | JsonObject;
export type JsonObject = { [member: string]: Json };

/** `unread`: a limit of our own keeps the text from being read, which says nothing about whether it is JSON. */
export type JsonReading =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly problem: string; readonly unread?: true };

/** Digits that a plain `JSON.parse` may lose: sixteen in a row, a fraction that ends in 0, a negative zero, an exponent. */
const RISKY = /\d[\d.]{15}|\d\.\d*0|-0|\d[eE]/;
const INTEGER = /^-?\d+$/;
const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const LONGEST_EXPANSION = 400;
/** RFC 8259, section 9 lets a reader limit the depth; no message of the interface is deeper than two. */
export const DEEPEST = 500;

/** Where the trailing zeros begin. Not a regular expression: `0+$` takes quadratic time on a million digits. */
function withoutZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

/** The exact value of a JSON number as written; ±Infinity for an integer of more than 400 digits. */
export function exactNumber(source: string): number | bigint {
  if (INTEGER.test(source)) {
    const value = Number(source);
    if (Number.isSafeInteger(value)) return value;
    return source.length > LONGEST_EXPANSION ? Math.sign(value) * Number.POSITIVE_INFINITY : BigInt(source);
  }
  const match = DECIMAL.exec(source);
  if (match === null) return Number.NaN;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  if (digits === '') return 0;
  const significant = withoutZeros(digits);
  const power = Number(exponent) - fraction.length + (digits.length - significant.length);
  if (power < 0) {
    const value = Number(source);
    return Number.isInteger(value) ? Number.NaN : value;
  }
  if (significant.length + power > LONGEST_EXPANSION) return Number(`${sign}Infinity`);
  const integer = BigInt(`${sign}${significant}${'0'.repeat(power)}`);
  return Number.isSafeInteger(Number(integer)) ? Number(integer) : integer;
}

/**
 * RFC 8259, section 9 also lets a reader limit the size: about a hundred parsed lists are held at a time, and each value costs more than
 * its text.
 */
const MOST_VALUES = 50_000;

function occurrences(text: string, character: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) count += 1;
  return count;
}

function isSurelyModest(text: string): boolean {
  return text.length <= MOST_VALUES && occurrences(text, '[') + occurrences(text, '{') <= DEEPEST;
}

/**
 * Why a text is not read although it may be well-formed: more than `DEEPEST` levels (every traversal may recurse), or more members and
 * items than fit in the memory of a run.
 */
function excess(text: string): string | undefined {
  let depth = 0;
  let values = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isInString) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) isInString = false;
    } else if (code === QUOTE) isInString = true;
    else if (code === COMMA) {
      values += 1;
      if (values > MOST_VALUES) return `it has more than ${MOST_VALUES} members and items`;
    } else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      depth += 1;
      if (depth > DEEPEST) return `it is nested more than ${DEEPEST} levels deep`;
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) depth -= 1;
  }
  return undefined;
}

const COMMA = 0x2c;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Reads JSON strictly (RFC 8259): rejects a byte order mark, NaN, comments, and trailing commas. */
export function readJson(text: string): JsonReading {
  if (text.startsWith('\ufeff')) return { ok: false, problem: 'it starts with a byte order mark' };
  if (text.startsWith('\0') || text.charAt(1) === '\0') return { ok: false, problem: 'it has NUL characters, like UTF-16 read as UTF-8' };
  const tooMuch = isSurelyModest(text) ? undefined : excess(text);
  if (tooMuch !== undefined) return { ok: false, problem: tooMuch, unread: true };
  try {
    if (!RISKY.test(text)) return { ok: true, value: JSON.parse(text) as Json };
    const exact = (_member: string, value: unknown, context: { source: string }) =>
      typeof value === 'number' ? exactNumber(context.source) : value;
    return { ok: true, value: (JSON.parse as ExactParse)(text, exact) };
  } catch (error) {
    return { ok: false, problem: messageOf(error) };
  }
}

type ExactParse = (text: string, reviver: (member: string, value: unknown, context: { source: string }) => unknown) => Json;

declare global {
  interface JSON {
    rawJSON(text: string): unknown;
  }
}

/** Writes JSON with every digit of a bigint; members that are undefined are left out. */
export function writeJson(value: unknown): string {
  return JSON.stringify(value, (_member, part: unknown) => (typeof part === 'bigint' ? JSON.rawJSON(String(part)) : part));
}

export function isJsonObject(value: unknown): value is JsonObject {
  return isRecord(value);
}

/**
 * Equality of JSON values, digit by digit; the order of members does not matter. A number that does not fit into a double equals itself.
 */
export function isSameJson(left: unknown, right: unknown): boolean {
  if (left === right || (Number.isNaN(left) && Number.isNaN(right))) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => isSameJson(item, right[index]));
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length && names.every((name) => Object.hasOwn(right, name) && isSameJson(left[name], right[name]))
  );
}

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]]|[^\s{}[\],:"]+/g;

type Scope = {
  readonly from: number;
  /** Undefined for an array. */
  readonly members: Map<string, string> | undefined;
  name: string | undefined;
};

/** Whether two spellings of a value read differently: `1` and `1.0` do not. */
function readsDifferently(left: string, right: string): boolean {
  if (left === right) return false;
  const [one, other] = [readJson(left), readJson(right)];
  return !one.ok || !other.ok || !isSameJson(one.value, other.value);
}

function membersWithin(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value);
  return inner.reduce<number>((sum, part) => sum + membersWithin(part), Array.isArray(value) ? 0 : inner.length);
}

/** Whether as many members were kept as there are colons: true for most texts, which then need no traversal. */
function hasSurelyNoDuplicates(text: string): boolean {
  return isSurelyModest(text) && membersWithin(JSON.parse(text) as Json) === occurrences(text, ':');
}

/**
 * The first member name that one object of the text has twice with different values, or undefined (RFC 8259, section 4: names should be
 * unique; what a reader makes of two is unpredictable). The text must be well-formed.
 */
export function duplicateMember(text: string): string | undefined {
  if (hasSurelyNoDuplicates(text)) return undefined;
  const scopes: Scope[] = [];
  for (const match of text.matchAll(TOKEN)) {
    const [token] = match;
    const scope = scopes.at(-1);
    if (token === '{' || token === '[') {
      scopes.push({ from: match.index, members: token === '{' ? new Map() : undefined, name: undefined });
    } else if (scope?.members !== undefined && scope.name === undefined && token.startsWith('"')) {
      scope.name = JSON.parse(token) as string;
    } else {
      const closed = token === '}' || token === ']' ? scopes.pop() : undefined;
      const holder = closed === undefined ? scope : scopes.at(-1);
      if (holder?.members === undefined || holder.name === undefined) continue;
      const value = text.slice(closed?.from ?? match.index, match.index + token.length);
      const earlier = holder.members.get(holder.name);
      if (earlier !== undefined && readsDifferently(earlier, value)) return holder.name;
      holder.members.set(holder.name, value);
      holder.name = undefined;
    }
  }
  return undefined;
}

/** Keyed by the reading of a text, which is the same for equal bodies: a run judges all of them again after each step. */
const duplicates = new WeakMap<JsonReading, { readonly first: string | undefined }>();

/** Like `duplicateMember`, for a text and its reading: searched once. */
export function duplicateMemberOf(reading: JsonReading, text: string): string | undefined {
  const known = duplicates.get(reading) ?? { first: duplicateMember(text) };
  duplicates.set(reading, known);
  return known.first;
}
