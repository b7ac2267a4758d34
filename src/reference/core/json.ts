/** A JSON number as it was spelled, so that no digit is lost on the way to a bigint. */
export class NumberText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** What a request body may contain. Numbers stay text until their type is decided. */
export type Json = string | boolean | null | NumberText | readonly Json[] | { readonly [member: string]: Json };

type ReviverContext = { readonly source?: string };

// TypeScript's library does not declare these two yet.
const exactJson = JSON as unknown as {
  parse(text: string, reviver: (key: string, value: unknown, context: ReviverContext) => unknown): unknown;
  rawJSON(text: string): unknown;
};

/** Reads a JSON text (RFC 8259) with every number kept as its source text. Throws a SyntaxError as JSON.parse does. */
export function parseJson(text: string): Json {
  return exactJson.parse(text, (_key, value, context) =>
    typeof value === 'number' ? new NumberText(context.source ?? String(value)) : value,
  ) as Json;
}

/** A value that `JSON.stringify` writes as exactly these digits. */
export function integerLiteral(value: bigint): unknown {
  return exactJson.rawJSON(value.toString());
}

/** A value that `JSON.stringify` writes as the given JSON literal, such as `1.0` or `1e2`. */
export function literal(text: string): unknown {
  return exactJson.rawJSON(text);
}

export function isObject(value: Json): value is { readonly [member: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberText);
}

/** The own member of a JSON object; never one inherited from a prototype. */
export function member(body: { readonly [member: string]: Json }, name: string): Json | undefined {
  return Object.hasOwn(body, name) ? body[name] : undefined;
}

const SMALLEST = -(2n ** 63n);
const LARGEST = 2n ** 63n - 1n;
const CANONICAL = /^-?(?:0|[1-9]\d*)$/;

export const INT64_RANGE = { smallest: SMALLEST, largest: LARGEST } as const;

export function isInt64(value: bigint): boolean {
  return value >= SMALLEST && value <= LARGEST;
}

/** Reads plain decimal digits: no plus sign, no padding, no fraction, no exponent. Undefined for anything else. */
export function parseInteger(text: string): bigint | undefined {
  // The length bound keeps an attacker's megabyte of digits away from BigInt.
  return text.length <= 400 && CANONICAL.test(text) ? BigInt(text) : undefined;
}
