/**
 * JSON with every digit kept (RFC 8259, section 6: numbers have no stated precision).
 *
 * Integers beyond 2^53 become bigint, a fraction that a double can't hold becomes NaN, so that it can equal nothing.
 */

export type Json = null | boolean | number | bigint | string | Json[] | JsonObject;
export type JsonObject = { [member: string]: Json };

export type JsonReading = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly problem: string };

/** Digits that a plain `JSON.parse` may lose: sixteen in a row, a fraction that ends in 0, a negative zero, an exponent. */
const RISKY = /\d[\d.]{15}|\d\.\d*0|-0|\d[eE]/;
const INTEGER = /^-?\d+$/;
const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const LONGEST_EXPANSION = 400;

/** The exact value of a JSON number as written. */
export function exactNumber(source: string): number | bigint {
  if (INTEGER.test(source)) {
    const value = Number(source);
    return Number.isSafeInteger(value) ? value : BigInt(source);
  }
  const match = DECIMAL.exec(source);
  if (match === null) return Number.NaN;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  if (digits === '') return 0;
  const significant = digits.replace(/0+$/, '');
  const power = Number(exponent) - fraction.length + (digits.length - significant.length);
  if (power < 0) {
    const value = Number(source);
    return Number.isFinite(value) && String(value).length <= 17 ? value : Number.NaN;
  }
  if (power > LONGEST_EXPANSION) return Number(`${sign}Infinity`);
  const integer = BigInt(`${sign}${significant}${'0'.repeat(power)}`);
  return Number.isSafeInteger(Number(integer)) ? Number(integer) : integer;
}

/** Reads JSON strictly (RFC 8259): a byte order mark, NaN, comments and trailing commas are refused. */
export function readJson(text: string): JsonReading {
  try {
    if (!RISKY.test(text)) return { ok: true, value: JSON.parse(text) as Json };
    const exact = (_member: string, value: unknown, context: { source: string }) =>
      typeof value === 'number' ? exactNumber(context.source) : value;
    return { ok: true, value: (JSON.parse as ExactParse)(text, exact) };
  } catch (error) {
    if (error instanceof RangeError) return { ok: false, problem: 'nested too deeply to be read' };
    return { ok: false, problem: error instanceof Error ? error.message : String(error) };
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

/**
 * The first member name that one object of the text has twice with values that differ, or undefined
 * (RFC 8259, section 4: names should be unique; what a reader makes of two is unpredictable).
 * The text must be well-formed.
 */
export function duplicateMember(text: string): string | undefined {
  const open: (Map<string, string> | null)[] = [];
  const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
  let name: string | undefined;
  let last = '';
  for (const [part] of text.matchAll(token)) {
    const scope = open.at(-1);
    if (part === '{') open.push(new Map());
    else if (part === '[') open.push(null);
    else if (part === '}' || part === ']') open.pop();
    else if (part === ':') name = last;
    else if (part !== ',' && scope instanceof Map && name !== undefined) {
      const seen = scope.get(name);
      if (seen !== undefined && seen !== part) return JSON.parse(name) as string;
      scope.set(name, part);
      name = undefined;
    }
    if (part === '{' || part === '[' || part === ',') name = undefined;
    last = part;
  }
  return undefined;
}

/** True for a JSON object (not null, not an array). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Equality of JSON values, digit by digit; the order of members does not matter. */
export function sameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => sameJson(item, right[index]));
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length && names.every((name) => Object.hasOwn(right, name) && sameJson(left[name], right[name]))
  );
}
