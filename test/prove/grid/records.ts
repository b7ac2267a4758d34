import { type Json, literal, NumberText, parseJson } from '../../../src/reference/core/json.ts';
import type { Reply } from '../../../src/reference/core/parts.ts';

/** The members of a JSON object in a response, with numbers in their original spelling. */
export type Members = Readonly<Record<string, Json | undefined>>;

function written(value: unknown): unknown {
  if (value instanceof NumberText) return literal(value.text);
  if (Array.isArray(value)) return value.map(written);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, written(inner)]));
}

/** The response with another body; members that are undefined are left out. */
export function withBody(reply: Reply, body: unknown): Reply {
  return { ...reply, body: JSON.stringify(written(body)) };
}

const textOf = ({ body }: Reply): string => (typeof body === 'string' ? body : Buffer.from(body).toString());

function isMembers(value: Json): value is { readonly [member: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberText);
}

/** The records of a list, in order. */
export function recordsOf(reply: Reply): readonly Members[] {
  const body = parseJson(textOf(reply));
  return Array.isArray(body) ? body.filter(isMembers) : [];
}

/** The record of a creation or a read, or the members of an Error. */
export function membersOf(reply: Reply): Members {
  const body = parseJson(textOf(reply));
  return isMembers(body) ? body : {};
}

/** Whether a client could distinguish the two. */
export function differs(one: Reply, other: Reply): boolean {
  return one.status !== other.status || textOf(one) !== textOf(other) || JSON.stringify(one.headers) !== JSON.stringify(other.headers);
}

/** A number as JSON, whatever its size. */
export function numeral(value: bigint | string): NumberText {
  return new NumberText(String(value));
}
